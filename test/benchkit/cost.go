package benchkit

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Cost is what doing something once costs. CPU is the time of all cores, that of the garbage collector included.
type Cost struct {
	CPU           time.Duration
	Bytes, Allocs float64
}

// Per divides a cost by a number of equal parts.
func (c Cost) Per(parts int) Cost {
	n := float64(parts)
	return Cost{CPU: time.Duration(float64(c.CPU) / n), Bytes: c.Bytes / n, Allocs: c.Allocs / n}
}

// Median takes the middle of each number.
func Median(costs []Cost) Cost {
	return Cost{
		CPU:    middle(costs, func(c Cost) time.Duration { return c.CPU }),
		Bytes:  middle(costs, func(c Cost) float64 { return c.Bytes }),
		Allocs: middle(costs, func(c Cost) float64 { return c.Allocs }),
	}
}

// Ratio is the median of the ratios of the CPU times of samples that were taken one after the other. What slows the machine
// down for longer than a sample slows both down.
func Ratio(ours, theirs []Cost) float64 {
	all := make([]float64, len(ours))
	for i := range ours {
		all[i] = float64(ours[i].CPU) / float64(max(theirs[i].CPU, 1))
	}
	return middle(all, func(ratio float64) float64 { return ratio })
}

func middle[S any, T cmp.Ordered](samples []S, of func(S) T) T {
	all := make([]T, len(samples))
	for i, s := range samples {
		all[i] = of(s)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// Micros writes a time in microseconds.
func Micros(d time.Duration) string {
	return fmt.Sprintf("%.2f µs", float64(d)/float64(time.Microsecond))
}
