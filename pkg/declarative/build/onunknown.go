package build

import (
	"fmt"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// CodeUnknownOutcome says that the process died while a tool was called, and that the document doesn't want such a call
// to be made again.
const CodeUnknownOutcome workflow.Code = "outcome-unknown"

// once makes a call of a tool node that isn't made again when its process dies meanwhile. That it begins is recorded
// before; an attempt that finds such a record of its own follows a death.
func once(ctx *workflow.Context, name string, call func() (workflow.Result, error)) (workflow.Result, error) {
	intent := journal.Call{ID: fmt.Sprintf("attempt-%d", ctx.Attempt()), Tool: name}
	for _, begun := range ctx.Session().Calls {
		if begun.Call.ID == intent.ID {
			return workflow.Result{}, workflow.Terminal(workflow.Errorf(CodeUnknownOutcome,
				"the process died while %s was called: it may have taken effect or not", name))
		}
	}
	if err := ctx.Commit(intent); err != nil {
		return workflow.Result{}, err
	}
	return call()
}
