package workflow

import "slices"

// fifo is a queue whose room is used again.
type fifo[T any] struct {
	list []T
	head int // those before it are taken
}

func (q *fifo[T]) len() int { return len(q.list) - q.head }

// all returns what is in the queue, the oldest first.
func (q *fifo[T]) all() []T { return q.list[q.head:] }

func (q *fifo[T]) push(v T) {
	if len(q.list) == cap(q.list) && q.head > q.len() {
		q.rewind()
	}
	q.list = append(q.list, v)
}

// rewind moves what is in the queue to the beginning of its room.
func (q *fifo[T]) rewind() {
	n := copy(q.list, q.all())
	clear(q.list[n:])
	q.list, q.head = q.list[:n], 0
}

func (q *fifo[T]) pop() T {
	var none T
	v := q.list[q.head]
	q.list[q.head] = none
	if q.head++; q.head == len(q.list) {
		q.list, q.head = q.list[:0], 0
	}
	return v
}

// drop takes out everything that it applies to.
func (q *fifo[T]) drop(applies func(T) bool) {
	q.rewind()
	q.list = slices.DeleteFunc(q.list, applies)
}
