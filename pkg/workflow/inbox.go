package workflow

import "runtime"

// inbox holds the letters that the loop has collected and not opened yet.
type inbox struct{ fifo[letter] }

// take removes the letter at an index.
func (in *inbox) take(i int) letter {
	if i == in.head {
		return in.pop()
	}
	l := in.list[i]
	copy(in.list[in.head+1:i+1], in.list[in.head:i])
	in.list[in.head] = l
	return in.pop()
}

// firstTriggered returns the index of the message to handle next in a deterministic run: when every body that executes
// has returned or asks for something, what comes from the activation that was triggered first. -1 means to wait.
func (in *inbox) firstTriggered(executing int) int {
	asked := map[*activation]bool{}
	first, earliest := -1, 0
	for i := in.head; i < len(in.list); i++ {
		m := in.list[i].open()
		if !m.kind.work() || m.ctx == nil {
			return i
		}
		a := m.ctx.act
		if !asked[a] && m.current() {
			asked[a] = true
			executing--
		}
		if first < 0 || a.trigger < earliest {
			first, earliest = i, a.trigger
		}
	}
	if executing > 0 {
		return -1
	}
	return first
}

// waitingBodies counts the bodies that wait for their children.
func (r *run) waitingBodies() int {
	n := 0
	for _, a := range r.parents {
		if a.executes && a.inner != nil && a.inner.children.outstanding > 0 && a.ctx.busy.Load() == 0 {
			n++
		}
	}
	return n
}

// nextLetter waits for the letter to handle next. Before it sleeps it lets others go first, once: what has just begun may be
// about to return, and to sleep costs more.
func (r *run) nextLetter() letter {
	for patient := true; ; {
		if r.begun {
			runtime.Gosched()
			r.begun, patient = false, false
		}
		if r.env.Deterministic {
			r.inbox.rewind()
		}
		if r.inbox.len() == 0 || r.env.Deterministic {
			r.inbox.list = r.mail.collect(r.inbox.list)
			r.now = r.watch.reads()
		}
		next := r.pick()
		switch {
		case next >= 0:
			return r.inbox.take(next)
		case patient:
			runtime.Gosched()
			patient = false
		default:
			r.mail.sleep()
		}
	}
}

// pick returns the index of the letter to handle next, -1 when it hasn't come yet.
func (r *run) pick() int {
	switch {
	case r.inbox.len() == 0:
		return -1
	case r.env.Deterministic:
		return r.inbox.firstTriggered(r.root.executing - r.waitingBodies())
	default:
		return r.inbox.head
	}
}
