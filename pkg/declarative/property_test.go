package declarative_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// A document that is written in Go and has no sugar and no defaults in it is what its canonical form loads as.
func TestCanonicalFormIsTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := documentGen(t)
		out, err := declarative.Canonicalize(doc)
		if err != nil {
			t.Fatal(err)
		}
		loaded, list := declarative.Load("x.json", out)
		if list.HasErrors() {
			t.Fatalf("%v\n%s", list.Err(), out)
		}
		if diff := cmp.Diff(doc, loaded, sameText); diff != "" {
			t.Fatalf("%s\n%s", diff, out)
		}
		again, err := declarative.Canonicalize(loaded)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(out) {
			t.Fatalf("not a fixed point:\n%s\n%s", out, again)
		}
	})
}

// However a document is written, its digest is the same.
func TestSpellingNeverChangesTheDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out, err := declarative.Canonicalize(documentGen(t))
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(out, &tree); err != nil {
			t.Fatal(err)
		}
		s := scribe{rand: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "hand"), 1)), anchors: map[string]string{}}
		text := "# A comment.\n" + s.write(s.sugar("", tree), 0) + "\n"
		loaded, list := declarative.Load("x.yaml", []byte(text))
		if list.HasErrors() {
			t.Fatalf("%v\n%s", list, text)
		}
		again, err := declarative.Canonicalize(loaded)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(out), string(again)); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	})
}

// scribe writes a tree of JSON values as YAML, each time in another hand.
type scribe struct {
	rand    *rand.Rand
	anchors map[string]string // of flow values, by what they hold
	names   int
}

func (s *scribe) coin() bool { return s.rand.IntN(2) == 0 }

// sugar writes out defaults and uses short forms, by the name of the field that a value stands in.
func (s *scribe) sugar(field string, v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = s.sugar(field+"[]", v[i])
		}
		if field == "edges" {
			return s.mergeEdges(v)
		}
	case map[string]any:
		for _, key := range s.keys(v) {
			if key != "config" && (field != "" || key != "limits") {
				v[key] = s.sugar(key, v[key])
			}
		}
		return s.defaults(field, v)
	case string:
		if d, err := time.ParseDuration(v); err == nil && d > 0 && slices.Contains([]string{"timeout", "max_duration", "initial_delay"}, field) {
			return fmt.Sprintf("%dms", d.Milliseconds())
		}
		if field == "route" && s.coin() {
			return []any{v}
		}
	}
	return v
}

// defaults adds fields with the values that they have anyway.
func (s *scribe) defaults(field string, v map[string]any) any {
	add := func(name string, value any) {
		if _, has := v[name]; !has && s.coin() {
			v[name] = value
		}
	}
	switch field {
	case "agents[]":
		if _, has := v["agent_class"]; !has {
			add("agent_class", "LlmAgent")
			add("model", "default")
			add("include_contents", "default")
			add("sub_agents", []any{})
		}
		add("description", "")
	case "mcp_servers[]":
		add("connect", "required")
	case "sub_agents[]":
		if len(v) == 1 && s.coin() {
			return v["name"]
		}
		add("isolation", "Shared")
	case "retry":
		add("max_attempts", 5.0)
		add("initial_delay", "1000ms")
		add("max_delay", "60s")
		add("backoff_factor", 2.0)
		add("jitter", 1.0)
	case "limits":
		add("max_turns", 50.0)
	case "nodes[]":
		switch v["type"] {
		case "tool":
			add("on_unknown", "retry")
		case "agent":
			add("isolation", "Shared")
		case "llm":
			add("mode", "single_turn")
			add("limits", map[string]any{"max_turns": 50.0})
		case "parallel_worker":
			add("items", "input")
		}
	}
	return v
}

// mergeEdges writes neighbours that differ in their target alone as one edge.
func (s *scribe) mergeEdges(edges []any) []any {
	var merged []any
	for _, e := range edges {
		edge := e.(map[string]any)
		if len(merged) > 0 && s.coin() {
			last := merged[len(merged)-1].(map[string]any)
			if last["from"] == edge["from"] && cmp.Equal(last["route"], edge["route"]) {
				to, isList := last["to"].([]any)
				if !isList {
					to = []any{last["to"]}
				}
				last["to"] = append(to, edge["to"])
				continue
			}
		}
		merged = append(merged, edge)
	}
	return merged
}

