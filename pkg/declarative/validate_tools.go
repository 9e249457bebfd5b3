package declarative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// HarnessTools returns the tools that a harness brings along. Which of them a document may use is the harness's policy.
func HarnessTools() []string {
	return []string{
		"read_file", "write_file", "list_files", "bash", "run_command", "powershell", "edit_file", "search_files", "find_files",
		"fetch_url", toolExitLoop,
	}
}

// toolKind is what a name in a list of tools stands for.
type toolKind int

const (
	unknownTool toolKind = iota
	serverTools          // all tools of a server
	serverTool           // one tool of a server
	registeredTool
	harnessTool
)

// resolve finds what a name stands for, and what else it could.
func (v *validator) resolve(name string) (kinds []toolKind) {
	if strings.Contains(name, "/") {
		return []toolKind{serverTool}
	}
	if _, ok := v.servers[name]; ok {
		kinds = append(kinds, serverTools)
	}
	if slices.Contains(HarnessTools(), name) {
		kinds = append(kinds, harnessTool)
	}
	if slices.Contains(v.opts.Tools, name) {
		kinds = append(kinds, registeredTool)
	}
	if len(kinds) == 0 && v.opts.Tools == nil {
		return []toolKind{registeredTool}
	}
	return kinds
}

// toolLists checks the tools of LLMs, their approvals, and the tools of tool nodes.
func (v *validator) toolLists() {
	for _, x := range v.llms {
		v.toolList(x)
		v.approvals(x)
	}
	for i := range v.sites {
		if b, ok := v.sites[i].node.Body.(*Tool); ok {
			v.toolNode(v.sites[i], b)
		}
	}
}

// toolList checks what an LLM offers its model: the names must mean something, and one thing each.
func (v *validator) toolList(x llmSite) {
	offered := map[string]string{} // as the model sees it, by what the document calls it
	offer := func(p source.Place, seen, called string) {
		if other, taken := offered[seen]; taken && other != called {
			v.report.Value(p, diag.AmbiguousTool, fmt.Sprintf("the model would see %q and %q under one name: %s", other, called, seen), "")
		}
		offered[seen] = called
	}
	listed := map[string]bool{}
	for _, t := range x.llm.Tools {
		listed[t.Name] = true
	}
	for i, t := range x.llm.Tools {
		p := x.at.Field("tools").Item(i)
		switch {
		case t.Agent != "":
			offer(p.Field("agent"), t.Agent, "the agent "+t.Agent)
		case t.Name != "" && v.toolName(p, t.Name):
			offer(p, strings.Replace(t.Name, "/", "__", 1), t.Name)
			if server, _, one := strings.Cut(t.Name, "/"); one && listed[server] {
				v.report.Value(p, diag.AmbiguousTool, fmt.Sprintf("%q offers all of its tools here, %q among them", server, t.Name), "remove one of them")
			}
		}
	}
	if x.site != nil {
		return
	}
	for i, s := range v.doc.Agents[x.agent].SubAgents {
		p := x.at.Field("sub_agents").Item(i)
		if v.isTool(s) {
			offer(p, s.Name, "the agent "+s.Name)
		} else {
			offer(p, toolTransfer, "the transfer to sub-agents")
		}
	}
}

// isTool says that the model of an LlmAgent calls a sub-agent as a tool, and doesn't transfer to it.
func (v *validator) isTool(s SubAgent) bool {
	i, known := v.agents[s.Name]
	return s.Isolation == Isolated || known && v.doc.Agents[i].LLM != nil && v.doc.Agents[i].LLM.Mode == ModeSingleTurn
}

// toolName checks one name of a tool and reports whether it means something.
func (v *validator) toolName(p source.Place, name string) bool {
	switch kinds := v.resolve(name); {
	case len(kinds) == 0:
		v.unknown(p, fmt.Sprintf("%q is no MCP server, no registered tool and no tool of the harness", name), name,
			slices.Concat(v.serverNames(), v.opts.Tools, HarnessTools()))
		return false
	case len(kinds) > 1:
		v.report.Value(p, diag.AmbiguousTool, fmt.Sprintf("%q is %s", name, kindNames(kinds)), "rename one of them")
		return false
	case kinds[0] == serverTool:
		server, tool, _ := strings.Cut(name, "/")
		return v.serverTool(p, p, server, tool)
	case kinds[0] == harnessTool:
		return v.harnessTool(p, name)
	}
	return true
}

