package agentkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// ApprovalRequest is a call that waits for a person's decision. It passed the checks of its arguments.
type ApprovalRequest struct {
	Spec core.Spec
	Call core.Call

	// Message is what a hook wants the person to be asked; empty when [Config.Approval] wants the decision.
	Message string
}

// ApprovalError ends a run that needs decisions of a person. The other calls of the turn have been made, and everything
// is committed. The run goes on when it is run again with what was committed as [RunInput.Progress], and with
// [RunInput.Decision].
type ApprovalError struct {
	// Requests are in call order; there is at least one.
	Requests []ApprovalRequest
}

// Error names the tools.
func (e *ApprovalError) Error() string {
	names := make([]string, len(e.Requests))
	for i, r := range e.Requests {
		names[i] = r.Call.Name
	}
	return "a person has to decide about calls of " + strings.Join(names, ", ")
}

// CallDecision is what a person decided about a call.
type CallDecision struct {
	Approved bool

	// Args are what an approved call is made with instead of what the model wrote; empty: nothing was edited.
	Args json.RawMessage

	// Reason may say why a call isn't approved. The model is told.
	Reason string
}

// decided takes a call on that a person has decided about. Arguments that the person wrote go through the same checks as
// those of the model. A hook that asks has its answer.
func (r *run) decided(ctx context.Context, n int, c core.ToolCall, d CallDecision) ruling {
	if !d.Approved {
		return ruling{refusal: rejectedCall(d.Reason)}
	}
	raw, edited := c.Args, len(d.Args) > 0
	if edited {
		raw = string(d.Args)
	}
	j, err := r.bindCall(n, c, raw)
	if err != nil {
		return ruling{refusal: err}
	}
	if j.why = AuditApproved; edited {
		j.why = AuditEdited
	}
	return ruling{job: j, refusal: r.cfg.Hooks.CheckCall(ctx, r.use(j))}
}

func rejectedCall(reason string) error {
	if reason == "" {
		return errors.New("not run: a person rejected the call")
	}
	return fmt.Errorf("not run: a person rejected the call: %s", reason)
}
