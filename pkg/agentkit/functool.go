package agentkit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/schema"
)

// NewTool makes a tool of a function whose arguments are a struct. The input schema is that of the struct, see
// [schema.Of]; spec says the rest and has none. Arguments are held against it before the function is called, whether the
// agent has [Config].Schemas or not, and the model is told what doesn't fit.
func NewTool[In any](
	spec core.Spec, run func(ctx context.Context, call core.Call, in In) (core.Result, error),
) (core.Tool, error) {
	object, err := schema.Of[In]()
	switch {
	case err != nil:
		return nil, fmt.Errorf("tool %s: %w", spec.Name, err)
	case len(spec.InputSchema) > 0:
		return nil, fmt.Errorf("tool %s: InputSchema is set, and the struct has a schema", spec.Name)
	case run == nil:
		return nil, fmt.Errorf("tool %s: there is no function", spec.Name)
	}
	spec.InputSchema = schema.JSON(object)
	return funcTool[In]{spec, object, run}, nil
}

type funcTool[In any] struct {
	spec   core.Spec
	object schema.ObjectSchema
	run    func(ctx context.Context, call core.Call, in In) (core.Result, error)
}

// Spec returns what the function's arguments and the caller of [NewTool] say.
func (t funcTool[In]) Spec() core.Spec { return t.spec }

// Run calls the function.
func (t funcTool[In]) Run(ctx context.Context, call core.Call) (core.Result, error) {
	err := schema.Check(t.object, call.Args)
	var in In
	if err == nil {
		err = json.Unmarshal(call.Args, &in)
	}
	if err != nil {
		return core.Result{}, fmt.Errorf("not run: the arguments of %s don't fit its schema: %w", call.Name, err)
	}
	return t.run(ctx, call, in)
}
