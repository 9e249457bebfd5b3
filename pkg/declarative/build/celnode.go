package build

import (
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/workflow"
)

// celBody is a cel node with its programs.
type celBody struct {
	vars   []celVar
	output *expr.Program // nil: the input passes through
	route  *expr.Program // nil: rules decide
	rules  []celRule
	state  []celNamed

	escalate *expr.Program // nil: never
}

type celVar struct {
	name    string
	program *expr.Program
}

type celRule struct {
	route string
	when  *expr.Program
}

type celNamed struct {
	name    string
	program *expr.Program
}

func (b *builder) celNode(at string, n *declarative.Node, body *declarative.CEL) workflow.Node {
	c := &celBody{output: b.program(body.Output), route: b.program(body.Route), state: b.named(body.StateDelta),
		escalate: b.program(body.Escalate)}
	for _, v := range body.Vars {
		c.vars = append(c.vars, celVar{v.Name, b.program(v.Expr)})
	}
	for _, r := range body.Routes {
		c.rules = append(c.rules, celRule{r.Route, b.program(r.When)})
	}
	cfg := b.nodeConfig(at, n)
	cfg.Pure = true
	return workflow.NewNode(n.ID, c.run, cfg)
}

// run evaluates the node in the order vars, output, route, state, escalate.
func (c *celBody) run(ctx *workflow.Context, input any) (workflow.Result, error) {
	act := activation(ctx, input)
	if len(c.vars) > 0 {
		act.Vars = make(map[string]any, len(c.vars))
	}
	for _, v := range c.vars {
		value, err := v.program.Eval(ctx, act)
		if err != nil {
			return workflow.Result{}, celError(err)
		}
		act.Vars[v.name] = value
	}
	result := workflow.Result{Output: input}
	var err error
	if c.output != nil {
		if result.Output, err = c.output.Eval(ctx, act); err != nil {
			return workflow.Result{}, celError(err)
		}
	}
	if result.Routes, err = c.routes(ctx, act); err != nil {
		return workflow.Result{}, celError(err)
	}
	if result.State, err = evalNamed(ctx, act, c.state); err != nil {
		return workflow.Result{}, celError(err)
	}
	if c.escalate != nil {
		if result.Escalate, err = evalBool(ctx, c.escalate, act); err != nil {
			return workflow.Result{}, celError(err)
		}
	}
	return result, nil
}

// routes gives the value of the route expression, or the route of the first rule that holds.
func (c *celBody) routes(ctx *workflow.Context, act *expr.Activation) ([]string, error) {
	if c.route != nil {
		value, err := c.route.Eval(ctx, act)
		routes, _ := value.([]string)
		return routes, err
	}
	for _, r := range c.rules {
		holds, err := evalBool(ctx, r.when, act)
		if err != nil {
			return nil, err
		}
		if holds {
			return []string{r.route}, nil
		}
	}
	return nil, nil
}

func (b *builder) named(list []declarative.Named) []celNamed {
	out := make([]celNamed, 0, len(list))
	for _, n := range list {
		out = append(out, celNamed{n.Name, b.program(n.Expr)})
	}
	return out
}

// evalNamed evaluates expressions under names; nil when there are none.
func evalNamed(ctx *workflow.Context, act *expr.Activation, list []celNamed) (map[string]any, error) {
	if len(list) == 0 {
		return nil, nil
	}
	values := make(map[string]any, len(list))
	for _, n := range list {
		value, err := n.program.Eval(ctx, act)
		if err != nil {
			return nil, err
		}
		values[n.name] = value
	}
	return values, nil
}
