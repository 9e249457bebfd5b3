package agentkit

import (
	"context"
	"errors"
	"sync"
)

// ErrAborted is what a run ends with that its [Control] aborted. Its transcript is complete: each call has a result.
var ErrAborted = errors.New("the run was aborted")

// ErrNotDelivered is what becomes of a message that a run didn't take any more, because it had come to its end or
// failed. The message isn't in the transcript; the next run may be asked it.
var ErrNotDelivered = errors.New("the run ended before it took the message")

// Control reaches a run while it is under way: it puts messages into it, and aborts it. The zero Control is ready; it is
// given to one run as [RunInput].Control, and may be used before that run begins. It is safe for concurrent use.
//
// A message is committed to the run's [Log] before the model sees it: at once while tools run, else when the model's
// answer has come. From then on it is part of [RunInput].Progress like everything else that was committed: a run that is
// taken up again shows it at the same place, and once.
type Control struct {
	mu        sync.Mutex
	steering  []*Delivery
	followUps []*Delivery
	cancel    context.CancelCauseFunc // of the run; nil before it begins
	steered   chan struct{}           // has an element when there may be messages of Steer; nil before the run begins
	aborted   bool
	over      bool
}

// Steer puts a message in front of the next model call: behind the results of the batch that is under way, of which no
// call is held back or cut short. A run that was about to end answers it. All messages that wait are taken together, in
// the order in which they were put.
func (c *Control) Steer(text string) *Delivery { return c.put(&c.steering, text) }

// FollowUp puts a message behind the end of the run, which then goes on with it: one message at a time, in the order in
// which they were put, and behind those of Steer. A run that fails or that a stop policy ends doesn't take it.
func (c *Control) FollowUp(text string) *Delivery { return c.put(&c.followUps, text) }

func (c *Control) put(queue *[]*Delivery, text string) *Delivery {
	d := &Delivery{text: text, done: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		d.settle(ErrNotDelivered)
		return d
	}
	*queue = append(*queue, d)
	select {
	case c.steered <- struct{}{}:
	default: // the run hasn't begun, or it knows
	}
	return d
}

// Abort ends the run with [ErrAborted]. The answer that the model is writing is dropped; running tools see their context
// cancelled. Calls that have no result then get one, which says whether they began. It doesn't wait for the end.
//
// Whoever wants to take the run up later, a process that is told to go for instance, cancels the run's context instead:
// that leaves open what is open.
func (c *Control) Abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.aborted = true; c.cancel != nil {
		c.cancel(ErrAborted)
	}
}

// attach connects the control with its run.
func (c *Control) attach(cancel context.CancelCauseFunc) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.cancel != nil:
		return errors.New("the Control was given to another run already: each run needs its own")
	case c.aborted:
		cancel(ErrAborted)
	}
	c.cancel, c.steered = cancel, make(chan struct{}, 1)
	return nil
}

// waiting is where a run is told of messages.
func (c *Control) waiting() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.steered // it was made before the run began
}

// take returns the messages whose turn it is. When the run is about to end and there are none, it is over: what is put
// from then on isn't delivered, so that no message falls between the last look and the end.
func (c *Control) take(ending bool) []*Delivery {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	took := c.steering
	c.steering = nil
	switch {
	case len(took) > 0 || !ending:
	case len(c.followUps) > 0:
		took, c.followUps = c.followUps[:1:1], c.followUps[1:]
	default:
		c.over = true
	}
	return took
}

// end follows the end of the run, however it came.
func (c *Control) end() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	for _, d := range append(c.steering, c.followUps...) {
		d.settle(ErrNotDelivered)
	}
	c.steering, c.followUps = nil, nil
}

// Delivery is a message on its way into a run.
type Delivery struct {
	text string
	done chan struct{}
	err  error // read behind done
}

// Wait waits until the message is in the transcript, durably, and returns nil; [ErrNotDelivered] when the run ended
// first; the error of the [Log], when it may be there or not; or the cause of ctx, which doesn't take the message back.
func (d *Delivery) Wait(ctx context.Context) error {
	select {
	case <-d.done:
		return d.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *Delivery) settle(err error) {
	d.err = err
	close(d.done)
}
