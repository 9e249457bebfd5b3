package journal

import "time"

// RunState is what the log says of one run.
type RunState struct {
	ID string

	// Run is the run's record; it is empty while the run is only queued, and when its entry is damaged.
	Run Run

	// Message is the message that was queued for the run.
	Message string

	// Started is when the run was recorded first, Updated when last.
	Started time.Time
	Updated time.Time

	// Owner, Epoch and Recoveries are those of the last takeover; Epoch is also that of the last entry.
	Owner      string
	Epoch      int64
	Recoveries int

	// CancelRequest, Stop and Done are nil until they are recorded; Stop is nil again after the run was taken up.
	CancelRequest *Cancel
	Stop          *Stop
	Done          *Done

	// Temp is the state that lives until the run ends.
	Temp map[string]any

	// Usage is the sum over messages and activations.
	Usage Usage

	Notes []Note

	// Activations are in trigger order: the order in which they became queued, or started when nothing queued them.
	Activations []*Activation

	// Arrivals are those that no join has consumed, oldest first.
	Arrivals []Arrival

	// Interrupts are those that are open, oldest first.
	Interrupts []Interrupt

	// Calls are the intents that have no result, of activations that aren't over.
	Calls []OpenCall

	begun   bool
	damaged bool
	byPath  map[string]*Activation
	block   []Activation // those that the next ones will be
}

// Activation returns the activation of that path, or nil.
func (r *RunState) Activation(path string) *Activation { return r.byPath[path] }

// Damaged is the reason of a run that can't go on because an entry that may concern it is damaged.
const Damaged = "damaged"

// Status returns the state of the run. It looks at every activation. A run waits when all that could go on in it waits
// for people; one whose next attempt is due later is running.
func (r *RunState) Status() Status {
	switch {
	case r.Done != nil:
		return r.Done.Status
	case r.damaged, r.Stop != nil:
		return Suspended
	case !r.begun:
		return Queued
	}
	waits := false
	for _, a := range r.Activations {
		switch {
		case a.children > 0:
		case a.State == ActivationRunning, a.State == ActivationBackoff:
			return Running
		case a.State == ActivationWaiting:
			waits = true
		}
	}
	if waits {
		return Waiting
	}
	return Running
}

// Reason returns why a run is suspended; empty when it isn't.
func (r *RunState) Reason() string {
	switch {
	case r.Status() != Suspended:
		return ""
	case r.damaged:
		return Damaged
	default:
		return r.Stop.Why
	}
}

// Wake returns when a run in which nothing is running goes on by itself: at the first retry, deadline or end of a
// suspension. It is zero when the run doesn't, or is over.
func (r *RunState) Wake() time.Time {
	var wake time.Time
	earlier := func(t time.Time) {
		if wake.IsZero() || !t.IsZero() && t.Before(wake) {
			wake = t
		}
	}
	if r.Done != nil || r.damaged {
		return wake
	}
	if r.Stop != nil {
		return r.Stop.Due
	}
	for _, a := range r.Activations {
		if a.State == ActivationRunning && a.children == 0 {
			return time.Time{}
		}
		if a.State == ActivationBackoff {
			earlier(a.Due)
		}
	}
	for _, i := range r.Interrupts {
		earlier(i.Ask.Deadline)
	}
	return wake
}
