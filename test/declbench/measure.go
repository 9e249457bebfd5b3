package main

import (
	"runtime"
	"slices"
	"time"
)

// once does what is measured.
type once func() error

// benchCase is a row of the table.
type benchCase struct {
	name string
	// theirs is nil when a bare cel-go has nothing to compare with.
	ours, theirs once
	// budget is the CPU time that ours may take, ratio how much of theirs; 0: any.
	budget time.Duration
	ratio  float64
}

// cost is what doing it once costs.
type cost struct {
	cpu           time.Duration
	bytes, allocs float64
}

// measurer measures cases.
type measurer struct {
	samples int
	// each is how long a sample should take, at least.
	each time.Duration
}

// measure alternates between the sides, so that what else happens on the machine happens to both.
func (m measurer) measure(c benchCase) (row, error) {
	sides := []once{c.ours}
	if c.theirs != nil {
		sides = append(sides, c.theirs)
	}
	counts := make([]int, len(sides))
	costs := make([][]cost, len(sides))
	for i, run := range sides {
		var err error
		if counts[i], err = m.calibrate(run); err != nil {
			return row{}, err
		}
	}
	for range m.samples {
		for i, run := range sides {
			s, err := sample(run, counts[i])
			if err != nil {
				return row{}, err
			}
			costs[i] = append(costs[i], s)
		}
	}
	r := row{benchCase: c, our: median(costs[0])}
	if c.theirs != nil {
		r.their = median(costs[1])
		r.cpuRatio = ratio(costs[0], costs[1])
	}
	return r, nil
}

// ratio is the median of the ratios of samples that were taken one after the other. What slows the machine down for longer
// than a sample slows both down.
func ratio(ours, theirs []cost) float64 {
	var all []float64
	for i := range ours {
		all = append(all, float64(ours[i].cpu)/float64(max(theirs[i].cpu, 1)))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// calibrate finds how often a case runs in a sample. It also warms up.
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

// sample runs a case n times, the collector included.
func sample(run once, n int) (cost, error) {
	runtime.GC()
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
	return cost{
		cpu:    (end - begin) / time.Duration(n),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
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
