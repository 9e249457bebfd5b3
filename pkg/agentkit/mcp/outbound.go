package mcp

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// outbound is what the SDK writes a child's messages to. A write that the child doesn't take within the limit ends the
// connection: the SDK waits for a blocked write whatever its context says, and Close waits with it.
type outbound struct {
	w       io.WriteCloser
	limit   time.Duration
	stalled func() // makes a blocked write return
	probe   *probe

	fault atomic.Pointer[error] // the first failed write
}

// Write implements io.Writer. The SDK writes one message at a time.
func (o *outbound) Write(p []byte) (int, error) {
	if o.probe != nil && !o.probe.watch(p) {
		o.probe = nil
	}
	var late atomic.Bool
	timer := time.AfterFunc(o.limit, func() {
		late.Store(true)
		o.stalled()
	})
	defer timer.Stop()
	n, err := o.w.Write(p)
	if err != nil && late.Load() {
		err = &violation{rule: fmt.Sprintf("the server doesn't read its input: %d bytes were blocked for %v", len(p), o.limit)}
	}
	if err != nil {
		o.fault.CompareAndSwap(nil, &err)
	}
	return n, err
}

// failure returns the error of the first write that failed, or nil.
func (o *outbound) failure() error {
	if err := o.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// Close closes the child's stdin, which asks it to leave.
func (o *outbound) Close() error { return o.w.Close() }
