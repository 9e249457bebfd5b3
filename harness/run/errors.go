package run

import (
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/journal"
)

// ErrDraining says that the process ends: it begins no run any more, and another one takes up what it leaves.
var ErrDraining = errors.New("this process is about to end and begins no more runs")

// ErrLagged tells a watcher that it was too slow and missed events. What it missed is in the journal; watching goes on.
var ErrLagged = errors.New("some events were missed")

// NotFoundError says that there is no run, or no session, of that id, as far as the one who asks may know.
type NotFoundError struct{ Run, Session string }

// Error names what isn't there.
func (e *NotFoundError) Error() string {
	if e.Run == "" {
		return fmt.Sprintf("there is no session %q", e.Session)
	}
	return fmt.Sprintf("there is no run %q in this store", e.Run)
}

// BusyError says that a session has a run which isn't over, so that it takes no new message.
type BusyError struct {
	Session, Run string
	Status       journal.Status
}

// Error names the run.
func (e *BusyError) Error() string {
	return fmt.Sprintf("session %s has the run %s, which is %s; a session executes one run at a time", e.Session, e.Run, e.Status)
}

// FullError says that as many runs execute as may.
type FullError struct{ Limit int }

// Error gives the limit.
func (e *FullError) Error() string {
	return fmt.Sprintf("%d runs execute, which is the limit", e.Limit)
}

// ReusedError says that a message has the id of an earlier one that said something else.
type ReusedError struct{ Session, Message string }

// Error names the message.
func (e *ReusedError) Error() string {
	return fmt.Sprintf("the session %s has another message with the id %q: a message that is sent again must be the same, a new "+
		"one needs an id of its own", e.Session, e.Message)
}

// OverError says that a run has ended already, or can't be brought to an end here.
type OverError struct {
	Run    string
	Status journal.Status
}

// Error names the run and its state.
func (e *OverError) Error() string { return fmt.Sprintf("the run %s is %s", e.Run, e.Status) }

// InterruptedError says that a run can't be advanced for the moment, because its journal can't be written. It is taken up
// again as soon as that is possible.
type InterruptedError struct {
	Run string
	Err error
}

// Error gives the cause.
func (e *InterruptedError) Error() string { return fmt.Sprintf("the run %s pauses: %v", e.Run, e.Err) }

// Unwrap returns the cause.
func (e *InterruptedError) Unwrap() error { return e.Err }
