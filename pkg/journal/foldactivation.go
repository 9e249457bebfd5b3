package journal

import (
	"slices"
	"strings"
	"time"
)

// add makes an activation known to its run.
func (f *folder) add(run *RunState, path string, state ActivationState) *Activation {
	if path == "" {
		f.contradictf("", "an activation has no path")
	}
	a := run.newActivation()
	a.Path, a.State = path, state
	run.Activations = append(run.Activations, a)
	run.byPath[path] = a
	run.count(a, 1)
	return a
}

func (f *folder) start(run *RunState, r Start) {
	a := run.byPath[r.Path]
	switch {
	case a == nil:
		a = f.add(run, r.Path, ActivationQueued)
		a.From = r.From
		f.startFirst(run, a, r)
	case a.State == ActivationQueued && !slices.Equal(a.From, r.From):
		f.contradictf(r.Path, "it starts from %v, but was triggered by %v", r.From, a.From)
	case a.State == ActivationQueued:
		f.startFirst(run, a, r)
	case a.State == ActivationBackoff:
		f.startAgain(a, r, a.Attempt+1)
		a.Answered = slices.DeleteFunc(a.Answered, func(i Interrupt) bool { return !i.isApproval() })
	case a.State == ActivationRunning && a.reentered:
		f.startAgain(a, r, a.Attempt)
	default:
		f.contradictf(r.Path, "it starts, but it is %s", a.State)
	}
	if f.err != nil {
		return
	}
	a.State, a.Attempt, a.Started = ActivationRunning, r.Attempt, f.pos
	a.Due, a.reentered = time.Time{}, false
	run.wake(ParentOf(a.Path))
}

// startFirst takes what the first attempt starts from.
func (f *folder) startFirst(run *RunState, a *Activation, r Start) {
	a.Branch, a.InputDigest = r.Branch, r.InputDigest
	if r.Isolated {
		a.Isolated, a.Own = true, f.ownSession(run, r)
	}
	if r.Attempt != 1 {
		f.contradictf(r.Path, "its first attempt has the number %d", r.Attempt)
	}
	consumed := run.consume(InstanceOf(r.Path)+NodeOf(r.Path), r.From)
	if consumed > 0 && consumed != len(r.From) {
		f.contradictf(r.Path, "it starts from %v, of which %d have arrived", r.From, consumed)
	}
	if v, ok := r.Input.Get(); ok {
		a.Input = v
		return
	}
	a.Input = f.derivedInput(run, r, consumed > 0)
}

// startAgain checks a later attempt, or the re-entry of the present one. What it doesn't say is as in the first.
func (f *folder) startAgain(a *Activation, r Start, attempt int) {
	if r.Attempt != attempt {
		f.contradictf(r.Path, "attempt %d starts, but %d comes next", r.Attempt, attempt)
	}
	if v, ok := r.Input.Get(); ok {
		a.Input = v
	}
}

// derivedInput is the input that isn't recorded because it follows from what the activation starts from.
func (f *folder) derivedInput(run *RunState, r Start, join bool) any {
	switch {
	case join:
		values := make(map[string]any, len(r.From))
		for _, from := range r.From {
			values[NodeOf(from)] = f.handedOn(run, r.Path, from)
		}
		return values
	case len(r.From) == 1:
		return f.handedOn(run, r.Path, r.From[0])
	case len(r.From) > 1:
		f.contradictf(r.Path, "it starts from %v, but is no join", r.From)
	}
	return nil
}

// handedOn is the value that an activation gave to the one at path.
func (f *folder) handedOn(run *RunState, path, from string) any {
	if NodeOf(from) == StartNode {
		return f.instanceInput(run, path, from)
	}
	source := run.byPath[from]
	switch {
	case source == nil:
		f.contradictf(path, "it starts from %s, which was never recorded", from)
	case source.State == ActivationDone:
		return source.Output.Value()
	default:
		f.contradictf(path, "its input isn't recorded and doesn't follow from %s, which is %s", from, source.State)
	}
	return nil
}

// instanceInput is the input of the instance that a START stands for.
func (f *folder) instanceInput(run *RunState, path, start string) any {
	parent := ParentOf(start)
	if InstanceOf(start) != InstanceOf(path) {
		f.contradictf(path, "it starts from %s, which is another instance's", start)
		return nil
	}
	if parent == "" {
		return run.Run.Input
	}
	if a := run.byPath[parent]; a != nil {
		return a.Input
	}
	f.contradictf(path, "it starts from %s, but there is no %s", start, parent)
	return nil
}

