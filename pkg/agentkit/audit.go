package agentkit

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Audit is the trail of an agent: who called what, who decided so, and what came of it. It goes where logs are kept for
// years, so it doesn't hold what a call was about, neither arguments nor results nor the text of a refusal: a keyed digest
// of the arguments stands for them, by which equal calls are found again.
type Audit struct {
	// Key is the key of the digest, of at least 16 bytes. Without it nobody can tell arguments from their digest by trying.
	Key []byte

	// Record takes an entry, from the goroutine of the run and in the order of what happens; several runs may call it at
	// the same time. When it panics the entry is lost, and nothing else.
	Record func(e AuditEntry)
}

// minAuditKey is half of what SHA-256 gives.
const minAuditKey = 16

func (a *Audit) check() error {
	switch {
	case a == nil:
		return nil
	case len(a.Key) < minAuditKey:
		return fmt.Errorf("audit: the key has %d bytes, it needs at least %d", len(a.Key), minAuditKey)
	case a.Record == nil:
		return errors.New("audit: Record isn't set")
	}
	return nil
}

// AuditKind says what an [AuditEntry] is about.
type AuditKind string

// The kinds. Each run has one entry of the first kind and one of the last, however it ends.
const (
	AuditRunStart AuditKind = "run-start"
	AuditCall     AuditKind = "call"
	AuditRunEnd   AuditKind = "run-end"
)

// AuditDecision says why a call was made, or wasn't.
type AuditDecision string

// The decisions.
const (
	AuditAllowed  AuditDecision = "allowed"  // the checks and rules had no objection
	AuditApproved AuditDecision = "approved" // a person approved the call
	AuditEdited   AuditDecision = "edited"   // a person approved it with other arguments
	AuditRepeated AuditDecision = "repeated" // an earlier process began it, and repeating it does no harm
	AuditRefused  AuditDecision = "refused"  // a check, a rule or a person refused it
	AuditAsked    AuditDecision = "asked"    // it waits for a person
	AuditAborted  AuditDecision = "aborted"  // the run was aborted before it began
)

// AuditOutcome says how a call or a run ended.
type AuditOutcome string

// The outcomes. A call that wasn't made has none.
const (
	AuditOK       AuditOutcome = "ok"
	AuditFailed   AuditOutcome = "failed"
	AuditUnknown  AuditOutcome = "unknown"  // of a call: the run was stopped while it ran
	AuditWaiting  AuditOutcome = "waiting"  // of a run: for a person
	AuditStopped  AuditOutcome = "stopped"  // of a run: aborted, cancelled, or left by its consumer
	AuditPanicked AuditOutcome = "panicked" // of a run: its consumer panicked
)

// AuditEntry is one entry of the trail.
type AuditEntry struct {
	At    time.Time // by the clock of the run
	Kind  AuditKind
	Agent string
	Path  string // of [RunInput]

	// Turn, from 1, and the fields to Decision belong to a call. Tool is its name as the model wrote it. Server is the MCP
	// server that has the tool, as the tool says: empty for others and for tools that don't exist, never guessed from a name.
	Turn     int
	Call     string // its id
	Tool     string
	Server   string
	ArgsHMAC string // HMAC-SHA256 of the argument bytes, in hex; without arguments those of {}
	Decision AuditDecision

	// Outcome is how the call or the run ended, Took how long it worked, and Code the code of the error that ended a run, if
	// it has one: limit-exceeded, model-error, …
	Outcome AuditOutcome
	Took    time.Duration
	Code    string
}

// audit hands an entry to the trail.
func (r *run) audit(e AuditEntry) {
	if r.cfg.Audit == nil {
		return
	}
	defer func() { _ = recover() }() // the entry is lost, see Audit.Record
	e.At, e.Agent, e.Path = r.in.Now(), r.cfg.Name, r.in.Path
	r.cfg.Audit.Record(e)
}

// auditCall records what became of a call: it was made, or it wasn't.
func (r *run) auditCall(c core.ToolCall, e AuditEntry) {
	if r.cfg.Audit == nil {
		return
	}
	e.Kind, e.Turn, e.Call, e.Tool = AuditCall, r.turn+1, c.ID, c.Name
	if t, ok := r.tools[c.Name]; ok {
		e.Server = t.spec.Server
	}
	args := []byte(c.Args)
	if len(bytes.TrimSpace(args)) == 0 {
		args = []byte("{}")
	}
	mac := hmac.New(sha256.New, r.cfg.Audit.Key)
	mac.Write(args)
	e.ArgsHMAC = hex.EncodeToString(mac.Sum(nil))
	r.audit(e)
}

// auditOutcome records a call that was made.
func (r *run) auditOutcome(o *outcome) {
	if r.cfg.Audit == nil {
		return
	}
	e := AuditEntry{Decision: o.why, Outcome: AuditOK, Took: o.took}
	switch {
	case o.unknown:
		e.Outcome = AuditUnknown
	case o.result.IsError:
		e.Outcome = AuditFailed
	}
	r.auditCall(core.ToolCall{ID: o.call.ID, Name: o.call.Name, Args: string(o.call.Args)}, e)
}

// audited runs the loop between the first entry of the trail and the last, which comes on every way out.
func (r *run) audited(ctx context.Context) (res *Result, err error) {
	began, over := time.Now(), false
	r.audit(AuditEntry{Kind: AuditRunStart})
	defer func() { r.auditEnd(ctx, began, over, err) }()
	res, err = r.loop(ctx)
	over = true
	return res, err
}

// auditEnd records the end of a run.
func (r *run) auditEnd(ctx context.Context, began time.Time, over bool, err error) {
	e := AuditEntry{Kind: AuditRunEnd, Outcome: AuditOK, Took: time.Since(began), Code: core.CodeOf(err)}
	switch {
	case !over:
		e.Outcome = AuditPanicked
	case errors.As(err, new(*ApprovalError)):
		e.Outcome = AuditWaiting
	case err != nil && ctx.Err() != nil:
		e.Outcome = AuditStopped
	case err != nil:
		e.Outcome = AuditFailed
	}
	r.audit(e)
}
