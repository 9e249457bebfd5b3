package draw

import (
	"fmt"
	"html"
	"strings"
)

// The sizes of a picture, in pixels.
const (
	fontSize   = 13
	lineHeight = 18
	padding    = 12
	heading    = 28 // the height of a box above what is inside
	margin     = 16
)

// SVG draws a graph as an SVG picture. It is well-formed XML, refers to nothing outside of itself, and every item is a
// group whose id is its path.
func SVG(g *Graph) string {
	p := plan(g)
	s := svg{}
	width, height := p.width+2*margin, p.height+2*margin
	s.tagf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="%d">`,
		width, height, width, height, fontSize)
	s.tagf(`<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">` +
		`<path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>`)
	s.tagf(`<rect width="%d" height="%d" fill="#fff"/>`, width, height)
	s.graph(g, p, margin, margin)
	s.tagf(`</svg>`)
	return s.out.String()
}

type size struct{ width, height int }

// planned is a graph with the places of its items, and of what is inside of them.
type planned struct {
	*layout
	inside []*planned // by item; nil without a graph
}

// plan lays out a graph from the inside to the outside.
func plan(g *Graph) *planned {
	p := &planned{inside: make([]*planned, len(g.Items))}
	sizes := make([]size, len(g.Items))
	for i := range g.Items {
		it := &g.Items[i]
		text := size{max(textWidth(it.Title), textWidth(it.caption())) + 2*padding, 2*lineHeight + padding}
		if it.Kind == KindStart {
			text.height = lineHeight + padding
		}
		if it.Inside != nil {
			p.inside[i] = plan(it.Inside)
			title := textWidth(it.Title+"  "+it.caption()) + 2*padding
			text = size{max(title, p.inside[i].width+2*padding), heading + p.inside[i].height + padding}
		}
		sizes[i] = text
	}
	p.layout = arrange(g, sizes)
	return p
}

// caption is the second line of an item.
func (it *Item) caption() string {
	if it.Kind == KindStart {
		return ""
	}
	return it.what()
}

// textWidth estimates the width of a text; wide characters take two columns.
func textWidth(text string) int {
	const column, firstWide = 8, 0x1100
	width := 0
	for _, r := range text {
		width += column
		if r >= firstWide {
			width += column
		}
	}
	return width
}

type svg struct{ out strings.Builder }

func (s *svg) tagf(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

// graph draws a graph whose upper left corner is at a point.
func (s *svg) graph(g *Graph, p *planned, x, y int) {
	for i := range g.Items {
		c := p.cells[i]
		s.item(&g.Items[i], p.inside[i], x+c.x-c.width/2, y+c.y-c.height/2, size{c.width, c.height})
	}
	for i, e := range g.Edges {
		s.edge(e, p.layout, p.routes[i], x, y)
	}
}

func (s *svg) item(it *Item, inside *planned, x, y int, box size) {
	s.tagf(`<g id="%s" class="%s">`, html.EscapeString(it.Path), html.EscapeString(it.Kind))
	radius := 4
	if it.Kind == KindStart || it.Kind == "join" {
		radius = box.height / 2
	}
	fill := color(it.Kind)
	s.tagf(`<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s" stroke="#555"/>`, x, y, box.width, box.height, radius, fill)
	if inside != nil {
		s.tagf(`<text x="%d" y="%d"><tspan font-weight="bold">%s</tspan> <tspan fill="#555">%s</tspan></text>`,
			x+padding, y+lineHeight, html.EscapeString(it.Title), html.EscapeString(it.caption()))
		s.graph(it.Inside, inside, x+(box.width-inside.width)/2, y+heading)
	} else {
		s.text(x+box.width/2, y+lineHeight, "bold", it.Title)
		if it.caption() != "" {
			s.text(x+box.width/2, y+2*lineHeight, "normal", it.caption())
		}
	}
	s.tagf(`</g>`)
}

func (s *svg) text(x, y int, weight, text string) {
	s.tagf(`<text x="%d" y="%d" text-anchor="middle" font-weight="%s">%s</text>`, x, y, weight, html.EscapeString(text))
}

// color tells the kinds of items apart at a glance.
func color(kind string) string {
	switch kind {
	case KindStart:
		return "#e8e8e8"
	case "llm", "agent", "LlmAgent":
		return "#e3efff"
	case "tool":
		return "#e6f6e6"
	case "hitl":
		return "#fff0d9"
	case "function", "dynamic":
		return "#f3e8fb"
	}
	return "#fff"
}

// edge draws an arrow through the points of its route, with its label.
func (s *svg) edge(e Edge, l *layout, r route, x, y int) {
	dash := ""
	if e.Style != Flow {
		dash = ` stroke-dasharray="5 4"`
	}
	s.tagf(`<path d="%s" fill="none" stroke="#555"%s marker-end="url(#arrow)"/>`, curve(l.points(r), len(r.cells) == 1, x, y), dash)
	if e.Label == "" {
		return
	}
	width := textWidth(e.Label)
	at := point{x + r.label.x, y + r.label.y}
	s.tagf(`<rect x="%d" y="%d" width="%d" height="%d" fill="#fff" fill-opacity="0.85"/>`,
		at.x-width/2, at.y-lineHeight/2, width, lineHeight)
	s.text(at.x, at.y+fontSize/3, "normal", e.Label)
}

// curve is a path through points that is vertical in each of them; a loop is one that is horizontal in its two ends.
func curve(points []point, loop bool, x, y int) string {
	path := fmt.Sprintf("M%d %d", x+points[0].x, y+points[0].y)
	if loop {
		a, out, b := points[0], points[1], points[2]
		return path + fmt.Sprintf("C%d %d %d %d %d %d", x+out.x, y+a.y, x+out.x, y+b.y, x+b.x, y+b.y)
	}
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		bend := (b.y - a.y) / 2
		path += fmt.Sprintf("C%d %d %d %d %d %d", x+a.x, y+a.y+bend, x+b.x, y+b.y-bend, x+b.x, y+b.y)
	}
	return path
}
