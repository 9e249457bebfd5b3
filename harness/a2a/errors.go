package a2a

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/errordetails"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// retryInfo is the type of the detail that says when to try again.
const retryInfo = "type.googleapis.com/google.rpc.RetryInfo"

// invalid refuses a request for what it says.
func invalid(format string, args ...any) error {
	return a2a.NewError(a2a.ErrInvalidParams, fmt.Sprintf(format, args...))
}

// reply makes an answer of an error: what the caller can do something about is told, the rest is logged. An answer that
// asks to come back later is also left for the transport, see [refusal].
func (h *handler) reply(ctx context.Context, err error) error {
	var missing *run.NotFoundError
	var reused *run.ReusedError
	var over *run.OverError
	switch later := retryable(err); {
	case later != nil:
		note(ctx, later)
		return later.answer()
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &missing):
		return notFound(missing)
	case errors.As(err, &reused):
		return invalid("%v", reused)
	case errors.As(err, &over):
		return a2a.NewError(a2a.ErrTaskNotCancelable, over.Error())
	default:
		h.log.Error("a request failed", "error", err)
		return a2a.ErrInternalError
	}
}

func notFound(e *run.NotFoundError) error {
	if e.Run != "" {
		return a2a.NewError(a2a.ErrTaskNotFound, fmt.Sprintf("task %q not found", e.Run))
	}
	return a2a.NewError(a2a.ErrTaskNotFound, fmt.Sprintf("context %q not found", e.Session))
}

// refusal is an answer that asks to come back later.
type refusal struct {
	condition string // stable, for programs
	status    int    // of HTTP
	after     time.Duration
	message   string
}

// retryable returns the refusal that an error stands for, or nil.
func retryable(err error) *refusal {
	var engine *workflow.RunError
	var pauses *run.InterruptedError
	switch {
	case errors.As(err, new(*run.BusyError)):
		return &refusal{"session-busy", http.StatusTooManyRequests, time.Second, err.Error()}
	case errors.As(err, new(*run.FullError)):
		return &refusal{"too-many-runs", http.StatusTooManyRequests, time.Second, err.Error()}
	case errors.Is(err, run.ErrDraining):
		return &refusal{"draining", http.StatusServiceUnavailable, 2 * time.Second, err.Error()}
	case errors.As(err, &pauses):
		return &refusal{"store-unavailable", http.StatusServiceUnavailable, 5 * time.Second,
			"the run pauses because it can't be recorded; it goes on as soon as it can"}
	case errors.As(err, &engine) && engine.Code == workflow.CodeJournal, errors.As(err, new(*journal.LockedError)):
		return &refusal{"store-unavailable", http.StatusServiceUnavailable, 5 * time.Second, "nothing can be recorded at the moment"}
	default:
		return nil
	}
}

// answer is the refusal in the protocol's form. The protocol has no code of that meaning; the details tell.
func (r *refusal) answer() *a2a.Error {
	return a2a.NewError(a2a.ErrServerError, r.message).WithErrorInfoMeta(r.metadata()).WithTypedDetails(r.retryInfo())
}

func (r *refusal) metadata() map[string]string {
	return map[string]string{"condition": r.condition, "retryAfterSeconds": r.seconds()}
}

func (r *refusal) retryInfo() *errordetails.Typed {
	return errordetails.NewTyped(retryInfo, map[string]any{"retryDelay": r.seconds() + "s"})
}

func (r *refusal) seconds() string { return strconv.Itoa(int(r.after.Seconds())) }
