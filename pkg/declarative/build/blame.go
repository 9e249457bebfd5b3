package build

import (
	"errors"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow"
)

// blame says which field of the node at a path a failure comes from that names none itself.
func blame(at string, n *declarative.Node) func(workflow.Code) string {
	field := func(name string, written bool) string {
		if !written {
			return at
		}
		return at + "." + name
	}
	return func(code workflow.Code) string {
		switch code {
		case workflow.CodeTimeout:
			return field("timeout", n.Timeout > 0)
		case workflow.CodeInputSchema:
			return field("input_schema", n.InputSchema != nil)
		case workflow.CodeOutputSchema:
			return field("output_schema", n.OutputSchema != nil)
		case workflow.CodeLimit:
			return field("max_visits", n.MaxVisits > 0)
		default:
			return bodyBlame(at, n.Body, code)
		}
	}
}

// bodyBlame is blame for what the type of the node has to do with.
func bodyBlame(at string, body declarative.Body, code workflow.Code) string {
	switch body := body.(type) {
	case *declarative.CEL:
		switch {
		case code == workflow.CodeReservedRoute && body.Route.Text() != "":
			return at + ".route"
		case code == workflow.CodeStateSchema:
			return at + ".state_delta"
		}
	case *declarative.LLM:
		if code == workflow.CodeStateSchema && body.OutputKey != "" {
			return at + ".output_key"
		}
	case *declarative.Function, *declarative.Dynamic:
		return at + ".function"
	case *declarative.HITL:
		if code == workflow.CodeDeadline {
			return at + ".deadline"
		}
	}
	return at
}

// blameAgent says which field of an agent a failure comes from that names none itself.
func blameAgent(a *declarative.Agent) func(workflow.Code) string {
	at := agentPath(a.Name)
	return func(code workflow.Code) string {
		if code == workflow.CodeStateSchema && a.LLM != nil && a.LLM.OutputKey != "" {
			return at + ".output_key"
		}
		return at
	}
}

// field is the field of an agent that a failure of its own comes from; "" when that is none of a single one.
func (a *llmAgent) field(err error) string {
	if limit, ok := errors.AsType[*agentkit.LimitError](err); ok {
		return a.at + ".limits." + limit.Limit
	}
	if prompt, ok := errors.AsType[*agentkit.PromptError](err); ok {
		return a.at + "." + prompt.Field
	}
	switch {
	case errors.As(err, new(*agentkit.OutputError)):
		return a.at + ".output_schema"
	case errors.As(err, new(*agentkit.ModelError)):
		return a.at + ".model"
	default:
		return ""
	}
}
