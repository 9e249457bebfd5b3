package cli

import (
	"errors"
	"fmt"
	"iter"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// errSuspended ends a verb whose run goes on later.
var errSuspended = failure{errors.New("the run is suspended, nothing of it is lost")}

// errDamaged ends a verb whose run can't go on.
var errDamaged = failure{errors.New("a part of the run's log can't be read: what the run did isn't known, so it can't go on")}

// watch shows a run on standard error until it ends, and prints its answer on standard output. A run that failed, was
// cancelled or was suspended is an error: there is no answer. begun says that the run is in the journal.
func watch(shown progress, events iter.Seq2[workflow.Event, error], printAnswer bool) (begun bool, _ error) {
	for e, err := range events {
		switch {
		case err != nil:
			return begun, runFailure(err)
		case e.Kind == workflow.RunCompleted:
			return true, answer(shown.streams, e, printAnswer)
		case e.Kind == workflow.RunWaiting:
			shown.questions(e)
			return true, nil
		case isDamaged(e):
			return true, errDamaged
		default:
			begun = true
			shown.show(e)
		}
	}
	return begun, errSuspended
}

// isDamaged says that a run stands still because its log is damaged.
func isDamaged(e workflow.Event) bool {
	stop, ok := e.Record.(journal.Stop)
	return e.Kind == workflow.RunSuspended && ok && stop.Why == journal.Damaged
}

// runFailure tells what a run came to from what kept it from being started or recorded.
func runFailure(err error) error {
	var run *workflow.RunError
	if errors.As(err, &run) && run.Code != workflow.CodeJournal && run.Code != workflow.CodeRequest {
		return failure{err}
	}
	return err
}

// answer prints the output of a run: text bare, anything else as JSON, and nothing when there is none.
func answer(streams Streams, e workflow.Event, printed bool) error {
	for _, w := range e.Warnings {
		streams.sayf("warning[%s]: %s", w.Code, w.Text)
	}
	switch {
	case !printed:
		return nil
	case e.Output == nil:
		streams.sayf("the run has no output")
		return nil
	}
	text, ok := e.Output.(string)
	if !ok {
		encoded, err := journal.EncodeValue(e.Output)
		if err != nil {
			return err
		}
		text = string(encoded)
	}
	_, err := fmt.Fprintln(streams.Out, text)
	return err
}
