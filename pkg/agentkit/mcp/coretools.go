package mcp

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// CoreTools returns tools of a server for an agent: those named, or all that are allowed. The last known list does when
// the server is down, so that an agent keeps its tools and learns of the failure from their results; a server that was
// never reached is an error.
func (p *Pool) CoreTools(ctx context.Context, server string, names ...string) ([]core.Tool, error) {
	s, err := p.server(server)
	if err != nil {
		return nil, err
	}
	infos, err := s.tools(ctx)
	if err != nil {
		var known bool
		if infos, known = s.lastKnown(); !known {
			return nil, err
		}
	}
	kept, missing := allowed(infos, names)
	if len(missing) > 0 {
		return nil, classify(server, "list tools", notOffered(missing, infos))
	}
	tools := make([]core.Tool, len(kept))
	for i, info := range kept {
		tools[i] = &serverTool{server: s, info: info}
	}
	return tools, nil
}

// serverTool is a server's tool as the loop sees it.
type serverTool struct {
	server *server
	info   ToolInfo
}

var _ core.Tool = (*serverTool)(nil)

// Spec implements [core.Tool].
func (t *serverTool) Spec() core.Spec {
	return core.Spec{
		Name:        t.info.QualifiedName,
		Description: t.info.Description,
		InputSchema: t.info.InputSchema,
		Server:      t.info.Server,
		ServerTool:  t.info.Name,
		ReadOnly:    t.info.ReadOnly,
		Idempotent:  t.info.Idempotent,
	}
}

// Run implements [core.Tool]. The arguments go out in the model's own bytes.
func (t *serverTool) Run(ctx context.Context, call core.Call) (core.Result, error) {
	var args any = call.Args
	if len(call.Args) == 0 {
		args = map[string]any{}
	}
	res, err := t.server.call(ctx, t.info.Name, args, CallOptions{IdempotencyKey: call.Key})
	if err != nil {
		return core.Result{}, err
	}
	return res.ForModel(), nil
}
