package workflow

import (
	"errors"
	"sync"
)

// ErrNotExecuting says that a run doesn't execute, at least not here: it is to be taken up by [Workflow.Resume].
var ErrNotExecuting = errors.New("the run doesn't execute")

// Handle reaches a run while it executes. The zero value is ready to be put into an [Env], of one run at a time. It is safe
// for concurrent use.
type Handle struct {
	mu   sync.Mutex
	mail *mailbox
}

// Answer answers questions of the run, all or none, and returns when the answers are durable. Its errors are those of
// [ResumeRequest], and [ErrNotExecuting].
func (h *Handle) Answer(answers ...Answer) error {
	h.mu.Lock()
	mail := h.mail
	h.mu.Unlock()
	m := message{kind: answering, answers: answers, reply: make(chan error, 1)}
	if mail == nil || !mail.put(m) {
		return ErrNotExecuting
	}
	err := <-m.reply
	if errors.Is(err, errRunOver) {
		return ErrNotExecuting
	}
	return err
}

// attach lets the handle reach a run.
func (h *Handle) attach(mail *mailbox) {
	if h != nil {
		h.mu.Lock()
		h.mail = mail
		h.mu.Unlock()
	}
}
