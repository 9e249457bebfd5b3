package journal

import "slices"

// maxBlock is how many activations are made at once, at most.
const maxBlock = 16

// newActivation returns an empty one. They are made in blocks that grow with the run, because a fold makes one for each
// node that runs, and small, because folds of short runs are many.
func (r *RunState) newActivation() *Activation {
	if len(r.block) == 0 {
		r.block = make([]Activation, min(1+len(r.Activations)/2, maxBlock))
	}
	a := &r.block[0]
	r.block = r.block[1:]
	return a
}

// parent returns the activation that another one is a child of; nil for those of the run's root.
func (r *RunState) parent(path string) *Activation {
	if p := ParentOf(path); p != "" {
		return r.byPath[p]
	}
	return nil
}

// count adds to the number of live children of an activation's parent.
func (r *RunState) count(a *Activation, n int) {
	if parent := r.parent(a.Path); parent != nil {
		parent.children += n
	}
}

// close ends an activation, or its attempt, and with it what is live below it.
func (r *RunState) close(a *Activation, state ActivationState) {
	if a.children > 0 {
		for _, below := range r.Activations {
			if below.State.Live() && isBelow(below.Path, a.Path) {
				r.closeOne(below, ActivationCanceled)
			}
		}
	}
	r.closeOne(a, state)
}

func (r *RunState) closeOne(a *Activation, state ActivationState) {
	if a.open > 0 {
		r.Interrupts = slices.DeleteFunc(r.Interrupts, func(i Interrupt) bool { return i.Path == a.Path })
		a.open = 0
	}
	if state == ActivationDone {
		a.Own = nil // nothing is asked of it any more; one that failed may go on in another run
	}
	if !state.Live() {
		r.Calls = slices.DeleteFunc(r.Calls, func(c OpenCall) bool { return c.Call.Path == a.Path })
		r.count(a, -1)
	}
	a.State = state
}

// expire forgets what was decided about the calls of an activation's last turn: the calls of the next one may have the
// same ids, and are others.
func (r *RunState) expire(path string) {
	if a := r.byPath[path]; a != nil && len(a.Answered) > 0 {
		a.Answered = slices.DeleteFunc(a.Answered, Interrupt.isApproval)
	}
}

// wake lets an activation and those around it go on when they wait for nothing any more.
func (r *RunState) wake(path string) {
	for a := r.byPath[path]; a != nil; a = r.parent(a.Path) {
		if a.State == ActivationWaiting && a.open == 0 {
			a.State, a.reentered = ActivationRunning, true
		}
	}
}

// consume removes the arrivals that a join takes, and returns how many there were.
func (r *RunState) consume(join string, from []string) int {
	if len(r.Arrivals) == 0 {
		return 0
	}
	wanted := make(map[string]bool, len(from))
	for _, path := range from {
		wanted[path] = true
	}
	before := len(r.Arrivals)
	r.Arrivals = slices.DeleteFunc(r.Arrivals, func(a Arrival) bool { return a.Join == join && wanted[a.From] })
	return before - len(r.Arrivals)
}

func (r *RunState) spend(u *Usage) {
	if u != nil {
		r.Usage = r.Usage.Add(*u)
	}
}

func (r *RunState) own(o Own) {
	r.Stop = nil
	r.Owner, r.Epoch, r.Recoveries = o.Owner, max(r.Epoch, o.Epoch), o.Recoveries
	for _, a := range r.Activations {
		if a.State == ActivationRunning && a.children == 0 {
			a.Recoveries++
		}
	}
}
