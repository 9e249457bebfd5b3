package build

import (
	"context"
	"errors"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/workflow"
)

// nodeConfig is what all types of nodes share.
func (b *builder) nodeConfig(at string, n *declarative.Node) workflow.NodeConfig {
	cfg := workflow.NodeConfig{
		Description:  n.Description,
		Retry:        b.retry(n.Retry),
		Timeout:      n.Timeout,
		MaxVisits:    n.MaxVisits,
		Blame:        blame(at, n),
		InputSchema:  b.validator(at+".input_schema", n.InputSchema),
		OutputSchema: b.validator(at+".output_schema", n.OutputSchema),
	}
	if p := b.program(n.Input); p != nil {
		cfg.Input = func(ctx *workflow.Context) (any, error) {
			value, err := p.Eval(ctx, activation(ctx, ctx.Input()))
			if err != nil {
				return nil, celError(err)
			}
			return value, nil
		}
	}
	return cfg
}

func (b *builder) retry(r *declarative.Retry) *workflow.RetryConfig {
	if r == nil {
		return nil
	}
	cfg := &workflow.RetryConfig{
		MaxAttempts:   r.MaxAttempts,
		InitialDelay:  r.InitialDelay,
		MaxDelay:      r.MaxDelay,
		BackoffFactor: r.BackoffFactor,
		Jitter:        r.Jitter,
	}
	if p := b.program(r.When); p != nil {
		cfg.When = func(ctx *workflow.Context, e *workflow.NodeError) (bool, error) {
			act := activation(ctx, ctx.Input())
			act.Error = failure(e)
			return evalBool(ctx, p, act)
		}
	}
	return cfg
}

// failure is the variable error of retry.when.
func failure(e *workflow.NodeError) *expr.Failure {
	return &expr.Failure{
		Message: e.Message, Type: e.Type, Code: string(e.Code), Attempt: e.Attempts,
		Timeout: e.Code == workflow.CodeTimeout || timedOut(e),
	}
}

// timedOut says whether err calls itself a timeout, as errors of the net package and of MCP servers do.
func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout() || errors.Is(err, context.DeadlineExceeded)
}

// validator compiles a JSON Schema for the engine; nil when the document has none there.
func (b *builder) validator(at string, schema declarative.Schema) workflow.Validator {
	if schema == nil {
		return nil
	}
	v, err := b.schemas.resolve(schema)
	if err != nil {
		b.report(at, diag.BadSchema, err.Error(), "")
		return nil
	}
	return v
}
