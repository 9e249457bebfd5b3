package workflow

import (
	"sync"

	"github.com/plait-dev/plait/pkg/journal"
)

// messageKind says what a message to the run's loop tells.
type messageKind uint8

const (
	returned  messageKind = iota // a body returned
	committed                    // a body asks for records to be written
	emitted                      // a body shows progress
	spawned                      // a body schedules a child
	exhausted                    // a body may not call its model any more
	eased                        // a body that has children has ended something that it did beside
	lapsed                       // nobody answered a question in time
	answering                    // somebody answers
	due                          // a pause before an attempt is over
	timedOut                     // an attempt has taken too long
	overdue                      // a body hasn't returned in the time that it was given for it
	stopped                      // the caller's context is done
	unclaimed                    // a child that a body asks for fits nothing that was recorded
	dozed                        // nothing has happened for a while in a run that seems to wait
	expired                      // the run has executed for too long
)

// work says that the message comes from the work of an activation and takes its turn among others.
func (k messageKind) work() bool { return k <= due }

// message is something that happened outside the loop.
type message struct {
	kind     messageKind
	ctx      *Context
	in       *instance // of overdue: what all bodies should have returned of, when it isn't about one
	records  []journal.Record
	progress Progress
	child    *childRequest
	answers  []Answer
	handled  int // of dozed: how many messages there had been
	reply    chan error
}

// current says that the message comes from a body that executes and isn't given up.
func (m *message) current() bool {
	return m.kind != due && m.kind != lapsed && m.ctx != nil && m.ctx.executes()
}

// letter is a message on its way. Nearly all of them tell that a body returned, and say no more than that.
type letter struct {
	returned *Context
	other    *message
}

func (l letter) open() message {
	if l.other == nil {
		return message{kind: returned, ctx: l.returned}
	}
	return *l.other
}

// mailbox is where bodies and timers leave messages for the loop. Nobody waits for room in it.
type mailbox struct {
	// handOver is that of the run, see [Env].
	handOver func()
	wake     chan struct{}

	mu      sync.Mutex
	letters []letter
	asleep  bool // the loop waits for wake
	closed  bool
}

func newMailbox(handOver func()) *mailbox {
	return &mailbox{wake: make(chan struct{}, 1), handOver: handOver}
}

// put leaves a message; false means that nobody will read it.
func (b *mailbox) put(m message) bool { return b.send(letter{other: &m}) }

// putReturned leaves the message that a body has returned.
func (b *mailbox) putReturned(c *Context) { b.send(letter{returned: c}) }

func (b *mailbox) send(l letter) bool {
	b.handOver()
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return false
	}
	b.letters = append(b.letters, l)
	asleep := b.asleep
	b.asleep = false
	b.mu.Unlock()
	if asleep {
		b.wake <- struct{}{}
	}
	b.handOver()
	return true
}

// collect adds everything that has come to what isn't handled yet, or puts it in its place when there is nothing.
func (b *mailbox) collect(unhandled []letter) []letter {
	b.handOver()
	b.mu.Lock()
	defer b.mu.Unlock()
	come := b.letters
	if len(unhandled) == 0 {
		b.letters = unhandled
		return come
	}
	unhandled = append(unhandled, come...)
	clear(come)
	b.letters = come[:0]
	return unhandled
}

// sleep returns when there is a letter.
func (b *mailbox) sleep() {
	b.mu.Lock()
	b.asleep = len(b.letters) == 0
	asleep := b.asleep
	b.mu.Unlock()
	if asleep {
		<-b.wake
	}
}

// pending says that there are messages that weren't collected.
func (b *mailbox) pending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.letters) > 0
}

// close refuses further messages and answers those that wait for a reply.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	refuseAll(b.letters)
	b.letters = nil
}

// refuseAll answers those that wait for a reply to messages that nobody will handle.
func refuseAll(letters []letter) {
	for _, l := range letters {
		if l.other != nil && l.other.reply != nil {
			l.other.reply <- errRunOver
		}
	}
}
