package workflow

import (
	"container/heap"
	"slices"
)

// readyQueue holds activations that could start, the one that was triggered first on top.
type readyQueue []*activation

func (q readyQueue) Len() int           { return len(q) }
func (q readyQueue) Less(i, j int) bool { return q[i].trigger < q[j].trigger }
func (q readyQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push and Pop are for package heap.
func (q *readyQueue) Push(x any) { *q = append(*q, x.(*activation)) }

func (q *readyQueue) Pop() any {
	last := len(*q) - 1
	a := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return a
}

// remove takes an activation out, if it is there.
func (q *readyQueue) remove(a *activation) (removed bool) {
	i := slices.Index(*q, a)
	if i >= 0 {
		heap.Remove(q, i)
	}
	return i >= 0
}

func (q *readyQueue) add(a *activation) { heap.Push(q, a) }

func (q *readyQueue) next() *activation { return heap.Pop(q).(*activation) }
