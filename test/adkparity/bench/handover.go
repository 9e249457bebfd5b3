package main

import (
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// handOverCost is what the system takes to hand something to another goroutine and to get it back, without anything being
// done with it: when both sleep until they are woken, as on channels; when both let others go first before they sleep, as
// ours do; and when they are coroutines, of which one can't go on before the other one lets it.
type handOverCost struct {
	sleeping, yielding, coroutine time.Duration
}

// laps is how often something is handed over and back.
const laps = 200_000

func measureHandOver() (c handOverCost, err error) {
	if c.sleeping, err = pingPong(false); err != nil {
		return c, err
	}
	if c.yielding, err = pingPong(true); err != nil {
		return c, err
	}
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	defer stop()
	c.coroutine, err = benchkit.Each(laps, func(int) error {
		next()
		return nil
	})
	return c, err
}

func pingPong(yields bool) (time.Duration, error) {
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
