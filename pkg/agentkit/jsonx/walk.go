package jsonx

// Object walks over the members of an object of a [Reader].
type Object struct {
	walk

	keys keySet
	key  []byte
}

// Array walks over the elements of an array of a [Reader].
type Array struct{ walk }

// walk is a way through an object or array.
type walk struct {
	r       *Reader
	closing byte
	depth   int  // of what stands in it
	begun   bool // the first element was looked for
	open    bool
}

// Object enters an object. Its members are read by the reader between two calls of Next.
func (r *Reader) Object() Object { return Object{walk: r.enter('{', '}', "an object")} }

// Array enters an array. Its elements are read by the reader between two calls of Next.
func (r *Reader) Array() Array { return Array{r.enter('[', ']', "an array")} }

func (r *Reader) enter(opening, closing byte, what string) walk {
	if !r.begin() || r.null() {
		return walk{}
	}
	switch {
	case r.s.peek() != opening:
		r.err = r.s.wanted(what)
		return walk{}
	case r.depth == MaxDepth:
		r.err = r.s.fail("arrays and objects are nested more than %d deep", MaxDepth)
		return walk{}
	}
	r.s.pos++
	r.depth++
	return walk{r: r, closing: closing, depth: r.depth, open: true}
}

// Next stands before the value of the next member, which [Object.Key] names.
func (o *Object) Next() bool {
	if !o.step() {
		return false
	}
	o.key, o.r.err = o.r.s.key(&o.keys)
	o.r.due = o.r.err == nil
	return o.r.due
}

// Key is the key of the member. It is valid as long as the text is.
func (o *Object) Key() []byte { return o.key }

// Next stands before the next element.
func (a *Array) Next() bool {
	if !a.step() {
		return false
	}
	a.r.due = true
	return true
}

// step passes over a value that wasn't read, and reports whether another element follows.
func (w *walk) step() bool {
	if !w.open || w.r.err != nil {
		return false
	}
	r := w.r
	if r.due {
		r.Skip()
	}
	if r.err == nil && r.depth != w.depth {
		r.err = r.s.fail("a walk was left before its end: this is a mistake of the program")
	}
	if r.err != nil {
		return false
	}
	done := false
	if w.begun {
		done, r.err = r.s.more(w.closing)
	} else if w.begun = true; w.empty() {
		done = true
	}
	if done {
		w.open = false
		r.depth--
	}
	return !done && r.err == nil
}

// empty consumes the closing byte of what has no elements.
func (w *walk) empty() bool {
	s := &w.r.s
	if s.space(); s.peek() != w.closing {
		return false
	}
	s.pos++
	return true
}
