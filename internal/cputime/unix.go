//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is what the process has used so far, on all cores and with what the collector used.
func Used() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
