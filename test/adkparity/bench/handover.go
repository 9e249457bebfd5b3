package main

import (
	"runtime"
	"sync"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// handOverCost is what the system takes to hand something to another goroutine and to get it back, without anything being
// done with it: when both sleep until they are woken, as on channels, and when both let others go first before they
// sleep, as ours do.
type handOverCost struct {
	sleeping, yielding time.Duration
}

func measureHandOver() (c handOverCost, err error) {
	if c.sleeping, err = pingPong(false); err == nil {
		c.yielding, err = pingPong(true)
	}
	return c, err
}

func pingPong(yields bool) (time.Duration, error) {
	const laps = 200_000
	there, back := newHand(yields), newHand(yields)
	go func() {
		for range laps {
			there.take()
			back.give()
		}
	}()
	return benchkit.Each(laps, func(int) error {
		there.give()
		back.take()
		return nil
	})
}

// hand holds something or nothing.
type hand struct {
	yields bool
	wake   chan struct{}

	mu           sync.Mutex
	full, asleep bool
}

func newHand(yields bool) *hand { return &hand{yields: yields, wake: make(chan struct{}, 1)} }

func (h *hand) give() {
	h.mu.Lock()
	asleep := h.asleep
	h.full, h.asleep = true, false
	h.mu.Unlock()
	if asleep {
		h.wake <- struct{}{}
	}
}

// take waits until there is something.
func (h *hand) take() {
	if h.yields {
		runtime.Gosched()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for !h.full {
		h.asleep = true
		h.mu.Unlock()
		<-h.wake
		h.mu.Lock()
	}
	h.full = false
}
