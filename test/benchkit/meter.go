//go:build unix

package benchkit

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// Side is one of the things that are compared: it does what is measured, once.
type Side func() error

// Meter measures sides.
type Meter struct {
	// Samples is how often each side is measured.
	Samples int
	// Each is how long a sample takes, about.
	Each time.Duration
	// NoGC switches the garbage collector off. The heap is cleared before each sample either way.
	NoGC bool
}

// Measure alternates between the sides, and returns the samples of each.
func (m Meter) Measure(sides ...Side) ([][]Cost, error) {
	counts := make([]int, len(sides))
	for i, side := range sides {
		var err error
		if counts[i], err = m.calibrate(side); err != nil {
			return nil, err
		}
	}
	costs := make([][]Cost, len(sides))
	for range m.Samples {
		for i, side := range sides {
			c, err := m.sample(side, counts[i])
			if err != nil {
				return nil, err
			}
			costs[i] = append(costs[i], c)
		}
	}
	return costs, nil
}

// calibrate finds how often a side runs in a sample. It also warms up.
func (m Meter) calibrate(side Side) (int, error) {
	begin := time.Now()
	for n := 1; ; n++ {
		if err := side(); err != nil {
			return 0, err
		}
		if took := time.Since(begin); took > m.Each/4 {
			return max(1, int(m.Each*time.Duration(n)/took)), nil
		}
	}
}

func (m Meter) sample(side Side, n int) (Cost, error) {
	runtime.GC()
	if m.NoGC {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, err := cpuTime()
	if err != nil {
		return Cost{}, err
	}
	for range n {
		if err := side(); err != nil {
			return Cost{}, err
		}
	}
	end, err := cpuTime()
	if err != nil {
		return Cost{}, err
	}
	runtime.ReadMemStats(&after)
	all := Cost{CPU: end - begin, Bytes: float64(after.TotalAlloc - before.TotalAlloc), Allocs: float64(after.Mallocs - before.Mallocs)}
	return all.Per(n), nil
}

// cpuTime is what the process has used so far, of all cores and with what the collector used.
func cpuTime() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

// Each does something n times and returns the CPU time of one.
func Each(n int, do func(int) error) (time.Duration, error) {
	begin, err := cpuTime()
	for i := 0; i < n && err == nil; i++ {
		err = do(i)
	}
	if err != nil {
		return 0, err
	}
	end, err := cpuTime()
	return (end - begin) / time.Duration(n), err
}
