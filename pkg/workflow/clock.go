package workflow

import "time"

// Clock tells the time and keeps deadlines. Tests replace it to make time pass.
type Clock interface {
	Now() time.Time

	// AfterFunc calls f once, on a goroutine of its own, after d. The returned function prevents that if it isn't too
	// late, and says whether it did.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
