package workflow

import (
	"errors"
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// ErrSuspend is the cause to cancel a run's context with (see context.WithCancelCause) when the run shall go on later,
// as when its process ends. Any other cancellation of the context cancels the run for good.
var ErrSuspend = errors.New("suspended by its process")

// RunRequest begins a run.
type RunRequest struct {
	// Store keeps the journal. Without one the run lives in memory alone and can't be taken up again.
	Store journal.Store

	// Session is the conversation that the run belongs to; a session that the store doesn't know is begun. Empty: a
	// new one with a random id.
	Session string

	// Run is the id of the run; empty: a random one.
	Run string

	// App, Principal and User describe a new session.
	App, Principal, User string

	// Revision and Config (a digest) are what the run is pinned to, Task and Trace the ids that others know it by.
	Revision, Config, Task, Trace string

	// Input is the workflow's input.
	Input any

	// Message is the user's message that begins the run; nil when there is none. Without an ID it gets one, without a
	// Parent it follows the session's newest message.
	Message *journal.Msg

	// State is what a new session's state begins with. For a session that exists it is ignored.
	State map[string]any

	// Epoch is that of the lease under which the run is written; 0 without leases.
	Epoch int64

	Env
}

// ResumeRequest takes up a run that isn't over: after its process died, or after it was suspended.
type ResumeRequest struct {
	Store   journal.Store
	Session string
	Run     string

	// Config is the digest of the configuration that the workflow was built from. A run that began with another one
	// stays suspended.
	Config string

	// Answers are those to questions of the run. If one of them fits no open question none is taken, and nothing changes.
	Answers []Answer

	// Owner names the process that takes the run over, Epoch its lease.
	Owner string
	Epoch int64

	Env
}

// Env is what a run takes from its surroundings. The zero value is ready for use.
type Env struct {
	Limits Limits

	// Handle, if it is set, reaches the run while it executes.
	Handle *Handle

	// Clock is the time; nil is the system's.
	Clock Clock

	// IDs makes random ids for sessions, runs and messages; nil draws 128 bits. It is called from one goroutine at a
	// time.
	IDs func() string

	// Rand draws a number from 0 up to 1 for the jitter of retries; nil is math/rand.
	Rand func() float64

	// Grace is how long activations may take to return once they are cancelled, before the run goes on without them;
	// default 1 s.
	Grace time.Duration

	// Deterministic makes the journal of a run a function of what its nodes do, not of how long it takes them: the
	// run waits until everything that executes has ended or asks for something, and then takes what comes from the
	// activation that was triggered first. It costs parallelism between a slow node and the successors of a fast one,
	// and bodies must not wait for each other across a Commit or an Emit.
	Deterministic bool

	// handOver is called wherever a goroutine hands something over to another one; tests disturb the schedule there.
	handOver func()
}

// Limits bound a run. Exceeding one ends the run with [CodeLimit].
type Limits struct {
	// MaxSteps bounds the activations of the run; default 10,000.
	MaxSteps int

	// MaxVisits bounds the activations of one node in one execution of its graph; default 1,000. A node's own
	// [NodeConfig.MaxVisits] goes first.
	MaxVisits int

	// MaxTokens bounds the tokens of all model calls, in both directions, those of caches included; 0 is no bound. It is
	// looked at before each call, so that what is used can exceed it by a call for each agent that works at the same time.
	MaxTokens int64

	// MaxCostUSD bounds what they cost, in US dollars, as far as their usage tells it; 0 is no bound. It is looked at like
	// MaxTokens.
	MaxCostUSD float64

	// MaxDuration bounds the time in which the run executes; 0 is no bound.
	MaxDuration time.Duration
}

// The defaults of [Limits] and [Env].
const (
	defaultMaxSteps  = 10_000
	defaultMaxVisits = 1_000
	defaultGrace     = time.Second
)
