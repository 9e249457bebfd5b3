package workflow

// slab allocates values several at a time. All of them are kept while one of them is.
type slab[T any] struct {
	spare []T
	made  int
}

// maxSlab is how many values are allocated at once, at most: it grows with the number of those that there are.
const maxSlab = 16

func (s *slab[T]) take() *T {
	if len(s.spare) == 0 {
		s.spare = make([]T, min(max(s.made, 1), maxSlab))
		s.made += len(s.spare)
	}
	v := &s.spare[0]
	s.spare = s.spare[1:]
	return v
}
