package build

import (
	"time"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/workflow"
)

// question is a hitl node with its programs.
type question struct {
	literal  string
	message  *expr.Program // nil: the literal
	payload  *expr.Program
	schema   declarative.Schema
	deadline time.Duration
}

// hitlNode makes a node that asks a person, whose answer is its output.
func (b *builder) hitlNode(at string, n *declarative.Node, body *declarative.HITL) workflow.Node {
	b.needsPeople(at+".type", "a node of type hitl")
	q := &question{literal: body.Message.Literal, message: b.program(body.Message.Expr), payload: b.program(body.Payload),
		schema: body.ResponseSchema, deadline: body.Deadline}
	b.validator(at+".response_schema", body.ResponseSchema)
	cfg := b.nodeConfig(at, n)
	cfg.Pure = true
	if body.OnDeadline != nil {
		cfg.OnDeadline = b.onDeadline(body.OnDeadline)
	}
	return workflow.NewNode(n.ID, q.ask, cfg)
}

// ask evaluates the question.
func (q *question) ask(ctx *workflow.Context, input any) (workflow.Result, error) {
	act := activation(ctx, input)
	asked := workflow.Question{Message: q.literal, Schema: q.schema, Deadline: q.deadline}
	if q.message != nil {
		value, err := q.message.Eval(ctx, act)
		if err != nil {
			return workflow.Result{}, celError(err)
		}
		asked.Message, _ = value.(string)
	}
	if q.payload != nil {
		var err error
		if asked.Payload, err = q.payload.Eval(ctx, act); err != nil {
			return workflow.Result{}, celError(err)
		}
	}
	return workflow.Result{}, workflow.RequestInput(asked)
}

// onDeadline makes what happens when nobody answers in time.
func (b *builder) onDeadline(d *declarative.OnDeadline) func(*workflow.Context) (workflow.Result, error) {
	output := b.program(d.Output)
	return func(ctx *workflow.Context) (workflow.Result, error) {
		if output == nil {
			return workflow.Result{Routes: []string{d.Route}}, nil
		}
		value, err := output.Eval(ctx, activation(ctx, ctx.Input()))
		if err != nil {
			return workflow.Result{}, celError(err)
		}
		return workflow.Result{Output: value}, nil
	}
}
