package graph

// Set is a set of node indexes, one bit each. The zero value is an empty set of no capacity.
type Set struct{ words []uint64 }

// NewSet returns an empty set that can hold the indexes 0 to n-1.
func NewSet(n int) Set { return Set{make([]uint64, (n+63)/64)} }

// Add puts i into the set.
func (s Set) Add(i int) { s.words[i/64] |= 1 << (i % 64) }

// Has says whether i is in the set; an index beyond the capacity isn't.
func (s Set) Has(i int) bool { return i/64 < len(s.words) && s.words[i/64]&(1<<(i%64)) != 0 }