// write returns a value in block style at an indentation; flow style is chosen now and then.
func (s *scribe) write(v any, indent int) string {
	pad := strings.Repeat(" ", indent)
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 || indent > 0 && s.rand.IntN(4) == 0 {
			return s.flow(v)
		}
		var b strings.Builder
		for _, key := range s.keys(v) {
			if s.rand.IntN(6) == 0 {
				b.WriteString("\n" + pad + "# why")
			}
			b.WriteString("\n" + pad + s.text(key) + ":" + s.child(v[key], indent))
		}
		return b.String()
	case []any:
		if len(v) == 0 || s.rand.IntN(4) == 0 {
			return s.flow(v)
		}
		var b strings.Builder
		for _, item := range v {
			b.WriteString("\n" + pad + "-" + s.child(item, indent))
		}
		return b.String()
	case string:
		if s.rand.IntN(4) == 0 && literalSafe(v) {
			return "|-\n" + pad + strings.ReplaceAll(v, "\n", "\n"+pad)
		}
		return s.text(v)
	}
	return s.flow(v)
}

func (s *scribe) child(v any, indent int) string {
	return " " + s.write(v, indent+1+s.rand.IntN(3))
}

func (s *scribe) keys(v map[string]any) []string {
	var keys []string
	for key := range v {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	s.rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

func (s *scribe) flow(v any) string {
	switch v := v.(type) {
	case map[string]any, []any:
		plain := marshal(v)
		if name := s.anchors[plain]; name != "" && s.coin() {
			return "*" + name + " "
		}
		text := s.brackets(v)
		if s.rand.IntN(3) == 0 {
			s.names++
			name := "a" + strconv.Itoa(s.names)
			s.anchors[plain] = name
			return "&" + name + " " + text
		}
		return text
	case string:
		return s.text(v)
	case float64:
		if v == float64(int64(v)) && s.coin() {
			return []string{fmt.Sprintf("%.1f", v), fmt.Sprintf("%+d", int64(v)), strconv.FormatFloat(v, 'e', -1, 64)}[s.rand.IntN(3)]
		}
	}
	return marshal(v)
}

// marshal writes a value that came from JSON as JSON again.
func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (s *scribe) brackets(v any) string {
	var parts []string
	switch v := v.(type) {
	case map[string]any:
		for _, key := range s.keys(v) {
			parts = append(parts, s.text(key)+": "+s.flow(v[key]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		for _, item := range v {
			parts = append(parts, s.flow(item))
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// text quotes a string in one of the ways that hold it.
func (s *scribe) text(v string) string {
	ways := []string{strconv.QuoteToASCII(v)}
	if strings.ContainsFunc(v, func(r rune) bool { return r == '\v' || r == 0x7f }) || strings.Contains(ways[0], `\x`) {
		return marshal(v)
	}
	if !strings.ContainsFunc(v, func(r rune) bool { return r < ' ' }) {
		ways = append(ways, "'"+strings.ReplaceAll(v, "'", "''")+"'")
	}
	if plainSafe(v) {
		ways = append(ways, v)
	}
	return ways[s.rand.IntN(len(ways))]
}

// plainSafe reports whether a text needs no quotes anywhere.
func plainSafe(v string) bool {
	for i, r := range v {
		letter := r >= 'a' && r <= 'z' || r == '_' || r == '.'
		if !letter && (i == 0 || r != '(' && r != ')') {
			return false
		}
	}
	return v != "" && !slices.Contains([]string{"true", "false", "null", ".", "..", "..."}, v) && v[0] != '.'
}

// literalSafe reports whether a text can stand in a literal block without an indicator.
func literalSafe(v string) bool {
	return v != "" && !strings.HasPrefix(v, " ") && !strings.HasPrefix(v, "\n") && !strings.HasSuffix(v, "\n") &&
		!strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f })
}

// --- generated documents

var words = []string{"alpha", "beta", "gamma", "delta"}

func textGen() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"Help.", "it's \"quoted\"", "a: b # c", "- x", "日本語 😀", "two\nlines", " space ", "yes", "7"}),
		rapid.StringN(1, 12, -1))
}

func sourceGen() *rapid.Generator[expr.Source] {
	return rapid.Map(rapid.SampledFrom([]string{"input", "user.content", "state.n", "'a, b' + input", "{'k': [1, 2]}", "1 > 0 ? 'x' : 'y'"}),
		func(text string) expr.Source { return expr.NewSource(text, "") })
}

func jsonGen(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(rapid.IntRange(-1<<53, 1<<53), func(i int) any { return float64(i) }),
		rapid.Map(rapid.Float64Range(-1e6, 1e6), func(f float64) any { return f + 0 }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(textGen(), func(s string) any { return s }),
		rapid.Just[any](nil),
	)
	if depth == 0 {
		return leaf
	}
	inner := jsonGen(depth - 1)
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(inner, 0, 3), func(l []any) any { return append([]any{}, l...) }),
		rapid.Map(rapid.MapOfN(rapid.StringN(1, 6, -1), inner, 0, 3), func(m map[string]any) any { return m }))
}

func maybe[V any](t *rapid.T, g *rapid.Generator[V], what string) (v V) {
	if rapid.Bool().Draw(t, what+"?") {
		v = g.Draw(t, what)
	}
	return v
}

