package intake

import (
	"errors"
	"fmt"
	"log/slog"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Environment is what a config names and doesn't hold. The zero value has no Go parts, no variables and no workspaces.
type Environment struct {
	// Functions, Schedulers, Tools and Hooks are the registered Go parts.
	Functions  map[string]build.Function
	Schedulers map[string]build.Scheduler
	Tools      map[string]core.Tool
	Hooks      map[string]build.Hook

	// LookupEnv reads the variables that the config names; nil has none.
	LookupEnv func(name string) (string, bool)

	// WorkspaceDir is the folder that the file tools of a session work in; it is made if need be. Nil means that there
	// are no workspaces, and that a document which lists file tools is refused.
	WorkspaceDir func(session string) string

	// People says that runs which wait for a person can be answered; without it a document that asks is refused.
	People bool

	// AllowStdio lets the config start MCP servers as child processes, which is for laptops.
	AllowStdio bool

	// Between stands between the models and their vendors, see [provider.ClientOptions]; nil lets everything pass. NoKeys says
	// that no vendor is behind it, so that models do without keys that aren't there.
	Between provider.Between
	NoKeys  bool

	// Logger gets warnings about MCP servers; nil discards them.
	Logger *slog.Logger
}

// System is a config that was taken in. It is safe for concurrent use, and closed by its owner.
type System struct {
	*build.System
	document   *declarative.Checked
	config     *adkconfigv1.AgentConfig
	pool       *mcp.Pool
	workspaces *workspaces
	clients    clients
}

// New takes a config in. It connects nothing. Findings are about the document, in its canonical form and so without
// lines; the error is about everything else in the config. When either says that something is wrong there is no system;
// both say so when both are.
func New(config []byte, env Environment) (*System, diag.List, error) {
	cfg, err := decode(config)
	if err != nil {
		return nil, nil, err
	}
	t := &taking{cfg: cfg, env: env, clients: clients{}}
	return t.system()
}

// decode reads a config whose document is the one that was validated.
func decode(config []byte) (*adkconfigv1.AgentConfig, error) {
	cfg, err := adkconfigv1.Unmarshal(config)
	if err != nil {
		return nil, err
	}
	if err := cfg.GetWorkflow().Verify(); err != nil {
		return nil, fmt.Errorf("agent config: %w", err)
	}
	return cfg, nil
}

// taking is one call of [New].
type taking struct {
	cfg     *adkconfigv1.AgentConfig
	env     Environment
	clients clients
}

func (t *taking) system() (*System, diag.List, error) {
	models, err := t.models()
	doc, found := declarative.Load("document", []byte(t.cfg.GetWorkflow().GetDocumentJson()))
	if found.HasErrors() {
		return nil, found, err
	}
	checked, found := declarative.Validate(doc, Validation(t.cfg, t.env))
	pool, poolErr := t.pool(doc)
	err = errors.Join(err, poolErr)
	if found.HasErrors() {
		return nil, found, errors.Join(err, closePool(pool))
	}
	spaces := &workspaces{dir: t.env.WorkspaceDir}
	sys, more := build.Build(checked, build.Options{
		Functions:        t.env.Functions,
		Schedulers:       t.env.Schedulers,
		People:           t.env.People,
		Tools:            t.env.Tools,
		Hooks:            t.env.Hooks,
		Models:           models,
		Retry:            t.retry(),
		MaxTurns:         int(t.cfg.GetPolicy().GetMaxLimits().GetMaxTurns()),
		CostLimited:      t.cfg.GetPolicy().GetMaxLimits().GetMaxCostUsd() > 0,
		Servers:          pool,
		HarnessToolNames: t.harnessTools(),
		HarnessTools:     spaces.tools,
	})
	found = append(found, more...)
	if sys == nil || err != nil {
		return nil, found, errors.Join(err, closePool(pool))
	}
	return &System{System: sys, document: checked, config: t.cfg, pool: pool, workspaces: spaces, clients: t.clients}, found, nil
}

func closePool(p *mcp.Pool) error {
	if p == nil {
		return nil
	}
	return p.Close()
}

// Config is what was taken in. It isn't to be changed.
func (s *System) Config() *adkconfigv1.AgentConfig { return s.config }

// Document is the document that runs, and Root the agent of it that they start with. Neither is to be changed.
func (s *System) Document() (doc *declarative.Document, root *declarative.Agent) {
	return s.document.Document, s.document.Root
}

// Outline describes the document to the views of its runs.
func (s *System) Outline() Outline { return outlineOf(s.document) }

// Limits are those of every run: the document's, and where the config's policy allows less, the policy's.
func (s *System) Limits() workflow.Limits {
	return withinMaxLimits(s.System.Limits(), s.config.GetPolicy().GetMaxLimits())
}

// Release gives back what is held open for a session. It is called between the runs of the session, never during one.
func (s *System) Release(session string) error { return s.workspaces.release(session) }

// Close ends the sessions with MCP servers, with the processes that are children, and the connections to models that
// nobody uses, and gives the workspaces back.
func (s *System) Close() error {
	s.clients.close()
	return errors.Join(s.pool.Close(), s.workspaces.close())
}
