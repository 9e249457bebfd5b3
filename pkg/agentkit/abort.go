package agentkit

import (
	"context"
	"errors"

	"github.com/plait-dev/plait/pkg/journal"
)

// What a model reads as the result of a call that has none because the run was aborted: before the call began, or while
// it was running.
const (
	AbortedCall = "not run: the run was aborted"
	CutShort    = "outcome unknown, the run was aborted while this call was running: it may have taken effect or not"
)

// abort completes the transcript of a run that was aborted: each call of the turn that was under way gets a result.
func (r *run) abort(ctx context.Context) error {
	t := r.open
	if t == nil {
		return ErrAborted
	}
	var recs []journal.Record
	for n, c := range t.calls {
		if t.has(n) {
			continue
		}
		why := AbortedCall
		if t.began(n) {
			why = CutShort
		} else {
			r.auditCall(c, AuditEntry{Decision: AuditAborted})
		}
		recs = append(recs, r.refuse(c, errors.New(why)))
	}
	if len(recs) > 0 {
		if err := r.commit(context.WithoutCancel(ctx), recs); err != nil {
			return err
		}
	}
	return ErrAborted
}
