package faux

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Model answers from a script. It is immutable.
type Model struct {
	name  string
	rules []rule
}

var _ core.Model = (*Model)(nil)

// New makes a model of a script. The error names everything that is wrong with it.
func New(name string, script Script) (*Model, error) {
	rules, err := script.compile()
	if err != nil {
		return nil, fmt.Errorf("script of model %s: %w", name, err)
	}
	return &Model{name: name, rules: rules}, nil
}

// Name returns the name given to [New].
func (m *Model) Name() string { return m.name }

// Price implements [core.Priced]: beside what a script says that a call costs, scripts are free.
func (m *Model) Price(core.Usage) (usd float64, known bool) { return 0, true }

// Stream yields the scripted answer. A request that the script has no turn for is a *[NoTurnError].
func (m *Model) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		f := look(req, m.name)
		turn, groups := m.find(&f)
		if turn == nil {
			yield(core.Delta{}, noTurn(m.rules, &f))
			return
		}
		if !wait(ctx, time.Duration(turn.Delay)) {
			yield(core.Delta{}, context.Cause(ctx))
			return
		}
		fault := turn.Fault
		if fault != nil && fault.Attempts > 0 && req.Attempt > fault.Attempts {
			fault = nil
		}
		for i, d := range turn.deltas(&f, groups) {
			if fault != nil && i >= fault.After {
				break
			}
			if ctx.Err() != nil {
				yield(core.Delta{}, context.Cause(ctx))
				return
			}
			if !yield(d, nil) {
				return
			}
		}
		fault.happen(ctx, yield)
	}
}

// find returns the turn that answers, or nil.
func (m *Model) find(f *facts) (*Turn, []string) {
	if len(m.rules) == 0 {
		return &Turn{Text: fmt.Sprintf("This is the scripted model %s, and no script is set. The last message was: %s",
			m.name, short(f.user))}, nil
	}
	for i := range m.rules {
		if t, groups := m.rules[i].turn(f); t != nil {
			return t, groups
		}
	}
	return nil, nil
}

// happen ends a stream in the way of the fault; without one it does nothing.
func (f *Fault) happen(ctx context.Context, yield func(core.Delta, error) bool) {
	switch {
	case f == nil, f.Kind == FaultCut:
	case f.Kind == FaultHang:
		<-ctx.Done()
		yield(core.Delta{}, context.Cause(ctx))
	default:
		message := f.Message
		if message == "" {
			message = "the script says so"
		}
		yield(core.Delta{}, &core.ProviderError{Status: f.Status, Type: f.Type, Message: message})
	}
}

// wait lets time pass and reports whether it did.
func wait(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// deltas returns the pieces of a whole answer.
func (t *Turn) deltas(f *facts, groups []string) []core.Delta {
	fill := filler(f, groups)
	var out []core.Delta
	for _, piece := range t.chunks(t.Thinking) {
		out = append(out, core.Delta{Kind: core.ThinkingDelta, Text: piece})
	}
	if t.Signature != "" {
		out = append(out, core.Delta{Kind: core.ThinkingDelta, Signature: t.Signature})
	}
	for _, piece := range t.chunks(fill.Replace(t.Text)) {
		out = append(out, core.Delta{Kind: core.TextDelta, Text: piece})
	}
	for i, c := range t.Calls {
		id := c.ID
		if id == "" {
			id = fmt.Sprintf("c%d", f.calls+i+1)
		}
		out = append(out, core.Delta{Kind: core.CallStart, Index: i, ID: id, Name: c.Name})
		for _, piece := range t.chunks(c.arguments(f, groups)) {
			out = append(out, core.Delta{Kind: core.CallDelta, Index: i, Text: piece})
		}
	}
	return append(out, t.end(f, out))
}

// end is the terminal event.
func (t *Turn) end(f *facts, out []core.Delta) core.Delta {
	d := core.Delta{Kind: core.Done, Stop: t.Stop}
	if d.Stop == "" {
		d.Stop = core.StopEnd
		if len(t.Calls) > 0 {
			d.Stop = core.StopToolUse
		}
	}
	if u := t.Usage; u != nil {
		d.Usage = core.Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Cost: u.Cost}
		return d
	}
	var text strings.Builder
	for _, o := range out {
		text.WriteString(o.Text)
	}
	d.Usage = core.EstimateUsage(f.req, &core.Answer{Parts: []core.Part{core.Text{Text: text.String()}}})
	return d
}

// arguments returns the bytes of the arguments.
func (c Call) arguments(f *facts, groups []string) string {
	var bytes string
	if len(c.Args) > 0 && c.Args[0] == '"' && json.Unmarshal(c.Args, &bytes) == nil {
		return filler(f, groups).Replace(bytes)
	}
	return quotedFiller(f, groups).Replace(string(c.Args))
}

// chunks cuts a text into the pieces that come at a time.
func (t *Turn) chunks(text string) []string {
	size := t.Chunk
	if size == 0 {
		size = 16
	}
	var out []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(size, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}
