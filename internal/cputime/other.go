//go:build !unix

package cputime

import "time"

// Used is the time on the clock, where nothing better is at hand.
func Used() (time.Duration, error) { return time.Duration(time.Now().UnixNano()), nil }
