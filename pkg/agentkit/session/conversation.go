package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// Conversation is a session of agents without a graph, kept in the log of a journal: what was said, the state, and the run
// that is under way. The log is that of every other session, so the tools that read one read it, too. It is safe for
// concurrent use; one process at a time writes to a session.
type Conversation struct {
	id  string
	log *journal.Appender

	mu    sync.Mutex
	state *journal.SessionState
}

// Open opens a conversation, or begins one. The error is that of the log, or says that an entry of it is damaged.
func Open(ctx context.Context, log journal.Log, id string) (*Conversation, error) {
	state, err := journal.Load(ctx, log, id)
	if _, unknown := errors.AsType[*journal.UnknownSessionError](err); unknown {
		state, err = journal.NewSessionState(id), nil
	}
	if err != nil {
		return nil, err
	}
	c := &Conversation{id: id, log: journal.NewAppender(log, id, state.Seq, nil), state: state}
	if state.Seq > 0 {
		return c, nil
	}
	return c, c.append(ctx, "", journal.Session{ID: id})
}

// append writes an entry and takes it into account.
func (c *Conversation) append(ctx context.Context, run string, recs ...journal.Record) error {
	e, err := c.log.Append(ctx, run, 0, recs...)
	if err != nil {
		return err
	}
	return c.state.Apply(e)
}

// Messages returns what was said, oldest message first.
func (c *Conversation) Messages() []core.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.messages(func(*journal.Node, core.Message) bool { return true })
}

func (c *Conversation) messages(wanted func(*journal.Node, core.Message) bool) []core.Message {
	var msgs []core.Message
	for _, n := range c.state.Thread(c.state.Tip, journal.View{}) {
		if m, ok := n.Record.(journal.Msg); ok && wanted(n, m) {
			msgs = append(msgs, m)
		}
	}
	return msgs
}

// Unfinished returns the run that was begun and has no end, because its process died or it waits for a person; nil when
// there is none.
func (c *Conversation) Unfinished() *Run {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unfinished()
}

func (c *Conversation) unfinished() *Run {
	for _, r := range c.state.Runs {
		if r.Done == nil {
			return &Run{of: c, id: r.ID}
		}
	}
	return nil
}

// Ask begins a run of an agent with what a person says. It is an error while another run is unfinished.
func (c *Conversation) Ask(ctx context.Context, agent, text string) (*Run, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.unfinished(); r != nil {
		return nil, fmt.Errorf("session %s: the run %s isn't finished", c.id, r.id)
	}
	id := "r_" + strconv.Itoa(len(c.state.Runs)+1)
	err := c.append(ctx, id, journal.Run{ID: id, Root: agent, Input: text}, c.placed(core.UserMessage(text), 0),
		journal.Start{Path: runPath, From: []string{journal.StartNode}, Attempt: 1})
	if err != nil {
		return nil, err
	}
	return &Run{of: c, id: id}, nil
}

// placed gives a message its id and its place behind the newest one. The id is made of the entry's number and the
// message's place in the entry.
func (c *Conversation) placed(m core.Message, n int) core.Message {
	m.ID, m.Parent = c.messageID(n), c.state.Tip
	if n > 0 {
		m.Parent = c.messageID(n - 1)
	}
	return m
}

func (c *Conversation) messageID(n int) string {
	return "m_" + strconv.FormatInt(c.state.Seq+1, 10) + "." + strconv.Itoa(n)
}

// runPath is the activation of the agent: a run has no other.
const runPath = "agent@1"

// Run is one run of an agent in a [Conversation]. It is the Log of that run.
type Run struct {
	of     *Conversation
	id     string
	failed error // the log is in doubt from then on
}

// Path is the path that the records of the run have.
func (*Run) Path() string { return runPath }

// History returns what was said before the run, and what it was asked.
func (r *Run) History() []core.Message {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	return r.of.messages(func(n *journal.Node, m core.Message) bool { return !r.wrote(n, m) })
}

// wrote tells the messages of the run itself from others.
func (r *Run) wrote(n *journal.Node, m core.Message) bool { return n.Run == r.id && m.Path != "" }

// Progress returns what earlier processes committed for the run: its messages, and the intents without a result.
func (r *Run) Progress() []journal.Record {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	var recs []journal.Record
	for _, m := range r.of.messages(r.wrote) {
		recs = append(recs, m)
	}
	for _, c := range r.of.state.Run(r.id).Calls {
		recs = append(recs, c.Call)
	}
	return recs
}

// Started is when the run began.
func (r *Run) Started() time.Time {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	return r.of.state.Run(r.id).Started
}

// State looks a key of the session's state up.
func (r *Run) State(key string) (any, bool) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	v, ok := r.of.state.State[key]
	return v, ok
}

// Commit writes records of the run as one entry. Behind an error the run is of no further use: it may have been written, so
// whoever goes on opens the conversation anew.
func (r *Run) Commit(ctx context.Context, recs ...journal.Record) error {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.failed != nil {
		return r.failed
	}
	all := make([]journal.Record, len(recs))
	msgs := 0
	for i, rec := range recs {
		if m, ok := rec.(journal.Msg); ok {
			rec = r.of.placed(m, msgs)
			msgs++
		}
		all[i] = rec
	}
	r.failed = r.of.append(ctx, r.id, all...)
	return r.failed
}

// Finish records that the run ended with an answer.
func (r *Run) Finish(ctx context.Context, answer string) error {
	out := journal.Some(answer)
	return r.Commit(ctx, journal.End{Path: runPath, Output: out, Next: []string{}}, journal.Done{Status: journal.Completed, Output: out})
}

// Fail records that the run ended with an error, after which it isn't taken up again.
func (r *Run) Fail(ctx context.Context, err error) error {
	failure := journal.Failure{Code: core.CodeOf(err), Message: err.Error()}
	return r.Commit(ctx, journal.Fail{Path: runPath, Err: failure, Attempt: 1}, journal.Done{Status: journal.Failed, Err: &failure})
}
