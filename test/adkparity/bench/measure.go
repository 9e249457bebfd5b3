package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// cost is what one node costs.
type cost struct {
	cpu    time.Duration
	bytes  float64
	allocs float64
}

// row is the cost of a case on both engines.
type row struct {
	benchCase

	adkCost, ourCost cost
}

// measurer measures cases.
type measurer struct {
	samples int
	// each is how long a sample should take, at least.
	each time.Duration
	// collect lets the garbage collector run.
	collect bool
	// dir is where journals are kept, until all is measured.
	dir string
}

// measure alternates between the engines, so that what else happens on the machine happens to both.
func (m measurer) measure(ctx context.Context, c benchCase) (row, error) {
	r := row{benchCase: c}
	dir, err := os.MkdirTemp(m.dir, "")
	if err != nil {
		return r, err
	}
	err = onADK(ctx, c, func(theirs once) error {
		return onOurs(ctx, c, dir, func(ours once) error {
			return m.alternate(&r, theirs, ours)
		})
	})
	if err != nil {
		return r, fmt.Errorf("%s: %w", c.name, err)
	}
	return r, nil
}

func (m measurer) alternate(r *row, theirs, ours once) error {
	var costs [2][]cost
	runs := [2]once{theirs, ours}
	var counts [2]int
	for side, run := range runs {
		n, err := m.calibrate(run)
		if err != nil {
			return err
		}
		counts[side] = n
	}
	for range m.samples {
		for side, run := range runs {
			sample, err := m.sample(run, counts[side], r.nodes)
			if err != nil {
				return err
			}
			costs[side] = append(costs[side], sample)
		}
	}
	r.adkCost, r.ourCost = median(costs[0]), median(costs[1])
	return nil
}

// calibrate finds how many runs make a sample. It also warms up.
func (m measurer) calibrate(run once) (int, error) {
	begin := time.Now()
	for n := 1; ; n++ {
		if err := run(); err != nil {
			return 0, err
		}
		if took := time.Since(begin); took > m.each/4 {
			return max(1, int(m.each*time.Duration(n)/took)), nil
		}
	}
}

// sample runs a graph n times. Without a collector the heap is cleared before.
func (m measurer) sample(run once, n, nodes int) (cost, error) {
	runtime.GC()
	if !m.collect {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, err := cpuTime()
	if err != nil {
		return cost{}, err
	}
	for range n {
		if err := run(); err != nil {
			return cost{}, err
		}
	}
	end, err := cpuTime()
	if err != nil {
		return cost{}, err
	}
	runtime.ReadMemStats(&after)
	all := float64(n * nodes)
	return cost{
		cpu:    time.Duration(float64(end-begin) / all),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / all,
		allocs: float64(after.Mallocs-before.Mallocs) / all,
	}, nil
}

// median takes the middle of each number.
func median(costs []cost) cost {
	return cost{
		cpu:    middle(costs, func(c cost) time.Duration { return c.cpu }),
		bytes:  middle(costs, func(c cost) float64 { return c.bytes }),
		allocs: middle(costs, func(c cost) float64 { return c.allocs }),
	}
}

func middle[T time.Duration | float64](costs []cost, of func(cost) T) T {
	var all []T
	for _, c := range costs {
		all = append(all, of(c))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
