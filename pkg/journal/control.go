package journal

import "time"

// Session is the first record of a log.
type Session struct {
	ID        string
	App       string
	Principal string
	User      string

	// Parent is the activation of another session that this one was forked from; nil for others.
	Parent *Parent

	// State is the state that the session begins with.
	State map[string]any
}

// Parent names an activation of another session.
type Parent struct {
	Session string
	Run     string
	Path    string
}

// Run begins a run. It is the first record of the run, but for a [Queue].
type Run struct {
	ID string

	// Revision and Config (a digest, see [Configs]) are what the run is pinned to.
	Revision string
	Config   string

	// Root is the agent that runs.
	Root string

	// Task is the A2A task id.
	Task string

	// Input is what the run was started with; nil is null.
	Input any

	// Trace is the trace context that the run continues.
	Trace string

	// Format is the oldest format version whose readers can continue the run; 0 means 1.
	Format int

	// Of is the run of the same session that this one goes on from; empty for a run that begins anew. What that run had
	// done is told again by the records that follow, but for its messages, which count as this run's, too.
	Of string

	// Message is the message that began the run, where it isn't a message of the run.
	Message string

	// Temp is the temporary state that the run begins with.
	Temp map[string]any
}

// Queue says that a message was accepted while another run executes: it starts the run Run later.
type Queue struct {
	Run     string
	Message string
}

// Note is a warning or a remark that people see.
type Note struct {
	// Path is the activation it is about; empty for the run or the session.
	Path string
	// Code is stable: unmatched-route, state-conflict, …
	Code string
	Text string
	// Data are particulars; nil when there are none.
	Data any
}

// Own says that a process took the run over from another one, or from an earlier life of itself.
type Own struct {
	Owner string
	Epoch int64

	// Recoveries says how often the run was taken over while the activation that runs now was running.
	Recoveries int
}

// Cancel asks for the end of the run; any process may write it.
type Cancel struct {
	By     string
	Reason string
}

// Stop suspends the run: it isn't over, but nothing advances it until it is taken up again.
type Stop struct {
	// Why is stable: drain, config-missing, …
	Why string
	// Due is when it goes on by itself; zero when it doesn't.
	Due time.Time
}

// Done is the last record of a run.
type Done struct {
	// Status is [Completed], [Failed] or [Canceled].
	Status Status

	// Output is absent when there is none.
	Output Optional

	// Err says why the run failed; nil for others.
	Err *Failure

	// Usage is the sum over the run; nil when nothing was consumed.
	Usage *Usage
}

// Status is the state of a run.
type Status string

// The states of a run. Queued is a message that waits for its turn; Suspended runs go on when a process can take them
// up; the last three are final.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Waiting   Status = "waiting"
	Suspended Status = "suspended"
	Completed Status = "completed"
	Failed    Status = "failed"
	Canceled  Status = "canceled"
)

// Final reports whether a run of this status is over.
func (s Status) Final() bool { return s == Completed || s == Failed || s == Canceled }

// Kind returns [KindSession].
func (Session) Kind() Kind { return KindSession }

// Kind returns [KindRun].
func (Run) Kind() Kind { return KindRun }

// Kind returns [KindQueue].
func (Queue) Kind() Kind { return KindQueue }

// Kind returns [KindNote].
func (Note) Kind() Kind { return KindNote }

// Kind returns [KindOwn].
func (Own) Kind() Kind { return KindOwn }

// Kind returns [KindCancel].
func (Cancel) Kind() Kind { return KindCancel }

// Kind returns [KindStop].
func (Stop) Kind() Kind { return KindStop }

// Kind returns [KindDone].
func (Done) Kind() Kind { return KindDone }

func (Session) record() {}
func (Run) record()     {}
func (Queue) record()   {}
func (Note) record()    {}
func (Own) record()     {}
func (Cancel) record()  {}
func (Stop) record()    {}
func (Done) record()    {}
