package declarative

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/plait-dev/plait/pkg/declarative/expr"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// Canonicalize writes a document in its one spelling, RFC 8785 JSON: sugar is expanded, defaults are left out, durations
// and numbers have one form. Documents that mean the same give the same bytes; lists keep the author's order. The result
// is a document itself, and its canonical form is the same bytes again.
//
// The document must be one that [Validate] found no errors in. An error says that it can't be written: it lacks a part, or
// it would be larger than a file may be.
func Canonicalize(doc *Document) ([]byte, error) {
	w := canonicalWriter{doc: doc}
	w.uses()
	data, err := json.Marshal(w.document())
	if w.err != nil {
		return nil, w.err
	}
	if err != nil {
		return nil, err
	}
	canonical, err := jcs.Transform(data)
	if err != nil {
		return nil, err
	}
	if len(canonical) > source.MaxBytes {
		return nil, fmt.Errorf("the canonical form has %d bytes; a document may have %d", len(canonical), source.MaxBytes)
	}
	return canonical, nil
}

// Digest names a canonical form: "sha256:" and the hash in lower-case hexadecimal digits.
func Digest(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// object is a JSON object under construction; encoding/json sorts its keys.
type object map[string]any

// put adds a field unless its value is zero or one of those that mean the same as leaving it out.
func put[T comparable](o object, field string, value T, otherwise ...T) {
	var zero T
	if value != zero && !slices.Contains(otherwise, value) {
		o[field] = value
	}
}

func putDuration(o object, field string, d time.Duration, otherwise ...time.Duration) {
	if d != 0 && !slices.Contains(otherwise, d) {
		o[field] = d.String()
	}
}

func putExpr(o object, field string, src expr.Source, otherwise ...string) {
	put(o, field, src.Text(), otherwise...)
}

// putAny adds a field unless its value is nil or an empty list or object.
func putAny(o object, field string, value any) {
	switch v := value.(type) {
	case nil:
		return
	case []any:
		if len(v) == 0 {
			return
		}
	case object:
		if len(v) == 0 {
			return
		}
	}
	o[field] = value
}

// canonicalWriter turns a document into plain JSON values.
type canonicalWriter struct {
	doc   *Document
	root  string            // the agent that is the root without root_agent saying so
	modes map[string]string // the mode that an agent has everywhere if it doesn't say so; "" when it depends on the place
	err   error
}

func (w *canonicalWriter) document() object {
	d := w.doc
	o := object{"apiVersion": APIVersion, "kind": Kind}
	metadata := object{}
	put(metadata, "name", d.Metadata.Name)
	put(metadata, "description", d.Metadata.Description)
	if len(d.Metadata.Labels) > 0 {
		metadata["labels"] = d.Metadata.Labels
	}
	putAny(o, "metadata", metadata)
	put(o, "root_agent", d.RootAgent, w.root)
	putAny(o, "mcp_servers", each(d.MCPServers, w.server))
	putAny(o, "agents", each(d.Agents, w.agent))
	limits := object{}
	put(limits, "max_steps", d.Limits.MaxSteps, DefaultMaxSteps)
	put(limits, "max_visits", d.Limits.MaxVisits, DefaultMaxVisits)
	putDuration(limits, "max_duration", d.Limits.MaxDuration)
	put(limits, "max_tokens", d.Limits.MaxTokens)
	put(limits, "max_cost_usd", d.Limits.MaxCostUSD)
	putAny(o, "limits", limits)
	return o
}

// each writes a list.
func each[T any](list []T, write func(*T) any) []any {
	all := make([]any, len(list))
	for i := range list {
		all[i] = write(&list[i])
	}
	return all
}

func texts(list []string) []any { return each(list, func(s *string) any { return *s }) }

func (w *canonicalWriter) server(s *MCPServer) any {
	o := object{}
	put(o, "name", s.Name)
	put(o, "description", s.Description)
	put(o, "url", s.URL)
	put(o, "url_env", s.URLEnv)
	headers := object{}
	for _, h := range s.Headers {
		if h.Env != "" {
			headers[h.Name] = object{"env": h.Env}
		} else {
			headers[h.Name] = object{"value": h.Value}
		}
	}
	putAny(o, "headers", headers)
	putAny(o, "tools", texts(s.Tools))
	putDuration(o, "timeout", s.Timeout)
	put(o, "connect", s.Connect, ConnectRequired)
	return o
}

func (w *canonicalWriter) agent(a *Agent) any {
	o := object{}
	put(o, "name", a.Name)
	put(o, "description", a.Description)
	put(o, "agent_class", a.Class, LlmAgent)
	if a.LLM != nil {
		w.llm(o, a.LLM, w.modes[a.Name])
		putAny(o, "output_schema", a.LLM.OutputSchema)
	}
	if a.Graph != nil {
		w.graph(o, a.Graph)
		putAny(o, "state_schema", a.Graph.StateSchema)
	}
	putAny(o, "sub_agents", each(a.SubAgents, func(s *SubAgent) any {
		entry := object{"name": s.Name}
		put(entry, "isolation", s.Isolation, Shared)
		return entry
	}))
	put(o, "max_iterations", a.MaxIterations)
	return o
}

// uses finds what the place of each agent makes of fields that it leaves out.
func (w *canonicalWriter) uses() {
	v := validator{doc: w.doc, agents: map[string]int{}}
	for i, a := range w.doc.Agents {
		if _, twice := v.agents[a.Name]; !twice {
			v.agents[a.Name] = i
		}
	}
	v.collect()
	root := w.doc.RootAgent
	if candidates := v.rootCandidates(); len(candidates) == 1 {
		w.root = w.doc.Agents[candidates[0]].Name
		if root == "" {
			root = w.root
		}
	}
	w.modes = map[string]string{}
	use := func(name, mode string) {
		if before, used := w.modes[name]; used && before != mode {
			mode = ""
		}
		w.modes[name] = mode
	}
	use(root, ModeChat)
	for _, r := range v.refs {
		use(r.name, r.mode(w.doc))
	}
}

// mode is the mode in which an LlmAgent works that doesn't give one, where this reference uses it.
func (r *ref) mode(doc *Document) string {
	if r.kind == asSubAgent && doc.Agents[r.from].LLM != nil {
		return ModeChat
	}
	return ModeSingleTurn
}
