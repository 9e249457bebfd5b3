package draw

import "slices"

// The layout is that of Sugiyama: nodes stand in layers from top to bottom, edges that would go up are turned for the
// time being, long ones get a point in each layer they cross, and the order within a layer follows the neighbours. All
// arithmetic is on integers, so that every machine draws the same picture.

// The distances of a picture, in pixels.
const (
	layerGap = 54 // room for labels of edges
	itemGap  = 28
)

const (
	sweeps   = 8      // of ordering, after which little changes
	maxCells = 20_000 // beyond which long edges go straight to their ends
)

// cell is an item, or a point that an edge goes through.
type cell struct {
	width, height int
	room          int // the width that labels above it need
	layer         int
	x, y          int // its centre
	up, down      []int
}

// route is the cells that an edge goes through, from its source to its target.
type route struct {
	cells []int
	// up says that the edge goes against the layers. Such edges stand beside those that go down.
	up    bool
	label point
}

type point struct{ x, y int }

// layout finds places for items of given sizes.
type layout struct {
	cells  []cell
	routes []route // by edge
	layers [][]int
	width  int
	height int
}

// arrange lays out a graph whose items have the sizes.
func arrange(g *Graph, sizes []size) *layout {
	l := &layout{cells: make([]cell, len(g.Items))}
	for i, s := range sizes {
		l.cells[i].width, l.cells[i].height = s.width, s.height
	}
	turned := backEdges(g)
	l.assignLayers(g, turned)
	l.layRoutes(g, turned)
	l.order()
	l.place()
	l.placeLabels()
	l.toOrigin(g)
	return l
}

// backEdges finds the edges that close a cycle, going through the graph in the order of the document.
func backEdges(g *Graph) []bool {
	const open, done = 1, 2
	back := make([]bool, len(g.Edges))
	state := make([]int, len(g.Items))
	out := make([][]int, len(g.Items))
	for i, e := range g.Edges {
		out[e.From] = append(out[e.From], i)
	}
	var visit func(item int)
	visit = func(item int) {
		state[item] = open
		for _, i := range out[item] {
			switch to := g.Edges[i].To; state[to] {
			case open:
				back[i] = true
			case done:
			default:
				visit(to)
			}
		}
		state[item] = done
	}
	for i := range g.Items {
		if state[i] == 0 {
			visit(i)
		}
	}
	return back
}

// ends are the upper and the lower end of an edge.
func ends(e Edge, turned bool) (upper, lower int) {
	if turned {
		return e.To, e.From
	}
	return e.From, e.To
}

// assignLayers puts each item below all that lead to it.
func (l *layout) assignLayers(g *Graph, turned []bool) {
	for changed := true; changed; {
		changed = false
		for i, e := range g.Edges {
			upper, lower := ends(e, turned[i])
			if below := l.cells[upper].layer + 1; upper != lower && l.cells[lower].layer < below {
				l.cells[lower].layer = below
				changed = true
			}
		}
	}
}

// layRoutes gives each edge a cell in every layer that it crosses.
func (l *layout) layRoutes(g *Graph, turned []bool) {
	for i, e := range g.Edges {
		upper, lower := ends(e, turned[i])
		r := []int{upper}
		for layer := l.cells[upper].layer + 1; layer < l.cells[lower].layer && len(l.cells) < maxCells; layer++ {
			r = append(r, len(l.cells))
			l.cells = append(l.cells, cell{width: 1, layer: layer})
		}
		if upper != lower {
			r = append(r, lower)
		}
		for j := range r[1:] {
			above, below := r[j], r[j+1]
			l.cells[above].down = append(l.cells[above].down, below)
			l.cells[below].up = append(l.cells[below].up, above)
		}
		if turned[i] {
			slices.Reverse(r)
		}
		if near := &l.cells[r[min(1, len(r)-1)]]; near.height == 0 || !turned[i] {
			near.room = max(near.room, textWidth(e.Label))
		}
		l.routes = append(l.routes, route{cells: r, up: turned[i]})
	}
	for i := range l.cells {
		for len(l.layers) <= l.cells[i].layer {
			l.layers = append(l.layers, nil)
		}
		l.layers[l.cells[i].layer] = append(l.layers[l.cells[i].layer], i)
	}
}

// order sorts each layer by where the neighbours above, then below, stand.
func (l *layout) order() {
	rank := make([]int, len(l.cells))
	number := func() {
		for _, layer := range l.layers {
			for i, c := range layer {
				rank[c] = i
			}
		}
	}
	number()
	for sweep := range sweeps {
		for n := range l.layers {
			layer := l.layers[n]
			if sweep%2 == 1 {
				layer = l.layers[len(l.layers)-1-n]
			}
			middle := map[int]int{}
			for _, c := range layer {
				neighbours := l.cells[c].up
				if sweep%2 == 1 {
					neighbours = l.cells[c].down
				}
				middle[c] = mean(neighbours, rank[c]*scale, func(i int) int { return rank[i] * scale })
			}
			slices.SortStableFunc(layer, func(a, b int) int { return middle[a] - middle[b] })
			for i, c := range layer {
				rank[c] = i
			}
		}
	}
}

// scale keeps fractions of ranks.
const scale = 1000

// mean is the average of a value over cells, or another value when there are none.
func mean(cells []int, otherwise int, value func(int) int) int {
	if len(cells) == 0 {
		return otherwise
	}
	sum := 0
	for _, c := range cells {
		sum += value(c)
	}
	return sum / len(cells)
}
