package workflow

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// execute runs one attempt and reports how it went, also when the body ends its goroutine. If it doesn't, the goroutine
// counts as looking for the next one before it reports.
func (c *Context) execute(looking *atomic.Int32) {
	mail := c.run().mail
	mail.handOver()
	returned := false
	defer func() {
		if !returned {
			c.give(Result{}, errGoexit)
		}
		mail.putReturned(c)
	}()
	c.give(c.call())
	looking.Add(1)
	returned = true
}

// errGoexit is what an attempt fails with whose body ended its goroutine.
var errGoexit = Errorf(CodePanic, "the body ended its goroutine by runtime.Goexit")

// more is what a body returned when that isn't an output alone.
type more struct {
	result Result
	err    error
}

// give keeps what a body returned.
func (c *Context) give(res Result, err error) {
	c.output = res.Output
	if err != nil || !res.isOutput() {
		c.more = &more{res, err}
	}
}

// gave returns what was kept.
func (c *Context) gave() (Result, error) {
	if c.more == nil {
		return Result{Output: c.output}, nil
	}
	return c.more.result, c.more.err
}

// PanicError is a panic in the code of a node.
type PanicError struct {
	Value any
	Stack []byte
}

// Error gives the value of the panic, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// ErrorCode returns [CodePanic].
func (e *PanicError) ErrorCode() Code { return CodePanic }

// contain turns a panic into an error.
func contain(err *error) {
	if v := recover(); v != nil {
		*err = panicked(v)
	}
}

// ended is [contain] for a body. It notes that the body has returned, unless its time was over before.
func (c *Context) ended(err *error) {
	if v := recover(); v != nil {
		*err = panicked(v)
	}
	c.end()
}

func panicked(v any) error { return &PanicError{Value: v, Stack: debug.Stack()} }
