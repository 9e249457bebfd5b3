package agentkit

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

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
		visible = append(slices.Clip(visible), core.UserMessage(r.in.Input))
	}
	done, open := r.replay()
	r.show(append(slices.Clip(visible), done...)...)
	if open == nil {
		return nil, nil
	}
	if len(open.calls) == 0 {
		res := r.result(open.msg, core.StopReason(open.msg.Stop))
		if res.Stop != core.StopRejected {
			res.Output, _ = r.checkOutput(res.Text) // it fitted when it was committed
		}
		return res, nil
	}
	r.turn--
	return r.settle(ctx, open)
}

// openTurn is the last committed message of the model, when nothing of a later turn follows it.
type openTurn struct {
	msg     core.Message
	calls   []core.ToolCall
	results []core.Message          // by call; without parts where there is none
	intents map[string]journal.Call // by call id
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
				calls := core.CallsOf(rec)
				open = &openTurn{msg: rec, calls: calls, results: make([]core.Message, len(calls)),
					intents: map[string]journal.Call{}}
				r.turn++
			case core.RoleUser: // the model was told that its answer doesn't fit
				r.told, open = true, nil
			case core.RoleTool:
				open.take(rec)
			default: // no other role comes from an agent
			}
			done = append(done, rec)
		case journal.Call:
			if open != nil {
				open.intents[rec.ID] = rec
			}
		}
	}
	if open != nil {
		done = done[:last]
	}
	return done, open
}

// take puts a result to its call.
func (o *openTurn) take(m core.Message) {
	res, ok := core.ResultOf(m)
	if o == nil || !ok {
		return
	}
	for n, c := range o.calls {
		if c.ID == res.ID && len(o.results[n].Parts) == 0 {
			o.results[n] = m
			return
		}
	}
}

// settle answers the calls of the open turn that have no result. A call without an intent never began and goes through
// all checks again. One with an intent was checked, and may have had its effect: it is made again only when its tool
// says that this does no harm.
func (r *run) settle(ctx context.Context, open *openTurn) (*Result, error) {
	var jobs []job
	var recs []journal.Record
	for n, c := range open.calls {
		if len(open.results[n].Parts) > 0 {
			continue
		}
		intent, begun := open.intents[c.ID]
		j, refusal := r.again(ctx, n, c, intent, begun)
		if refusal != nil {
			open.results[n] = r.refuse(c, refusal)
			recs = append(recs, open.results[n])
			continue
		}
		jobs = append(jobs, j)
		if !begun {
			recs = append(recs, r.intent(j))
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(recs) > 0 {
		if err := r.commit(ctx, recs); err != nil {
			return nil, err
		}
	}
	return r.runBatch(ctx, open.msg, jobs, open.results)
}

// again decides about one call that has no result.
func (r *run) again(ctx context.Context, n int, c core.ToolCall, intent journal.Call, begun bool) (job, error) {
	if !begun {
		return r.prepare(ctx, n, c)
	}
	tool, ok := r.tools[c.Name]
	if !ok || !intent.ReadOnly || !tool.spec.Repeatable() {
		return job{}, errors.New(UnknownOutcome)
	}
	args, err := arguments(tool, c.Args)
	if intent.Args != "" {
		args, err = json.RawMessage(intent.Args), nil
	}
	return job{n: n, tool: tool, call: r.call(c, args)}, err
}
