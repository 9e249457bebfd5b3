package draw

import (
	"fmt"
	"strings"
	"unicode"
)

// Mermaid writes a graph as a Mermaid flowchart, with a line break at its end.
func Mermaid(g *Graph) string {
	m := mermaid{}
	m.linef("flowchart TB")
	m.graph(g, "n")
	return m.out.String()
}

type mermaid struct {
	out   strings.Builder
	depth int
}

func (m *mermaid) linef(format string, args ...any) {
	m.out.WriteString(strings.Repeat("  ", m.depth))
	fmt.Fprintf(&m.out, format+"\n", args...)
}

// graph writes the items of a graph, whose names in the chart start with a prefix, and then its edges.
func (m *mermaid) graph(g *Graph, prefix string) {
	m.depth++
	for i := range g.Items {
		m.item(&g.Items[i], fmt.Sprintf("%s%d", prefix, i))
	}
	for _, e := range g.Edges {
		m.linef("%s%d %s %s%d", prefix, e.From, arrow(e), prefix, e.To)
	}
	m.depth--
}

func (m *mermaid) item(it *Item, name string) {
	if it.Inside == nil {
		open, closing := brackets(it.Kind)
		m.linef("%s%s\"%s\"%s", name, open, label(it, "<br/>"), closing)
		return
	}
	m.linef("subgraph %s[\"%s\"]", name, label(it, " · "))
	m.graph(it.Inside, name+"_")
	m.linef("end")
}

// label is the text of an item: its title, and under it what it is.
func label(it *Item, separator string) string {
	text := escape(it.Title)
	if it.Kind != KindStart {
		text += separator + escape(it.what())
	}
	return text
}

// what says what an item is: its kind, and what it refers to.
func (it *Item) what() string {
	if it.Detail == "" {
		return it.Kind
	}
	return it.Kind + ": " + it.Detail
}

// brackets give an item the shape of its kind.
func brackets(kind string) (open, closing string) {
	switch kind {
	case KindStart:
		return "([", "])"
	case "join":
		return "((", "))"
	case "hitl":
		return "{{", "}}"
	case "tool":
		return "[/", "/]"
	case "function", "dynamic":
		return "[[", "]]"
	case "llm", "agent", "LlmAgent":
		return "(", ")"
	}
	return "[", "]"
}

func arrow(e Edge) string {
	line, with := "-->", "-- \"%s\" -->"
	if e.Style != Flow {
		line, with = "-.->", "-. \"%s\" .->"
	}
	if e.Label == "" {
		return line
	}
	return fmt.Sprintf(with, escape(e.Label))
}

// escape writes everything that could mean something to Mermaid or HTML as the number of its character.
func escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" _-.,:/", r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "#%d;", r)
		}
	}
	return out.String()
}
