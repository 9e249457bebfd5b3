package main

import (
	"context"
	"fmt"
	"os"

	"github.com/plait-dev/plait/test/benchkit"
)

// row is the cost of a node of a case on both engines.
type row struct {
	benchCase

	adkCost, ourCost benchkit.Cost
	cpuRatio         float64 // how much of ADK's CPU time ours takes
}

// measurer measures cases.
type measurer struct {
	benchkit.Meter

	// dir is where journals are kept, until all is measured.
	dir string
}

// measure runs a case on both engines in turns.
func (m measurer) measure(ctx context.Context, c benchCase) (row, error) {
	r := row{benchCase: c}
	dir, err := os.MkdirTemp(m.dir, "")
	if err != nil {
		return r, err
	}
	err = onADK(ctx, c, func(theirs benchkit.Side) error {
		return onOurs(ctx, c, dir, func(ours benchkit.Side) error {
			costs, err := m.Measure(theirs, ours)
			if err != nil {
				return err
			}
			r.adkCost, r.ourCost = benchkit.Median(costs[0]).Per(c.nodes), benchkit.Median(costs[1]).Per(c.nodes)
			r.cpuRatio = benchkit.Ratio(costs[1], costs[0])
			return nil
		})
	})
	if err != nil {
		return r, fmt.Errorf("%s: %w", c.name, err)
	}
	return r, nil
}