func millis(t *rapid.T, what string) time.Duration {
	return time.Duration(rapid.IntRange(0, 90_000).Draw(t, what)) * time.Millisecond
}

func documentGen(t *rapid.T) *declarative.Document {
	doc := &declarative.Document{APIVersion: declarative.APIVersion, Kind: declarative.Kind}
	doc.Metadata.Description = maybe(t, textGen(), "description")
	doc.Limits.MaxDuration = millis(t, "max duration")
	if rapid.Bool().Draw(t, "server?") {
		doc.MCPServers = []declarative.MCPServer{{Name: "crm", URL: "https://crm.example.com/mcp", Timeout: millis(t, "timeout"),
			Connect: maybe(t, rapid.Just(declarative.ConnectLazy), "connect")}}
	}
	doc.Agents = []declarative.Agent{
		{Name: "root", Class: declarative.WorkflowAgent, Graph: graphGen(t)},
		{Name: "team", Class: declarative.SequentialAgent, SubAgents: []declarative.SubAgent{{Name: "helper"},
			{Name: "other", Isolation: maybe(t, rapid.Just(declarative.Isolated), "isolation")}}},
		{Name: "helper", LLM: llmGen(t)},
		{Name: "other", LLM: llmGen(t)},
	}
	return doc
}

func llmGen(t *rapid.T) *declarative.LLM {
	l := &declarative.LLM{
		Instruction: maybe(t, textGen(), "instruction"),
		Model:       maybe(t, rapid.Just("fast"), "model"),
		OutputKey:   maybe(t, rapid.SampledFrom(words), "output key"),
		Limits:      declarative.AgentLimits{MaxTokens: int64(rapid.IntRange(0, 1000).Draw(t, "tokens"))},
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(words), 0, 3, rapid.ID[string]).Draw(t, "tools") {
		l.Tools = append(l.Tools, declarative.ToolRef{Name: name})
	}
	if rapid.Bool().Draw(t, "temperature?") {
		temperature := rapid.Float64Range(0, 2).Draw(t, "temperature")
		l.Generate.Temperature = &temperature
	}
	if rapid.Bool().Draw(t, "rule?") {
		l.BeforeTool = []declarative.HookRule{{When: sourceGen().Draw(t, "when"), Reject: &declarative.Text{Literal: textGen().Draw(t, "reject")}}, {Accept: true}}
	}
	return l
}

func graphGen(t *rapid.T) *declarative.Graph {
	g := &declarative.Graph{MaxConcurrency: rapid.IntRange(0, 3).Draw(t, "cap")}
	from := "START"
	for i := range rapid.IntRange(1, 5).Draw(t, "nodes") {
		id := fmt.Sprintf("n%d", i)
		g.Nodes = append(g.Nodes, nodeGen(t, id))
		var routes []string
		if from != "START" {
			routes = maybe(t, rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 2, rapid.ID[string]), "routes")
		}
		g.Edges = append(g.Edges, declarative.Edge{From: []string{from}, To: []string{id}, Routes: routes})
		from = id
	}
	return g
}

func nodeGen(t *rapid.T, id string) declarative.Node {
	n := declarative.Node{ID: id, Timeout: millis(t, "timeout"), Input: maybe(t, sourceGen(), "input"), Description: maybe(t, textGen(), "description")}
	if rapid.Bool().Draw(t, "retry?") {
		n.Retry = &declarative.Retry{MaxAttempts: rapid.SampledFrom([]int{0, 2, 7}).Draw(t, "attempts"), When: maybe(t, sourceGen(), "when")}
	}
	switch rapid.IntRange(0, 5).Draw(t, "type") {
	case 0:
		n.Type, n.Body = declarative.TypeCEL, &declarative.CEL{Output: maybe(t, sourceGen(), "output"),
			Vars: []declarative.Var{{Name: "x", Expr: sourceGen().Draw(t, "var")}}}
	case 1:
		n.Type, n.Body = declarative.TypeFunction, &declarative.Function{Function: "score", Config: maybe(t, jsonGen(3), "config")}
	case 2:
		n.Type, n.Body = declarative.TypeLLM, llmGen(t)
	case 3:
		n.Type, n.Body = declarative.TypeAgent, &declarative.AgentRef{Agent: "team"}
	case 4:
		n.Type, n.Body = declarative.TypeTool, &declarative.Tool{Tool: "geocode", HasArgs: true,
			Args: []declarative.Named{{Name: rapid.StringN(1, 5, -1).Draw(t, "arg"), Expr: sourceGen().Draw(t, "expr")}}}
	default:
		n.Type, n.Body = declarative.TypeParallelWorker, &declarative.Worker{Worker: declarative.Node{Type: declarative.TypeFunction,
			Body: &declarative.Function{Function: "score"}}}
	}
	return n
}
