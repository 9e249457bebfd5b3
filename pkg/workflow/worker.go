package workflow

import (
	"fmt"
	"runtime/debug"
)

// serve executes bodies for a run on a goroutine of its own: the first one, and then those that the loop hands out to
// whoever is idle, until there is no work any more.
func serve(mail *mailbox, work <-chan *Context, first *Context) {
	for ctx := first; ctx != nil; ctx = <-work {
		execute(mail, ctx)
	}
}

// execute runs one attempt and reports how it went, also when the body ends its goroutine.
func execute(mail *mailbox, ctx *Context) {
	mail.handOver()
	m := message{kind: returned, ctx: ctx}
	defer func() {
		if !m.idle {
			m.err = Errorf(CodePanic, "the body ended its goroutine by runtime.Goexit")
		}
		mail.put(m)
	}()
	m.result, m.err = ctx.call()
	m.idle = true
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
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}
