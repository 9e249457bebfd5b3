package draw

// place gives every cell its coordinates: below each other by layers, and near its neighbours within one.
func (l *layout) place() {
	y := 0
	for _, layer := range l.layers {
		tallest := 0
		for _, c := range layer {
			tallest = max(tallest, l.cells[c].height)
		}
		for _, index := range layer {
			c := &l.cells[index]
			if c.y = y + c.height/2; c.height == 0 { // an edge passes in the middle
				c.y = y + tallest/2
			}
		}
		y += tallest + layerGap
	}
	l.height = max(y-layerGap, 0)
	for sweep := range sweeps {
		for n := range l.layers {
			if sweep%2 == 0 {
				l.spread(l.layers[n], func(c *cell) []int { return c.up })
			} else {
				l.spread(l.layers[len(l.layers)-1-n], func(c *cell) []int { return c.down })
			}
		}
	}
}

// spread moves the cells of a layer to the middle of their neighbours, as far as those beside them let them, and then the
// layer as a whole so that nothing leans to one side.
func (l *layout) spread(layer []int, neighbours func(*cell) []int) {
	wanted := make([]int, len(layer))
	edge, drift := 0, 0
	for i, index := range layer {
		c := &l.cells[index]
		wanted[i] = mean(neighbours(c), c.x, func(n int) int { return l.cells[n].x })
		x, half := wanted[i], max(c.width, c.room)/2
		if i > 0 {
			x = max(x, edge+itemGap+half)
		}
		c.x, edge = x, x+half
		drift += x - wanted[i]
	}
	for _, index := range layer {
		l.cells[index].x -= drift / len(layer)
	}
}

// placeLabels puts each label on the first part of its edge, near where that goes, away from those of its siblings.
func (l *layout) placeLabels() {
	for i := range l.routes {
		r := &l.routes[i]
		points := l.points(*r)
		a, b := points[0], points[1]
		if r.up { // whose goal is where others start
			a, b = b, a
		}
		r.label = point{(a.x + 3*b.x) / 4, (a.y + 2*b.y) / 3}
	}
}

// aside is how far edges that go up are from the middle of their ends.
const aside = 14

// points are where an edge leaves its source, passes layers, and meets its target.
func (l *layout) points(r route) []point {
	last := len(r.cells) - 1
	if last == 0 {
		c := l.cells[r.cells[0]]
		right := c.x + c.width/2
		return []point{{right, c.y - c.height/4}, {right + itemGap, c.y + c.height/8}, {right, c.y + c.height/4}}
	}
	all := make([]point, 0, len(r.cells))
	for i, index := range r.cells {
		c := l.cells[index]
		p := point{c.x, c.y}
		switch {
		case i == 0 && !r.up, i == last && r.up:
			p.y += c.height / 2
		case i == 0 || i == last:
			p.y -= c.height / 2
		}
		if r.up && (i == 0 || i == last) {
			p.x += min(aside, c.width/3)
		}
		all = append(all, p)
	}
	return all
}

// toOrigin moves everything so that the leftmost part starts at 0.
func (l *layout) toOrigin(g *Graph) {
	if len(l.cells) == 0 {
		return
	}
	left, right := l.cells[0].x, l.cells[0].x
	for _, c := range l.cells {
		left, right = min(left, c.x-c.width/2), max(right, c.x+c.width/2)
	}
	for i, r := range l.routes {
		half := textWidth(g.Edges[i].Label) / 2
		left, right = min(left, r.label.x-half), max(right, r.label.x+half)
	}
	for i := range l.cells {
		l.cells[i].x -= left
	}
	for i := range l.routes {
		l.routes[i].label.x -= left
	}
	l.width = right - left
}
