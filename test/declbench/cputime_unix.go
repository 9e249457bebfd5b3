//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used so far, of all cores and with what the collector used.
func cpuTime() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
