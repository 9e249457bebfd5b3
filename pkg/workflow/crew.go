package workflow

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew are the goroutines that execute the bodies of a run. While bodies wait to be executed, one goroutine of the crew is on
// its way to take the next one. So a body that blocks keeps none waiting behind it, and bodies that don't block are
// executed by few goroutines, not by one for each of them. A body that never returns takes its goroutine with it.
type crew struct {
	// looking counts the goroutines on their way to take a body.
	looking atomic.Int32

	mu      sync.Mutex
	work    sync.Cond      // signaled to one of the idle when it is to look for work
	queue   fifo[*Context] // bodies that nobody has taken
	idle    int            // goroutines that wait for work
	started int            // goroutines so far
	closed  bool
}

func newCrew() *crew {
	c := &crew{}
	c.work.L = &c.mu
	return c
}

// take has bodies executed.
func (c *crew) take(bodies []*activation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range bodies {
		c.queue.push(a.ctx)
	}
	c.call()
}

// call sees to it that a goroutine looks for work when there is some.
func (c *crew) call() {
	switch {
	case c.queue.len() == 0 || c.looking.Load() > 0:
		return
	case c.idle > 0:
		c.idle--
		c.work.Signal()
	default:
		c.started++
		go c.serve()
	}
	c.looking.Add(1)
}

// serve executes bodies until the run is over. Its goroutine counts as looking already, and again as soon as a body has
// returned: before the run may know of it, and come with the next one.
func (c *crew) serve() {
	for body := c.next(); body != nil; body = c.next() {
		body.execute(&c.looking)
	}
}

// next waits for the next body, and returns nil when there are no more.
func (c *crew) next() *Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.queue.len() == 0 && !c.closed { // what just returned may lead to the next one, and to sleep costs more
		c.mu.Unlock()
		runtime.Gosched()
		c.mu.Lock()
	}
	for c.queue.len() == 0 {
		c.looking.Add(-1)
		if c.closed {
			return nil
		}
		c.idle++
		c.work.Wait()
	}
	body := c.queue.pop()
	c.looking.Add(-1)
	c.call()
	return body
}

// close lets the goroutines go once they have executed what they were given.
func (c *crew) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.looking.Add(int32(c.idle))
	c.idle = 0
	c.work.Broadcast()
}
