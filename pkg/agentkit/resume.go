package agentkit

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
	"github.com/plait-dev/plait/pkg/journal"
)

// UnknownOutcome is what a model reads as the result of a call that may or may not have had its effect.
const UnknownOutcome = "outcome unknown, the process died or was stopped while this call was running: " +
	"it may have taken effect or not. Find out before you make it again"

// resume puts the prompt together and settles the turn that was under way when the last process ended. It returns the
// result when the run had already come to its end.
func (r *run) resume(ctx context.Context) (*Result, error) {
	visible := session.Reader{Agent: r.cfg.Name}.Select(r.in.History, r.in.View)
	if r.in.Input != "" {
		visible = append(visible, core.UserMessage(r.in.Input))
	}
	done, open := r.replay()
	r.show(append(visible, done...)...)
	if open == nil {
		return nil, nil
	}
	if len(open.calls) == 0 {
		msg := open.message()
		r.show(msg)
		if core.StopReason(msg.Stop) == core.StopPaused {
			return nil, nil
		}
		res := r.result(msg, core.StopReason(msg.Stop))
		if res.Stop != core.StopRejected {
			res.Output, _ = r.checkOutput(res.Text) // it fitted when it was committed
		}
		return res, nil
	}
	r.turn--
	r.open = open
	return r.settle(ctx, open)
}

// replay takes the committed turns into account. It returns their messages, and apart from them the last turn, unless
// what follows it shows that it had been dealt with.
func (r *run) replay() (done []core.Message, open *openTurn) {
	last := -1
	for _, rec := range r.in.Progress {
		switch rec := rec.(type) {
		case journal.Msg:
			r.account(rec)
			switch rec.Role {
			case core.RoleModel:
				last = len(done)
				open = newOpenTurn(rec)
				r.turn++
			case core.RoleUser:
				r.told = r.corrected(rec, open)
				if open != nil && !open.answered() {
					open.heard = append(open.heard, rec)
				} else {
					open = nil
				}
			case core.RoleTool:
				open.put(rec)
			default: // no other role comes from an agent
			}
			done = append(done, rec)
		case journal.Call:
			if open != nil {
				open.start(rec)
			}
		}
	}
	if open != nil {
		done = done[:last]
	}
	return done, open
}

// corrected reports whether the answer that the model is to give next is a second one: it was told that the first doesn't
// fit. A person's message behind an answer asks for a new one.
func (r *run) corrected(m core.Message, open *openTurn) bool {
	if m.Author == r.cfg.Name {
		return true
	}
	answered := open != nil && len(open.calls) == 0
	return r.told && !answered
}

// settle answers the calls of the open turn that have no result. A call without an intent never began and goes through
// all checks again, or is what a person has decided about. One with an intent was checked, and may have had its effect:
// it is made again only when its tool says that this does no harm.
func (r *run) settle(ctx context.Context, open *openTurn) (*Result, error) {
	for n, c := range open.calls {
		if !open.has(n) {
			r.rule(open, n, r.again(ctx, n, c, open.intents))
		}
	}
	if err := r.begin(ctx, open, nil, nil); err != nil {
		return nil, err
	}
	return r.close(ctx, open)
}

// again decides about one call that has no result.
func (r *run) again(ctx context.Context, n int, c core.ToolCall, intents map[string]journal.Call) ruling {
	if intent, begun := intents[c.ID]; begun {
		return r.repeat(n, c, intent)
	}
	if r.in.Decision != nil {
		if d, decided := r.in.Decision(c.ID); decided {
			return r.decided(ctx, n, c, d)
		}
	}
	return r.prepare(ctx, n, c)
}

// repeat makes a call again that may have had its effect, if that does no harm.
func (r *run) repeat(n int, c core.ToolCall, intent journal.Call) ruling {
	tool, ok := r.tools[c.Name]
	if !ok || !intent.ReadOnly || !tool.spec.Repeatable() {
		return ruling{refusal: errors.New(UnknownOutcome)}
	}
	if intent.Args != "" {
		return ruling{begun: true,
			job: job{n: n, tool: tool, call: r.call(n, c, json.RawMessage(intent.Args)), why: AuditRepeated}}
	}
	j, err := r.bindCall(n, c, c.Args)
	j.why = AuditRepeated
	return ruling{job: j, refusal: err, begun: true}
}
