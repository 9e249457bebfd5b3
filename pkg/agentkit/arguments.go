package agentkit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// CutCall is what a model reads as the result of a call in an answer that was cut off by the output limit.
const CutCall = "not run: the answer was cut off at the output limit, so the arguments may be incomplete. " +
	"Make the call again, in smaller pieces if it is long"

// job is a call that may run.
type job struct {
	n    int // place of the call in its message
	tool *boundTool
	call core.Call
	why  AuditDecision
}

// prepare takes a call through the checks between the model and the tool: the tool exists, the arguments are an object
// and fit the tool's schema, no hook rejects, and nobody has to be asked. A refusal is told to the model, with what would
// be right.
func (r *run) prepare(ctx context.Context, n int, c core.ToolCall) ruling {
	j, err := r.bindCall(n, c, c.Args)
	if err != nil {
		return ruling{refusal: err}
	}
	use := r.use(j)
	switch v := judgeAll(ctx, r.cfg.Hooks.BeforeTool, use); v.Decision {
	case Reject:
		return ruling{refusal: errors.New(v.Text)}
	case Ask:
		return ruling{job: j, asks: true, message: v.Text}
	default:
		return ruling{job: j, asks: r.cfg.Approval != nil && r.cfg.Approval(use)}
	}
}

// bindCall makes a job of a call, if its tool exists and the arguments fit.
func (r *run) bindCall(n int, c core.ToolCall, raw string) (job, error) {
	tool, ok := r.tools[c.Name]
	if !ok {
		return job{}, r.unknownTool(c.Name)
	}
	args, err := arguments(tool, raw)
	if err != nil {
		return job{}, err
	}
	return job{n: n, tool: tool, call: r.call(n, c, args), why: AuditAllowed}, nil
}

// use is a call as hooks see it.
func (r *run) use(j job) ToolUse { return ToolUse{Agent: r.cfg.Name, Spec: j.tool.spec, Call: j.call} }

// call makes the call that a tool sees.
func (r *run) call(n int, c core.ToolCall, args json.RawMessage) core.Call {
	call := core.Call{ID: c.ID, Name: c.Name, Args: args, Turn: r.turn + 1, Place: n + 1, Transcript: r.prompt()}
	if r.in.Key != nil {
		call.Key = r.in.Key(c.ID)
	}
	return call
}

func (r *run) unknownTool(name string) error {
	if len(r.specs) == 0 {
		return fmt.Errorf("there is no tool %q: no tools are available", name)
	}
	names := make([]string, len(r.specs))
	for i, s := range r.specs {
		names[i] = s.Name
	}
	return fmt.Errorf("there is no tool %q; the tools are: %s", name, strings.Join(names, ", "))
}

// arguments checks the bytes that the model wrote and returns them unchanged. No bytes at all stand for no arguments.
func arguments(tool *boundTool, raw string) (json.RawMessage, error) {
	args := json.RawMessage(raw)
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	if err := jsonx.CheckObject(args); err != nil {
		return nil, fmt.Errorf("not run: the arguments of %s are not a JSON object: %w", tool.spec.Name, err)
	}
	if tool.check == nil {
		return args, nil
	}
	if err := tool.check(args); err != nil {
		return nil, fmt.Errorf("not run: the arguments of %s don't fit its schema: %w", tool.spec.Name, err)
	}
	return args, nil
}
