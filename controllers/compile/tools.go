package compile

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/durationpb"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// addTools makes the template's servers part of the document, as if they had been declared in it. An agent of a document
// uses one by listing it; the agent of a prompt lists all.
func (c *compilation) addTools() *Refusal {
	template := c.in.Template
	c.servers = map[string]*adkconfigv1.MCPServer{}
	for _, tool := range toolsByName(template.Spec.Tools) {
		name := tool.MCP.Server.Name
		field := fmt.Sprintf("%sspec.tools[%s]", of(template), name)
		server := c.in.Servers[name]
		if server == nil {
			return refuse(fmt.Sprintf("%s: there is no %s %s", field, kindServer, name))
		}
		if slices.ContainsFunc(c.doc.MCPServers, func(s declarative.MCPServer) bool { return s.Name == name }) {
			c.clash(name, field)
			continue
		}
		c.doc.MCPServers = append(c.doc.MCPServers, declarative.MCPServer{
			Name:        name,
			Description: server.Spec.Description,
			URL:         server.Spec.URL,
			Tools:       slices.Sorted(slices.Values(tool.MCP.Tools)),
		})
		c.servers[name] = c.endpoint(server)
		if template.Spec.WorkflowFrom == nil {
			agent := c.doc.Agents[0].LLM
			agent.Tools = append(agent.Tools, declarative.ToolRef{Name: name})
		}
	}
	if n := len(c.doc.MCPServers); n > declarative.MaxMCPServers {
		return refuse(fmt.Sprintf("%sspec.tools: with those of the template the document has %d MCP servers; it may have %d",
			of(template), n, declarative.MaxMCPServers))
	}
	return nil
}

// toolsByName sorts servers, so that their order in the template, which has no meaning, makes no new revision.
func toolsByName(tools []v1alpha1.Tool) []v1alpha1.Tool {
	return slices.SortedFunc(slices.Values(tools), func(a, b v1alpha1.Tool) int {
		return strings.Compare(a.MCP.Server.Name, b.MCP.Server.Name)
	})
}

// endpoint is how the harness reaches a server of the template.
func (c *compilation) endpoint(server *v1alpha1.RemoteMCPServer) *adkconfigv1.MCPServer {
	endpoint := &adkconfigv1.MCPServer{Endpoint: &adkconfigv1.MCPServer_Http{Http: &adkconfigv1.MCPServerHTTP{
		Url: server.Spec.URL, Headers: c.headers(server.Spec.Headers),
	}}}
	if server.Spec.Timeout != nil {
		endpoint.Timeout = durationpb.New(server.Spec.Timeout.Duration)
	}
	return endpoint
}

// clash reports a server that is in the document and in the template.
func (c *compilation) clash(name, field string) {
	c.late = append(c.late, lateFinding{
		path: "mcp_servers[" + name + "].name", code: diag.DuplicateName,
		message: fmt.Sprintf("%q is an MCP server of the document and one of the template: %s", name, field),
		hint:    "rename or remove one of them",
	})
}
