package workflow

import (
	"fmt"
	"runtime/debug"
)

// worker is a goroutine that executes bodies for a run, one after the other. The loop owns all of them: it hands out
// work to those that are idle and dismisses them at the end of the run.
type worker struct {
	mail *mailbox
	work chan *Context
}

func startWorker(mail *mailbox) *worker {
	w := &worker{mail: mail, work: make(chan *Context, 1)}
	go w.serve()
	return w
}

func (w *worker) serve() {
	for ctx := range w.work {
		w.execute(ctx)
	}
}

// execute runs one attempt and reports how it went, also when the body ends its goroutine.
func (w *worker) execute(ctx *Context) {
	w.mail.handOver()
	m := message{kind: returned, ctx: ctx}
	defer func() {
		if m.worker == nil {
			m.err = Errorf(CodePanic, "the body ended its goroutine by runtime.Goexit")
		}
		w.mail.put(m)
	}()
	m.result, m.err = ctx.call()
	m.worker = w
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
