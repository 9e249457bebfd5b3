package workflow

import "time"

// watch measures how long things take in a run, from when this process took it up. To ask the system how much time has passed
// costs half as much as to ask it what time it is.
type watch struct {
	clock  Clock
	set    time.Time
	system bool // the clock is the system's
}

func newWatch(clock Clock) watch {
	_, system := clock.(systemClock)
	return watch{clock: clock, set: clock.Now(), system: system}
}

// reads is what the watch shows.
func (w *watch) reads() time.Duration {
	if w.system {
		return time.Since(w.set)
	}
	return w.clock.Now().Sub(w.set)
}

// time is when the watch showed that.
func (w *watch) time(reading time.Duration) time.Time { return w.set.Add(reading) }
