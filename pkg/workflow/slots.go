package workflow

// maxConcurrency is how many leaves may execute at once in the instance, whatever their depth; 0 is no bound.
func (in *instance) maxConcurrency() int {
	switch {
	case in.items != nil:
		return in.items.maxConcurrency
	case in.wf == nil:
		return 0
	}
	return in.wf.maxConcurrency
}

// admit takes a slot for a leaf in its instance and in all around it. If one of them has none it waits there for its turn.
func (in *instance) admit(a *activation) bool {
	if !a.leaf() {
		return true
	}
	for i := in; i != nil; i = i.outer {
		if limit := i.maxConcurrency(); limit > 0 && i.leaves >= limit {
			i.blocked.add(a)
			return false
		}
	}
	for i := in; i != nil; i = i.outer {
		i.leaves++
	}
	return true
}

// leave gives the slots of an activation back.
func (in *instance) leave(a *activation) {
	if !a.leaf() {
		return
	}
	for i := in; i != nil; i = i.outer {
		i.leaves--
		i.unblock()
	}
}

// unqueue takes an activation that comes to nothing from where it waits for its turn.
func (r *run) unqueue(a *activation) {
	if r.ready.remove(a) {
		a.passOn()
	}
	for i := a.in; i != nil; i = i.outer {
		i.blocked.remove(a)
	}
}

// passOn lets others try for the slots that an activation was about to take.
func (a *activation) passOn() {
	for i := a.in; i != nil && a.leaf(); i = i.outer {
		i.unblock()
	}
}

// unblock lets one more activation try to get a slot.
func (in *instance) unblock() {
	for in.blocked.len() > 0 {
		if a := in.blocked.pop(); a.stopping() == nil {
			in.run.ready.add(a)
			return
		}
	}
}
