package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
)

// errFailed ends a verb whose run failed at a place that is on the screen already.
var errFailed = failure{errors.New("the run failed")}

// locator gives findings about the canonical document their places in the author's file.
type locator func(diag.List) diag.List

// unplaced is the locator of those who have no file, as of a run that goes on with the config that it began with.
func unplaced(found diag.List) diag.List { return found }

// failedAt shows the place in the document that made a run fail, if it is one of a file that was read. The error that it
// returns says the rest.
func (l *local) failedAt(locate locator, err error) error {
	over, ok := errors.AsType[*workflow.RunError](err)
	if !ok || over.Field == "" {
		return err
	}
	at := locate(diag.List{{Code: diag.Code(over.Code), Path: over.Field, Pointer: "",
		Message: strings.Replace(over.Error(), over.Field+": ", "", 1)}})
	if len(at) != 1 || at[0].IsZero() || at[0].Pointer == "" { // a limit that the document doesn't set is nowhere
		return err
	}
	if reported := sources(l.project.Texts).report(l.streams.Err, at); !errors.Is(reported, errReported) {
		return errors.Join(err, reported)
	}
	return errFailed
}

// andThen adds to the error of a run what can be done now.
func (l *local) andThen(err error, run string, as error) error {
	var over *workflow.RunError
	switch ended := errors.As(err, &over); {
	case ended && over.Code == workflow.CodeLimit:
		return fmt.Errorf("%w\ngo on from there with a document whose limits are higher: plait retry %s%s --with PATH",
			as, run, storeHint(l.dir))
	case errors.Is(err, errSuspended), ended && over.Code == workflow.CodeJournal:
		return fmt.Errorf("%w\ngo on with: plait resume %s%s", as, run, storeHint(l.dir))
	case ended && over.Code != workflow.CodeRequest:
		return fmt.Errorf("%w\ngo on from there with: plait retry %s%s", as, run, storeHint(l.dir))
	default:
		return as
	}
}
