package intake

import (
	"errors"
	"fmt"
	"log/slog"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Environment is what a config names and doesn't hold. The zero value has no Go parts, no variables and no workspaces.
type Environment struct {
	// Functions and Tools are the registered Go parts.
	Functions map[string]build.Function
	Tools     map[string]core.Tool

	// LookupEnv reads the variables that the config names; nil has none.
	LookupEnv func(name string) (string, bool)

	// WorkspaceDir is the folder that the file tools of a session work in; it is made if need be. Nil means that there
	// are no workspaces, and that a document which lists file tools is refused.
	WorkspaceDir func(session string) string

	// AllowStdio lets the config start MCP servers as child processes, which is for laptops.
	AllowStdio bool

	// Logger gets warnings about MCP servers; nil discards them.
	Logger *slog.Logger
}

// System is a config that was taken in. It is safe for concurrent use, and closed by its owner.
type System struct {
	*build.System
	pool       *mcp.Pool
	workspaces *workspaces
}

// New takes a config in. It connects nothing. Findings are about the document, in its canonical form and so without
// lines; an error is about anything else in the config. When either says that something is wrong there is no system.
func New(config []byte, env Environment) (*System, diag.List, error) {
	cfg, err := adkconfigv1.Unmarshal(config)
	if err != nil {
		return nil, nil, err
	}
	if cfg.GetConfigVersion() != adkconfigv1.Version {
		return nil, nil, fmt.Errorf("agent config: config_version is %q, this release reads %q", cfg.GetConfigVersion(), adkconfigv1.Version)
	}
	if err := cfg.GetWorkflow().Verify(); err != nil {
		return nil, nil, fmt.Errorf("agent config: %w", err)
	}
	models, err := newModels(cfg.GetModels())
	if err != nil {
		return nil, nil, err
	}
	t := &taking{cfg: cfg, env: env, models: models}
	return t.system()
}

// taking is one call of [New].
type taking struct {
	cfg    *adkconfigv1.AgentConfig
	env    Environment
	models map[string]core.Model
}

func (t *taking) system() (*System, diag.List, error) {
	doc, found := declarative.Load("document", []byte(t.cfg.GetWorkflow().GetDocumentJson()))
	if found.HasErrors() {
		return nil, found, nil
	}
	checked, found := declarative.Validate(doc, Validation(t.cfg, t.env))
	if found.HasErrors() {
		return nil, found, nil
	}
	pool, err := t.pool(doc)
	if err != nil {
		return nil, found, err
	}
	spaces := &workspaces{dir: t.env.WorkspaceDir}
	sys, more := build.Build(checked, build.Options{
		Functions:        t.env.Functions,
		Tools:            t.env.Tools,
		Models:           t.models,
		Servers:          pool,
		HarnessToolNames: t.harnessTools(),
		HarnessTools:     spaces.tools,
	})
	found = append(found, more...)
	if sys == nil {
		return nil, found, pool.Close()
	}
	return &System{System: sys, pool: pool, workspaces: spaces}, found, nil
}

// Close ends the sessions with MCP servers, with the processes that are children, and gives the workspaces back.
func (s *System) Close() error { return errors.Join(s.pool.Close(), s.workspaces.close()) }
