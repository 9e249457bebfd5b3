package cputime

import "time"

// Of is what a call used, with whatever else the process did meanwhile.
func Of(call func()) (time.Duration, error) {
	before, err := Used()
	if err != nil {
		return 0, err
	}
	call()
	after, err := Used()
	return after - before, err
}
