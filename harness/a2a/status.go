package a2a

import (
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/pkg/journal"
)

// state is the protocol's name for the status of a run. A suspended run works: it goes on by itself when it can.
func state(s journal.Status) a2a.TaskState {
	switch s {
	case journal.Queued:
		return a2a.TaskStateSubmitted
	case journal.Waiting:
		return a2a.TaskStateInputRequired
	case journal.Completed:
		return a2a.TaskStateCompleted
	case journal.Failed:
		return a2a.TaskStateFailed
	case journal.Canceled:
		return a2a.TaskStateCanceled
	default:
		return a2a.TaskStateWorking
	}
}

// status is that of a task, with an explanation if there is one.
func status(info a2a.TaskInfo, s journal.Status, explanation string, at time.Time) a2a.TaskStatus {
	at = at.UTC()
	out := a2a.TaskStatus{State: state(s), Timestamp: &at}
	if explanation != "" {
		out.Message = remark(info, string(info.TaskID)+".status", explanation)
	}
	return out
}

// explanation says what a person should know about the state of a run.
func explanation(r *journal.RunState) string {
	switch {
	case r.Done != nil:
		return ending(*r.Done)
	case r.Status() == journal.Suspended:
		return suspension(r.Reason())
	default:
		return ""
	}
}

func ending(d journal.Done) string {
	if d.Err == nil {
		return ""
	}
	return d.Err.Error()
}

// The metadata of the message that says why a task failed.
const (
	codeKey  = "plait.dev/code"
	fieldKey = "plait.dev/field" // of the document
)

// blame adds to the explanation of a failure what programs tell failures apart by, and what an author looks for.
func blame(explanation *a2a.Message, err *journal.Failure) {
	if explanation == nil || err == nil {
		return
	}
	explanation.Metadata = map[string]any{codeKey: err.Code}
	if err.Field != "" {
		explanation.Metadata[fieldKey] = err.Field
	}
}

func suspension(why string) string { return "suspended: " + why }

// remark is a message of the agent about its work.
func remark(info a2a.TaskInfo, id, text string) *a2a.Message {
	return &a2a.Message{
		ID:        id,
		TaskID:    info.TaskID,
		ContextID: info.ContextID,
		Role:      a2a.MessageRoleAgent,
		Parts:     a2a.ContentParts{a2a.NewTextPart(text)},
	}
}
