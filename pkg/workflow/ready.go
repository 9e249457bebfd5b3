package workflow

import (
	"cmp"
	"slices"
)

// readyQueue holds activations that could start, the one that was triggered first at its head. Nearly always what is
// added was triggered last.
type readyQueue struct{ fifo[*activation] }

func (q *readyQueue) add(a *activation) {
	if q.len() == 0 || q.list[len(q.list)-1].trigger < a.trigger {
		q.push(a)
		return
	}
	i, _ := q.find(a)
	if i == q.head && q.head > 0 {
		q.head--
		q.list[q.head] = a
		return
	}
	q.list = slices.Insert(q.list, i, a)
}

// find returns the place of an activation, or where it would be.
func (q *readyQueue) find(a *activation) (place int, found bool) {
	i, found := slices.BinarySearchFunc(q.all(), a, func(b, a *activation) int { return cmp.Compare(b.trigger, a.trigger) })
	return q.head + i, found
}

// remove takes an activation out, if it is there.
func (q *readyQueue) remove(a *activation) (removed bool) {
	i, found := q.find(a)
	if found {
		q.list = slices.Delete(q.list, i, i+1)
	}
	return found
}
