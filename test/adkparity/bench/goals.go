package main

import (
	"fmt"
)

// misses lists the goals that a table misses.
func misses(rows []row) []string {
	byName := map[string]row{}
	var missed []string
	for _, r := range rows {
		byName[r.name] = r
		if r.most > 0 {
			missed = append(missed, r.tooDear()...)
		}
		if small, ok := byName[r.growsFrom]; ok {
			missed = append(missed, r.growsToo(small)...)
		}
	}
	return missed
}

// tooDear compares with ADK. With a journal on our side alone only the time counts.
func (r row) tooDear() []string {
	var missed []string
	if r.cpuRatio > r.most {
		missed = append(missed, fmt.Sprintf("%s: %.3f of ADK's CPU time, at most %.2f", r.name, r.cpuRatio, r.most))
	}
	if ratio := r.allocsRatio(); ratio > r.most && !r.journal {
		missed = append(missed, fmt.Sprintf("%s: %.3f of ADK's allocations, at most %.2f", r.name, ratio, r.most))
	}
	return missed
}

// growsToo compares with a smaller graph.
func (r row) growsToo(small row) []string {
	var missed []string
	for _, g := range r.growth(small) {
		if g.factor > maxGrowth {
			missed = append(missed, fmt.Sprintf("%s: a node costs %.2f times the %s that it costs in %s, at most %.1f",
				r.name, g.factor, g.of, small.name, maxGrowth))
		}
	}
	return missed
}

// grown is how much more a node of ours costs in a larger graph.
type grown struct {
	of     string
	factor float64
}

func (r row) growth(small row) []grown {
	return []grown{
		{"CPU time", float64(r.ourCost.CPU) / float64(small.ourCost.CPU)},
		{"bytes", r.ourCost.Bytes / small.ourCost.Bytes},
		{"allocations", r.ourCost.Allocs / small.ourCost.Allocs},
	}
}

func (r row) bytesRatio() float64  { return r.ourCost.Bytes / r.adkCost.Bytes }
func (r row) allocsRatio() float64 { return r.ourCost.Allocs / r.adkCost.Allocs }
