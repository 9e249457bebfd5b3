package build

import (
	"context"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/workflow"
)

// System is a document that is ready to run. It is immutable: any number of runs may use it at once.
type System struct {
	root     string
	workflow *workflow.Workflow
	limits   workflow.Limits
	servers  Servers
	checks   []toolCheck
}

// toolCheck asks, once the servers are connected, for the tools that a node needs of one of them.
type toolCheck struct {
	path   string
	server string
	tools  []string // empty: whatever the server offers
}

// Build makes a system of a checked document. It connects nothing. The diagnostics name what the document asks for and
// the options, or this release, don't have; with an error among them there is no system.
func Build(checked *declarative.Checked, opts Options) (*System, diag.List) {
	b := &builder{checked: checked, opts: opts, schemas: newSchemaCache(), graphs: map[string]*workflow.Workflow{},
		teams: map[string]*workflow.Team{}}
	root := checked.Root
	b.checkPrices()
	wf := b.rootWorkflow(root)
	if b.found.HasErrors() {
		b.found.Sort()
		return nil, b.found
	}
	return &System{
		root:     root.Name,
		workflow: wf,
		limits:   runLimits(checked.Document.Limits),
		servers:  opts.Servers,
		checks:   b.checks,
	}, b.found
}

// Root is the name of the agent that runs.
func (s *System) Root() string { return s.root }

// Workflow is the graph of the root agent.
func (s *System) Workflow() *workflow.Workflow { return s.workflow }

// Limits are those that the document sets for every run.
func (s *System) Limits() workflow.Limits { return s.limits }

// Connect connects the servers that the document requires, and checks that they offer every tool that a node names.
// The error holds all that is missing.
func (s *System) Connect(ctx context.Context) error {
	if s.servers == nil {
		return nil
	}
	if err := s.servers.Connect(ctx); err != nil {
		return err
	}
	var errs []error
	for _, c := range s.checks {
		if _, err := s.servers.CoreTools(ctx, c.server, c.tools...); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.path, err))
		}
	}
	return errors.Join(errs...)
}
