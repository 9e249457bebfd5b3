package provider

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// Failover returns a model that asks the others in turn when the one before can't answer: it isn't reached, is overloaded or
// limited, or the account isn't in order. A request that is refused for what it says is refused by all of them, and an
// answer that began is never replaced by another one. A stand-in is told in a warning and in [core.Delta].Model.
func Failover(first core.Model, others ...core.Model) core.Model {
	return failover{first: first, others: others}
}

type failover struct {
	first  core.Model
	others []core.Model
}

// Name returns the name of the first model.
func (f failover) Name() string { return f.first.Name() }

// Price implements [core.Priced]. It is that of the first model, and known when those of all are.
func (f failover) Price(u core.Usage) (usd float64, known bool) {
	usd, known = core.PriceOf(f.first, u)
	for _, m := range f.others {
		_, too := core.PriceOf(m, u)
		known = known && too
	}
	return usd, known
}

// Stream asks the models in turn.
func (f failover) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	return func(yield func(core.Delta, error) bool) {
		err := f.relay(f.first.Stream(ctx, req), "", yield)
		for _, m := range f.others {
			if err == nil || ctx.Err() != nil || !mayAnother(err) {
				break
			}
			told := core.Delta{Kind: core.Warning, Text: fmt.Sprintf("the model %s stands in: %v", m.Name(), err)}
			if !yield(told, nil) {
				return
			}
			own := *req
			own.Messages = session.Repair(req.Messages, m.Name()) // the reasoning of another model is none of its own
			err = f.relay(m.Stream(ctx, &own), m.Name(), yield)
		}
		if err != nil {
			yield(core.Delta{}, err)
		}
	}
}

// relay hands an answer on. An error that it returns may be mended by another model or has to be told; nil says that
// everything was handed on, be it an error.
func (f failover) relay(stream iter.Seq2[core.Delta, error], name string, yield func(core.Delta, error) bool) error {
	begun := false
	for d, err := range stream {
		switch {
		case err != nil && begun:
			yield(core.Delta{}, err)
			return nil
		case err != nil:
			return err
		}
		if d.Kind == core.Done {
			d.Model = name
		}
		begun = begun || d.Kind != core.Warning
		if !yield(d, nil) {
			return nil
		}
	}
	if !begun {
		return core.ErrCutStream
	}
	return nil
}

// mayAnother reports whether another model may answer what this one didn't.
func mayAnother(err error) bool {
	if pe, ok := errors.AsType[*core.ProviderError](err); ok && (pe.Class == core.ClassAuth || pe.Class == core.ClassQuota) {
		return true
	}
	return core.Transient(err)
}
