package jsonx

import "slices"

// keySet holds the keys of one object: a few in place, more in a map, so that a hostile object costs no quadratic time.
type keySet struct {
	few  [8]string
	n    int
	many map[string]struct{}
}

// add reports whether the key is new.
func (k *keySet) add(key string) bool {
	if k.many == nil {
		if slices.Contains(k.few[:k.n], key) {
			return false
		}
		if k.n < len(k.few) {
			k.few[k.n] = key
			k.n++
			return true
		}
		k.many = make(map[string]struct{}, 4*len(k.few))
		for _, f := range k.few {
			k.many[f] = struct{}{}
		}
	}
	before := len(k.many)
	k.many[key] = struct{}{}
	return len(k.many) > before
}
