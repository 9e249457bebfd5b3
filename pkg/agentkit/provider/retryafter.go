package provider

import (
	"net/http"
	"strconv"
	"time"
)

// retryAfter reads how long the vendor asks to wait; 0 when it doesn't say. A date counts from the vendor's own clock.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return wait(ms, time.Millisecond)
	}
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return wait(seconds, time.Second)
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, until.Sub(now))
}

// wait is n units, as far as that is a time that anyone can wait.
func wait(n float64, unit time.Duration) time.Duration {
	const longest = 365 * 24 * time.Hour
	switch {
	case !(n > 0): // NaN as well
		return 0
	case n > float64(longest/unit):
		return longest
	}
	return time.Duration(n * float64(unit))
}
