package agentkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// AnswerCache keeps answers by a key. It is safe for concurrent use. What it returns isn't changed.
type AnswerCache interface {
	// Get returns the answer of a key, or false.
	Get(ctx context.Context, key string) (core.Answer, bool, error)
	Put(ctx context.Context, key string, answer core.Answer) error
}

// CachedAnswers is [Middleware] that gives the answer to a request that was answered before from a cache, without the
// model. Nothing uses it by itself: a model that is asked the same twice may be meant to answer differently.
//
// The key is a digest of the model's name and of all that is sent. Kept are whole answers that came to their end by
// themselves and ask for no tools. A hit consumes nothing; it is marked by [core.Delta].Saved with what the answer had
// cost, counted in [Result].Saved, and noted in the log. A cache that fails is passed by, with a warning.
func CachedAnswers(cache AnswerCache) func(next core.Model) core.Model {
	return func(next core.Model) core.Model { return cachedModel{next, cache} }
}

type cachedModel struct {
	core.Model
	cache AnswerCache
}

// Price implements [core.Priced].
func (m cachedModel) Price(u core.Usage) (usd float64, known bool) { return core.PriceOf(m.Model, u) }

// Stream replays an answer that is kept, or keeps the one that the model gives.
func (m cachedModel) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		warn := func(err error) bool {
			return err == nil || yield(core.Delta{Kind: core.Warning, Text: fmt.Sprintf("the cache of answers: %v", err)}, nil)
		}
		key, err := answerKey(m.Name(), req)
		if err == nil {
			var answer core.Answer
			var hit bool
			if answer, hit, err = m.cache.Get(ctx, key); err == nil && hit {
				replay(answer, yield)
				return
			}
		}
		if !warn(err) {
			return
		}
		var c core.Collector
		whole := key != ""
		for d, failed := range m.Model.Stream(ctx, req) {
			whole = whole && failed == nil && c.Add(d) == nil
			if whole && d.Kind == core.Done && !warn(m.keep(ctx, key, req, &c)) {
				return
			}
			if !yield(d, failed) {
				return
			}
		}
	}
}

// keep stores an answer that is worth it.
func (m cachedModel) keep(ctx context.Context, key string, req *core.Request, c *core.Collector) error {
	answer, err := c.Answer()
	if err != nil || answer.Stop != core.StopEnd && answer.Stop != core.StopSequence {
		return err
	}
	for _, p := range answer.Parts {
		if _, calls := p.(core.ToolCall); calls {
			return nil
		}
	}
	if answer.Usage == (core.Usage{}) {
		answer.Usage = estimate(m.Model, req, &answer)
	}
	return m.cache.Put(ctx, key, answer)
}

// replay yields an answer in the pieces that [core.Collector] makes the same answer of.
func replay(a core.Answer, yield func(core.Delta, error) bool) {
	deltas := make([]core.Delta, 0, len(a.Warnings)+len(a.Parts)+1)
	for _, w := range a.Warnings {
		deltas = append(deltas, core.Delta{Kind: core.Warning, Text: w})
	}
	for _, p := range a.Parts {
		switch p := p.(type) {
		case core.Text:
			deltas = append(deltas, core.Delta{Kind: core.TextDelta, Text: p.Text, Signature: p.Signature})
		case core.Thinking:
			deltas = append(deltas, core.Delta{Kind: core.ThinkingDelta, Text: p.Text, Signature: p.Signature, Item: p.Item,
				Redacted: p.Redacted})
		}
	}
	for _, d := range append(deltas, core.Delta{Kind: core.Done, Stop: a.Stop, Model: a.Model, Saved: &a.Usage}) {
		if !yield(d, nil) {
			return
		}
	}
}

// answerKey is the digest of a request: of all that is sent, and nothing else.
func answerKey(model string, req *core.Request) (string, error) {
	all := []any{model, req.System, req.Tools, req.Generate, req.OutputSchema}
	for _, m := range req.Messages {
		all = append(all, m.Role, len(m.Parts))
		for _, p := range m.Parts {
			all = append(all, fmt.Sprintf("%T", p), p)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// savedNote marks an answer that was taken from a cache.
func (r *run) savedNote(saved core.Usage) journal.Note {
	n := r.note("answer-cached", fmt.Sprintf("the answer was taken from a cache; it had consumed %d tokens and cost %s US dollars",
		saved.Tokens(), amount(saved.Cost)))
	n.Data = map[string]any{"tokens": saved.Tokens(), "cost_usd": saved.Cost}
	return n
}
