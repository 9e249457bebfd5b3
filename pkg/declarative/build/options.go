package build

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/mcp"
	"github.com/plait-dev/plait/pkg/workflow"
)

// Function is a Go function that a document may name. Config is the node's config as JSON values; nil when it has none.
type Function func(ctx *workflow.Context, input, config any) (workflow.Result, error)

// Servers is how a system reaches the MCP servers of its document. [*mcp.Pool] is one.
type Servers interface {
	// Connect connects the servers that a system needs before it is ready.
	Connect(ctx context.Context) error
	// Call calls a tool by the server's own name for it.
	Call(ctx context.Context, server, tool string, args map[string]any, opts mcp.CallOptions) (mcp.Result, error)
	// CoreTools returns the named tools of a server, or all that are allowed.
	CoreTools(ctx context.Context, server string, names ...string) ([]core.Tool, error)
}

var _ Servers = (*mcp.Pool)(nil)

// Options are what a document doesn't hold: the code and the connections that its names stand for. A name that the
// document uses and the options lack is a diagnostic of [Build].
type Options struct {
	// Functions, Schedulers, Tools and Hooks are the registered Go parts, by name.
	Functions  map[string]Function
	Schedulers map[string]Scheduler
	Tools      map[string]core.Tool
	Hooks      map[string]Hook

	// People says that somebody can be asked: that runs which wait are taken up with answers.
	People bool

	// Models are the models by the names that the document uses for them.
	Models map[string]core.Model

	// Retry says how often a model is asked again when a call fails in a way that may pass; the zero value asks once.
	Retry agentkit.Retry

	// MaxTurns bounds the turns of an activation of an agent, whatever the document says; 0 is no bound.
	MaxTurns int

	// CostLimited says that what runs cost is bounded where the document doesn't bound it, too: the prices of all models that
	// it uses have to be known then.
	CostLimited bool

	// Servers reaches the document's MCP servers; nil when the document has none.
	Servers Servers

	// HarnessToolNames are the harness tools that a document may list, and HarnessTools makes those tools for a session,
	// whose workspace they work in.
	HarnessToolNames []string
	HarnessTools     func(session string) ([]core.Tool, error)
}
