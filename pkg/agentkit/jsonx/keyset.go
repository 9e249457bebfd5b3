package jsonx

import "bytes"

// keySet holds the keys of one object: a few in place, more in a map, so that a hostile object costs no quadratic time
// and a usual one no allocation. The keys given to it mustn't change.
type keySet struct {
	few  [16][]byte
	n    int
	many map[string]struct{}
}

// add reports whether the key is new.
func (k *keySet) add(key []byte) bool {
	if k.many == nil {
		for _, f := range k.few[:k.n] {
			if bytes.Equal(f, key) {
				return false
			}
		}
		if k.n < len(k.few) {
			k.few[k.n] = key
			k.n++
			return true
		}
		k.many = make(map[string]struct{}, 4*len(k.few))
		for _, f := range k.few {
			k.many[string(f)] = struct{}{}
		}
	}
	before := len(k.many)
	k.many[string(key)] = struct{}{}
	return len(k.many) > before
}
