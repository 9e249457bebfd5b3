package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"sync/atomic"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// Context is what the body of a node sees of its run: a context.Context that ends with the attempt, and access to the
// activation, the session's state and the journal. It is safe for concurrent use, and of no use once the body returned.
type Context struct {
	context.Context

	act     *activation
	attempt int
	state   State

	phase atomic.Int32 // says whether it ended in time
	busy  atomic.Int32 // what a body does beside waiting for its children
	limit *limit       // nil without a timeout

	// output and more are what the body returned, once the run knows that it did, and what the activation is told to have
	// given. Most bodies return no more than an output.
	output any
	more   *more
}

// limit is the timeout of an attempt.
type limit struct {
	deadline time.Time // where the network's clock is the run's
	release  func()    // ends the attempt's own context and its timers
}

// The phases of an attempt. Whether it ended in time is decided where it ends, not when the run gets to know of it: a caller
// who takes events slowly must not make it late.
const (
	phaseExecuting int32 = iota
	phaseEnded
	phaseExpired
)

// end notes that the body has returned, unless its time was over before.
func (c *Context) end() { c.phase.CompareAndSwap(phaseExecuting, phaseEnded) }

// expire notes that the time of the attempt is over. It returns false if the body has returned before.
func (c *Context) expire() bool { return c.phase.CompareAndSwap(phaseExecuting, phaseExpired) }

// expired says that the attempt took too long.
func (c *Context) expired() bool { return c.phase.Load() == phaseExpired }

// executes says that the body of the attempt executes and isn't given up, as far as the run knows.
func (c *Context) executes() bool { return c.act.ctx == c && c.act.executes }

// Deadline returns when the attempt times out.
func (c *Context) Deadline() (time.Time, bool) {
	outer, ok := c.Context.Deadline()
	if c.limit == nil || c.limit.deadline.IsZero() || ok && outer.Before(c.limit.deadline) {
		return outer, ok
	}
	return c.limit.deadline, true
}

// Err says why the context is done: context.DeadlineExceeded after the node's timeout.
func (c *Context) Err() error {
	if c.expired() {
		return context.DeadlineExceeded
	}
	return c.Context.Err()
}

// Path is the id of the activation within its run, for instance lookup@1.
func (c *Context) Path() string { return c.act.path }

// Node is the node's name.
func (c *Context) Node() string { return c.act.def.name }

// Attempt counts the attempts of this activation from 1.
func (c *Context) Attempt() int { return c.attempt }

// Branch is the branch of the transcript that the activation sees; empty for the trunk.
func (c *Context) Branch() string { return c.act.innerBranch() }

// Index is the place in its list, from 0, of the innermost item of a parallel worker that the activation is or belongs
// to; 0 outside of lists.
func (c *Context) Index() int {
	for a := c.act; a != nil; a = a.in.owner {
		if a.in.items != nil {
			return a.node
		}
	}
	return 0
}

// Input is what the body was called with; while [NodeConfig.Input] runs it is what arrived.
func (c *Context) Input() any { return c.act.input }

// Workflow is the name of the workflow, or of the team.
func (c *Context) Workflow() string { return c.act.in.name() }

// RunID is the id of the run.
func (c *Context) RunID() string { return c.run().id }

// SessionID is the id of the session. In an isolated activation it is that of the session of its own, see
// [NodeConfig.Isolated]: another one for each activation, and the same for all attempts, also after a restart and when the
// run is retried. It can be a file name as every id of a session can, and no log is kept under it.
func (c *Context) SessionID() string {
	if i := c.act.isolated(); i != nil {
		return i.own.id
	}
	return c.run().session.ID
}

// App is the application that the session belongs to.
func (c *Context) App() string { return c.run().session.App }

// Principal is who owns the session.
func (c *Context) Principal() string { return c.run().session.Principal }

// User is on whose behalf the session speaks.
func (c *Context) User() string { return c.run().session.User }

// StartedAt is when the run began; it is the same after a restart.
func (c *Context) StartedAt() time.Time { return c.run().started }

// Message is the message that began the run, or nil.
func (c *Context) Message() *journal.Msg { return c.run().message }

// State is the session's state as this attempt sees it.
func (c *Context) State() *State { return &c.state }

// IdempotencyKey is the same for all attempts of the activation, also after a restart, in another process, and when the
// run is retried; it differs from that of every other activation.
func (c *Context) IdempotencyKey() string { return idempotencyKey(c.run().first(), c.Path(), "") }

// CallKey is the [Context.IdempotencyKey] of a tool call within the activation.
func (c *Context) CallKey(call string) string { return idempotencyKey(c.run().first(), c.Path(), call) }

// idempotencyKey is derived from the path without the attempts of the composites around it.
func idempotencyKey(run, path, call string) string {
	path = withoutAttempts(path)
	if call != "" {
		path += "\n" + call
	}
	sum := sha256.Sum256([]byte(run + "\n" + path))
	return base32.StdEncoding.EncodeToString(sum[:])[:26]
}

// withoutAttempts takes the number of the attempt out of each composite in a path: w@1/x@1 for w@1~2/x@1.
func withoutAttempts(path string) string {
	for {
		before, after, found := strings.Cut(path, "~")
		if !found {
			return path
		}
		path = before + after[strings.IndexByte(after, '/'):]
	}
}

// Emit shows progress to whoever watches the run, and returns when they have seen it. A pure node shows none.
func (c *Context) Emit(p Progress) {
	if !c.act.def.pure() {
		_ = c.ask(message{kind: emitted, progress: p}) // that nobody watches any more is no concern of the body
	}
}

// Commit writes records of an agent's turn, messages and the intents of tool calls, and returns when they are durable
// and others may see them. Their paths and branches are those of the activation; an ID or Parent that is empty is filled
// in, so that a message follows the newest one. What the attempt wrote to the state since the last Commit is part of
// the last message. After an error the body should return.
func (c *Context) Commit(records ...journal.Record) error {
	if c.act.def.pure() {
		return Errorf(CodeJournal, "%s: a pure node has nothing to commit", c.Path())
	}
	return c.ask(message{kind: committed, records: records})
}

// ask leaves a request for the run's loop and waits for its answer.
func (c *Context) ask(m message) error {
	m.ctx, m.reply = c, make(chan error, 1)
	if !c.run().mail.put(m) {
		return errRunOver
	}
	return <-m.reply
}

// errRunOver answers bodies that outlive their run.
var errRunOver = Errorf(CodeCanceled, "the run went on without this activation")

// Transcript is what an activation sees of the session's messages.
type Transcript struct {
	// Request is what the session was opened with, where it is that of an isolated activation: that one's input.
	Request journal.Optional
	// Tip is the newest message or checkpoint of the session.
	Tip string
	// Thread leads to the tip, oldest first, as seen from the activation's branch. A checkpoint comes first.
	Thread []*journal.Node
	// Own are the messages of this activation, those of earlier attempts and earlier processes included.
	Own []journal.Msg
	// Calls are the tool calls of this activation that were intended and have no result: what came of them is unknown.
	Calls []journal.OpenCall
}

// Session returns what the activation sees of the session's transcript now.
func (c *Context) Session() Transcript { return c.run().transcript(c.act) }

// Before returns what the activation saw of the session's messages when its present attempt began, oldest first. The body of
// a dynamic node decides by it rather than by [Context.Session]: it is the same when the body runs again, after a restart.
func (c *Context) Before() []*journal.Node { return c.run().before(c.act) }

func (c *Context) run() *run { return c.act.in.run }
