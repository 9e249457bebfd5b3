package build

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/workflow"
)

// toolSource gives the tools that one entry of an agent's tools stands for.
type toolSource func(ctx *workflow.Context) ([]core.Tool, error)

// toolSource finds what an entry names: exit_loop, a registered tool, a harness tool, a server, or one tool of a server.
func (b *builder) toolSource(at string, ref declarative.ToolRef) toolSource {
	if ref.Agent != "" {
		return b.agentToolSource(ref.Agent, ref.Isolation)
	}
	if ref.Name == exitLoopName {
		return func(*workflow.Context) ([]core.Tool, error) { return []core.Tool{exitLoop{}}, nil }
	}
	if t, ok := b.opts.Tools[ref.Name]; ok {
		return func(*workflow.Context) ([]core.Tool, error) { return []core.Tool{t}, nil }
	}
	server, name, one := strings.Cut(ref.Name, "/")
	switch {
	case b.isServer(server):
		var names []string
		if one {
			names = []string{name}
		}
		b.checks = append(b.checks, toolCheck{path: at, server: server, tools: names})
		return func(ctx *workflow.Context) ([]core.Tool, error) {
			return b.opts.Servers.CoreTools(ctx, server, names...)
		}
	case slices.Contains(b.opts.HarnessToolNames, ref.Name):
		return func(ctx *workflow.Context) ([]core.Tool, error) {
			t, err := b.harnessTool(ctx.SessionID(), ref.Name)
			return []core.Tool{t}, err
		}
	default:
		b.unknownTool(at, ref.Name)
		return nil
	}
}

func (b *builder) isServer(name string) bool {
	return slices.ContainsFunc(b.checked.Document.MCPServers, func(s declarative.MCPServer) bool { return s.Name == name })
}
