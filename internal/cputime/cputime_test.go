package cputime_test

import (
	"testing"
	"time"

	"github.com/plait-dev/plait/internal/cputime"
)

func TestWorkIsMeasured(t *testing.T) {
	sum := 0
	busy, err := cputime.Of(func() {
		for begin := time.Now(); time.Since(begin) < 50*time.Millisecond; {
			for i := range 1000 {
				sum += i
			}
		}
	})
	if err != nil || busy <= 0 || sum == 0 {
		t.Errorf("50 ms of work took %v, %v", busy, err)
	}
	later, err := cputime.Used()
	if err != nil || later < busy {
		t.Errorf("the process has used %v, of which %v at once; %v", later, busy, err)
	}
}
