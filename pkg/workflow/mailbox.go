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
	result   Result
	err      error
	idle     bool // of returned: the goroutine of the body takes another one
	records  []journal.Record
	progress Progress
	child    *childRequest
	answers  []Answer
	handled  int // of dozed: how many messages there had been
	reply    chan error
}

// mailbox is where bodies and timers leave messages for the loop. Nobody waits for room in it.
type mailbox struct {
	wake chan struct{}
	// handOver is that of the run, see [Env].
	handOver func()

	mu     sync.Mutex
	queue  []message
	closed bool
}

func newMailbox(handOver func()) *mailbox {
	return &mailbox{wake: make(chan struct{}, 1), handOver: handOver}
}

// put leaves a message; false means that nobody will read it.
func (b *mailbox) put(m message) bool {
	b.handOver()
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return false
	}
	b.queue = append(b.queue, m)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
	b.handOver()
	return true
}

// collect appends everything that has come to into.
func (b *mailbox) collect(into []message) []message {
	b.handOver()
	b.mu.Lock()
	defer b.mu.Unlock()
	into = append(into, b.queue...)
	clear(b.queue)
	b.queue = b.queue[:0]
	return into
}

// pending says that there are messages that weren't collected.
func (b *mailbox) pending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queue) > 0
}

// close refuses further messages and answers those that wait for a reply.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, m := range b.queue {
		if m.reply != nil {
			m.reply <- errRunOver
		}
	}
	b.queue = nil
}

// inbox holds the messages that the loop has collected and not handled yet.
type inbox struct {
	messages []message
	head     int // those before it are handled
	scan     int // counts the searches, to tell activations apart that were seen in one
}

func (in *inbox) collect(mail *mailbox) {
	if in.head == len(in.messages) {
		in.messages, in.head = in.messages[:0], 0
	}
	in.messages = mail.collect(in.messages)
}

// take removes the message at an index.
func (in *inbox) take(i int) message {
	m := in.messages[i]
	copy(in.messages[in.head+1:i+1], in.messages[in.head:i])
	in.messages[in.head] = message{}
	in.head++
	return m
}

// oldest returns the index of the message that came first, -1 when there is none.
func (in *inbox) oldest() int {
	if in.head == len(in.messages) {
		return -1
	}
	return in.head
}

// firstTriggered returns the index of the message to handle next in a deterministic run: when every body that executes
// has returned or asks for something, what comes from the activation that was triggered first. -1 means to wait.
func (in *inbox) firstTriggered(executing int) int {
	in.scan++
	first := -1
	for i := in.head; i < len(in.messages); i++ {
		m := &in.messages[i]
		if !m.kind.work() || m.ctx == nil {
			return i
		}
		a := m.ctx.act
		if a.scan != in.scan && m.current() {
			a.scan = in.scan
			executing--
		}
		if first < 0 || a.trigger < in.messages[first].ctx.act.trigger {
			first = i
		}
	}
	if executing > 0 {
		return -1
	}
	return first
}

// current says that the message comes from a body that executes and isn't given up.
func (m *message) current() bool {
	return m.kind != due && m.kind != lapsed && m.ctx != nil && m.ctx.act.ctx == m.ctx && m.ctx.act.executes
}

// waitingBodies counts the bodies that wait for their children.
func (r *run) waitingBodies() int {
	n := 0
	for _, a := range r.parents {
		if a.executes && a.inner != nil && a.inner.children.outstanding > 0 {
			n++
		}
	}
	return n
}

// nextMessage waits for the message to handle next.
func (r *run) nextMessage() message {
	for {
		r.inbox.collect(r.mail)
		next := r.inbox.oldest()
		if r.env.Deterministic {
			next = r.inbox.firstTriggered(r.root.executing - r.waitingBodies())
		}
		if next >= 0 {
			return r.inbox.take(next)
		}
		<-r.mail.wake
	}
}