func kindNames(kinds []toolKind) string {
	words := map[toolKind]string{serverTools: "an MCP server", harnessTool: "a tool of the harness", registeredTool: "a registered tool"}
	var all []string
	for _, k := range kinds {
		all = append(all, words[k])
	}
	return strings.Join(all, " and ")
}

func (v *validator) serverNames() []string {
	var names []string
	for _, s := range v.doc.MCPServers {
		names = append(names, s.Name)
	}
	return names
}

// serverTool checks a tool of an MCP server; the two places are those of the server's and of the tool's name.
func (v *validator) serverTool(serverAt, toolAt source.Place, server, tool string) bool {
	i, ok := v.servers[server]
	if !ok {
		v.unknown(serverAt, fmt.Sprintf("%q is no MCP server of this document", server), server, v.serverNames())
		return false
	}
	if tool == "" {
		v.report.Value(toolAt, diag.BadValue, fmt.Sprintf("%q isn't a tool; one of a server is written server/tool", server+"/"), "")
		return false
	}
	allowed := v.doc.MCPServers[i].Tools
	if len(allowed) > 0 && !slices.Contains(allowed, tool) {
		v.unknown(toolAt, fmt.Sprintf("%q isn't among the tools that the server %q is limited to", tool, server), tool, allowed)
		return false
	}
	return true
}

func (v *validator) harnessTool(p source.Place, name string) bool {
	if name == toolExitLoop || has(v.opts.HarnessTools, name) {
		return true
	}
	v.report.Value(p, diag.ToolNotAllowed, fmt.Sprintf("the harness doesn't let documents use %q", name), v.hint(name, v.opts.HarnessTools))
	return false
}

// approvals checks that what needs approval is one of the tools.
func (v *validator) approvals(x llmSite) {
	var names []string
	listed, servers := map[string]bool{}, map[string]bool{}
	for _, t := range x.llm.Tools {
		names = append(names, t.Name+t.Agent)
		listed[t.Name+t.Agent] = true
		if _, ok := v.servers[t.Name]; ok {
			servers[t.Name] = true
		}
	}
	if x.site == nil {
		for _, s := range v.doc.Agents[x.agent].SubAgents {
			if v.isTool(s) {
				names = append(names, s.Name)
				listed[s.Name] = true
			}
		}
	}
	for i, name := range x.llm.Approval {
		p := x.at.Field("approval").Item(i)
		server, tool, isServerTool := strings.Cut(name, "/")
		switch {
		case name == ApprovalAlways:
		case isServerTool && servers[server]:
			v.serverTool(p, p, server, tool)
		case servers[name]:
			v.report.Value(p, diag.BadValue, fmt.Sprintf("%q is a server; approval names tools", name),
				fmt.Sprintf("name them one by one: %s/TOOL, or write approval: always", name))
		case !listed[name]:
			v.unknown(p, fmt.Sprintf("%q isn't among the tools of this LLM", name), name, names)
		}
	}
}

func (v *validator) toolNode(s *site, b *Tool) {
	p := s.at.Field("tool")
	switch {
	case b.Tool == "":
	case b.Server != "":
		serverAt := s.at.Field("server")
		if !serverAt.Exists() {
			serverAt = p // tool: server/tool
		}
		v.serverTool(serverAt, p, b.Server, b.Tool)
	case b.Tool == toolExitLoop:
		v.report.Value(p, diag.ExitOutsideLoop, "exit_loop is a tool of LlmAgents; this is a node of a workflow", "end the loop with escalate on a cel node")
	case slices.Equal(v.resolve(b.Tool), []toolKind{serverTools}):
		v.report.Value(p, diag.BadValue, fmt.Sprintf("%q is a server, not a tool", b.Tool), fmt.Sprintf("write server: %s, and its tool as tool", b.Tool))
	default:
		v.toolName(p, b.Tool)
	}
}