func (f *folder) end(run *RunState, r End) {
	a := run.byPath[r.Path]
	if a == nil && NodeOf(r.Path) == StartNode {
		output := Some(f.instanceInput(run, r.Path, r.Path))
		a = f.add(run, r.Path, ActivationRunning)
		a.Started, a.Output = f.pos, output
	} else if a = f.executing(run, r.Path, "ends"); a == nil {
		return
	} else {
		a.Output = r.Output
	}
	a.Routes, a.Next, a.Escalate, a.Committed = r.Routes, r.Next, r.Escalate, f.pos
	run.spend(r.Usage)
	run.close(a, ActivationDone)
	f.cause(run, a)
}

func (f *folder) fail(run *RunState, r Fail) {
	a := run.byPath[r.Path]
	canceled := r.Err.Code == CodeCanceled
	switch {
	case a == nil || !a.State.Live() || a.State == ActivationQueued && !canceled:
		f.contradictf(r.Path, "it fails without having started")
	case r.Attempt != a.Attempt && !canceled:
		f.contradictf(r.Path, "attempt %d fails, but attempt %d runs", r.Attempt, a.Attempt)
	case !r.Due.IsZero() && len(r.Next) > 0:
		f.contradictf(r.Path, "its failure has both a next attempt and a handler")
	}
	if f.err != nil {
		return
	}
	a.Err, a.Next, a.Due, a.Committed = &r.Err, r.Next, r.Due, f.pos
	switch {
	case canceled:
		run.close(a, ActivationCanceled)
	case !r.Due.IsZero():
		run.close(a, ActivationBackoff)
	default:
		run.close(a, ActivationFailed)
	}
	f.cause(run, a)
}

// cause records what the end of an activation has led to.
func (f *folder) cause(run *RunState, a *Activation) {
	for _, next := range a.Next {
		join, source, arrives := strings.Cut(next, arrivalMark)
		switch {
		case arrives && source != NodeOf(a.Path):
			f.contradictf(a.Path, "it can't send %s", next)
		case arrives:
			run.Arrivals = append(run.Arrivals, Arrival{Join: join, Source: source, From: a.Path, Pos: f.pos})
		case run.byPath[next] != nil:
			f.contradictf(next, "it is triggered by %s, but was recorded before", a.Path)
		default:
			triggered := f.add(run, next, ActivationQueued)
			triggered.source[0] = a.Path
			triggered.From = triggered.source[:]
		}
	}
}

func (f *folder) wait(run *RunState, r Wait) {
	a := f.executing(run, r.Path, "waits")
	if a == nil {
		return
	}
	for _, ask := range r.Asks {
		if slices.ContainsFunc(run.Interrupts, func(i Interrupt) bool { return i.Ask.ID == ask.ID }) {
			f.contradictf(r.Path, "interrupt %s is opened twice", ask.ID)
		}
		run.Interrupts = append(run.Interrupts, Interrupt{Ask: ask, Path: r.Path, Pos: f.pos})
	}
	a.open, a.Committed = len(r.Asks), f.pos
	a.State = ActivationWaiting
}

// executing returns an activation that runs, or waits for nothing but its children.
func (f *folder) executing(run *RunState, path, verb string) *Activation {
	a := run.byPath[path]
	switch {
	case a == nil || a.State == ActivationQueued:
		f.contradictf(path, "it %s without having started", verb)
	case a.open > 0:
		f.contradictf(path, "it %s while %d of its interrupts are open", verb, a.open)
	case a.State != ActivationRunning && a.State != ActivationWaiting:
		f.contradictf(path, "it %s, but it is %s", verb, a.State)
	default:
		return a
	}
	return nil
}

func (f *folder) answer(run *RunState, r Answer) {
	if run.damaged {
		return
	}
	i := slices.IndexFunc(run.Interrupts, func(i Interrupt) bool { return i.Ask.ID == r.ID })
	if i < 0 || run.Interrupts[i].Path != r.Path {
		f.contradictf(r.Path, "interrupt %s is answered, but it isn't open there", r.ID)
		return
	}
	answered := run.Interrupts[i]
	answered.Answer = &r
	run.Interrupts = slices.Delete(run.Interrupts, i, i+1)
	a := run.byPath[r.Path]
	a.Answered = append(a.Answered, answered)
	if a.open--; a.open == 0 {
		run.wake(r.Path)
	}
}

func (f *folder) call(run *RunState, r Call) {
	if run.byPath[r.Path] == nil {
		f.contradictf(r.Path, "it calls a tool without having started")
		return
	}
	run.Calls = append(run.Calls, OpenCall{Call: r, Pos: f.pos})
}
