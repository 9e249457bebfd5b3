package agentkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Config describes an agent. What it points to isn't changed after it was given to [New].
type Config struct {
	// Name is the author of the agent's messages.
	Name string

	// Model answers.
	Model core.Model

	// GlobalInstruction and Instruction make the system prompt, in this order and before the guidelines of the tools.
	// Both may hold placeholders: {key} and {key?} for the session's state, {artifact.name} for an artifact.
	GlobalInstruction string
	Instruction       string

	// Tools are offered to the model in this order. Their names are unique.
	Tools []core.Tool

	// Hooks are rules around model and tools.
	Hooks Hooks

	// Middleware is code around the calls of model and tools.
	Middleware Middleware

	// Approval says which calls wait for a person's decision, see [ApprovalError]; nil means none. Like the hooks before
	// tools, after which it is asked, it judges calls that passed the checks of their arguments.
	Approval func(ToolUse) bool

	// Audit is the trail of the agent's calls; nil keeps none.
	Audit *Audit

	// Generate holds the sampling settings of every model call.
	Generate core.Generate

	// Retry says how often the model is asked again when a call fails; the zero value asks once.
	Retry Retry

	// Schemas checks the arguments of tools and the answer. Without it, arguments are only checked to be an object.
	Schemas Schemas

	// OutputSchema is the JSON Schema of the answer; empty for an answer in free text. It needs Schemas.
	OutputSchema json.RawMessage

	// Limits bound a run. One that reaches them fails with a *[LimitError].
	Limits Limits

	// Stop says behind which turn a run ends although the model asks for tools, see [AnyOf]; nil never does.
	Stop StopPolicy
}

// Agent is an agent ready to run. It is immutable, and any number of runs may use it at the same time.
type Agent struct {
	cfg    Config
	system systemPrompt
	tools  map[string]*boundTool
	specs  []core.Spec
	output Check
}

// boundTool is a tool of an agent with what was derived from it.
type boundTool struct {
	core.Tool
	spec  core.Spec
	check Check // nil: not checked
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// New checks a configuration and makes an agent of it. The error names everything that is wrong.
func New(cfg Config) (*Agent, error) {
	a := &Agent{cfg: cfg, tools: make(map[string]*boundTool, len(cfg.Tools))}
	var errs []error
	switch cfg.Name {
	case "":
		errs = append(errs, errors.New("an agent needs a name"))
	case "user": // the author of what persons say
		errs = append(errs, errors.New(`an agent can't be called "user"`))
	}
	if a.cfg.Model = cfg.Middleware.model(cfg.Model); a.cfg.Model == nil {
		errs = append(errs, fmt.Errorf("agent %s: no model is given", cfg.Name))
	}
	if err := cfg.Limits.check(); err != nil {
		errs = append(errs, fmt.Errorf("agent %s: %w", cfg.Name, err))
	}
	if err := cfg.Audit.check(); err != nil {
		errs = append(errs, fmt.Errorf("agent %s: %w", cfg.Name, err))
	}
	if cfg.Limits.MaxTurns == 0 {
		a.cfg.Limits.MaxTurns = DefaultMaxTurns
	}
	for i, t := range cfg.Tools {
		if err := a.bind(i, t); err != nil {
			errs = append(errs, fmt.Errorf("agent %s: %w", cfg.Name, err))
		}
	}
	if err := a.bindOutput(); err != nil {
		errs = append(errs, fmt.Errorf("agent %s: output_schema: %w", cfg.Name, err))
	}
	a.system = newSystemPrompt(cfg, a.specs)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return a, nil
}

// Name returns the agent's name.
func (a *Agent) Name() string { return a.cfg.Name }

// bind takes a tool over into the agent.
func (a *Agent) bind(i int, t core.Tool) error {
	if t = a.cfg.Middleware.tool(t); t == nil {
		return fmt.Errorf("tool %d is nil", i)
	}
	b := &boundTool{Tool: t, spec: t.Spec()}
	name := b.spec.Name
	if !toolName.MatchString(name) {
		return fmt.Errorf("tool name %q: 1 to 64 letters, digits, _ and - are allowed", name)
	}
	if _, taken := a.tools[name]; taken {
		return fmt.Errorf("two tools are called %q", name)
	}
	a.tools[name] = b
	a.specs = append(a.specs, b.spec)
	if a.cfg.Schemas == nil || len(b.spec.InputSchema) == 0 {
		return nil
	}
	check, err := a.cfg.Schemas.Compile(b.spec.InputSchema)
	if err != nil {
		return fmt.Errorf("the input schema of tool %s: %w", name, err)
	}
	b.check = check
	return nil
}

func (a *Agent) bindOutput() (err error) {
	switch {
	case len(a.cfg.OutputSchema) == 0:
		return nil
	case a.cfg.Schemas == nil:
		return errors.New("there is nothing to check it with: Schemas isn't set")
	}
	a.output, err = a.cfg.Schemas.Compile(a.cfg.OutputSchema)
	return err
}
