//go:build unix

package source_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is what the process has used so far. Unlike time on a clock it hardly depends on who else uses the machine.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
