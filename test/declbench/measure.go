package main

import (
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// benchCase is a row of the table.
type benchCase struct {
	name string
	// theirs is nil when a bare cel-go has nothing to compare with.
	ours, theirs benchkit.Side
	// budget is the CPU time that ours may take, ratio how much of theirs; 0: any.
	budget time.Duration
	ratio  float64
}

func measure(m benchkit.Meter, c benchCase) (row, error) {
	sides := []benchkit.Side{c.ours}
	if c.theirs != nil {
		sides = append(sides, c.theirs)
	}
	costs, err := m.Measure(sides...)
	if err != nil {
		return row{}, err
	}
	r := row{benchCase: c, our: benchkit.Median(costs[0])}
	if c.theirs != nil {
		r.their = benchkit.Median(costs[1])
		r.cpuRatio = benchkit.Ratio(costs[0], costs[1])
	}
	return r, nil
}
