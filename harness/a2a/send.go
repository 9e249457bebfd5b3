package a2a

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// maxMessageID is the longest id of a message in bytes. It is kept in the journal.
const maxMessageID = 256

// SendMessage implements [a2asrv.RequestHandler]. It answers when the run is over or waits for a person, or at once when the request asks for
// that. A run that is suspended meanwhile is answered as it is: working.
func (h *handler) SendMessage(ctx context.Context, req *a2a.SendMessageRequest) (a2a.SendMessageResult, error) {
	begun, info, err := h.begin(ctx, req)
	if err != nil {
		return nil, err
	}
	defer begun.Watcher.Close()
	var length *int
	immediate := false
	if req.Config != nil {
		length, immediate = req.Config.HistoryLength, req.Config.ReturnImmediately
	}
	if !immediate {
		if err := h.await(ctx, info, begun.Watcher); err != nil {
			return nil, err
		}
	}
	return h.task(ctx, info, length)
}

// SendStreamingMessage implements [a2asrv.RequestHandler].
func (h *handler) SendStreamingMessage(ctx context.Context, req *a2a.SendMessageRequest) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		begun, info, err := h.begin(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		defer begun.Watcher.Close()
		s := &stream{handler: h, info: info, watcher: begun.Watcher, yield: yield, endsWaiting: true}
		if begun.Repeated {
			s.resume(ctx)
			return
		}
		s.begin(ctx, req.Message)
	}
}

// begin begins the run that a message asks for.
func (h *handler) begin(ctx context.Context, req *a2a.SendMessageRequest) (*run.Begun, journal.RunInfo, error) {
	principal, err := h.admit(ctx)
	if err != nil {
		return nil, journal.RunInfo{}, err
	}
	if err := checkMessage(req); err != nil {
		return nil, journal.RunInfo{}, err
	}
	if req.Message.TaskID != "" {
		return h.answer(ctx, principal, req.Message)
	}
	m, err := message(req.Message)
	if err != nil {
		return nil, journal.RunInfo{}, err
	}
	m.Principal, m.User = principal, principal
	begun, err := h.runs.Begin(ctx, m)
	if err != nil {
		return nil, journal.RunInfo{}, h.reply(ctx, err)
	}
	info, err := h.runs.Run(principal, begun.Run)
	if err != nil {
		begun.Watcher.Close()
		return nil, info, h.reply(ctx, err)
	}
	return begun, info, nil
}

// checkMessage refuses requests that are none.
func checkMessage(req *a2a.SendMessageRequest) error {
	m := req.Message
	switch {
	case m == nil:
		return invalid("message is missing")
	case m.ID == "" || len(m.ID) > maxMessageID:
		return invalid("message.messageId has %d bytes, it must have 1 to %d", len(m.ID), maxMessageID)
	case m.Role != a2a.MessageRoleUser:
		return invalid("message.role is %q, this agent takes messages of %q", m.Role, a2a.MessageRoleUser)
	case req.Config != nil && req.Config.PushConfig != nil:
		return a2a.ErrPushNotificationNotSupported
	case len(m.Parts) == 0:
		return invalid("message.parts is empty")
	}
	return nil
}

// message takes from a message what a run begins with.
func message(m *a2a.Message) (run.Message, error) {
	texts := make([]string, len(m.Parts))
	for i, p := range m.Parts {
		text, ok := p.Content.(a2a.Text)
		if !ok {
			return run.Message{}, a2a.NewError(a2a.ErrUnsupportedContentType,
				fmt.Sprintf("message.parts[%d] isn't text; this release takes text alone", i))
		}
		texts[i] = string(text)
	}
	return run.Message{ID: m.ID, Session: m.ContextID, Text: strings.Join(texts, "\n")}, nil
}

// notForTask says why a message for a task that doesn't wait is refused.
func notForTask(info journal.RunInfo) error {
	if info.Status.Final() {
		return a2a.NewError(a2a.ErrUnsupportedOperation, fmt.Sprintf(
			"the task is over (%s): send the message with its contextId alone to go on with the conversation", info.Status))
	}
	return a2a.NewError(a2a.ErrUnsupportedOperation, fmt.Sprintf(
		"the task is %s and waits for no message: wait for its end, then send the message with its contextId alone", info.Status))
}

// await returns when a run is over, is suspended, or can't be advanced for the moment.
func (h *handler) await(ctx context.Context, info journal.RunInfo, w *run.Watcher) error {
	if info.Status.Final() {
		return nil
	}
	for e, err := range w.Events(ctx) {
		switch {
		case errors.Is(err, run.ErrLagged):
			now, err := h.runs.Run(info.Principal, info.Run)
			if err != nil || now.Status.Final() || pauses(now.Status) {
				return err
			}
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil, e.Kind == workflow.RunSuspended, e.Kind == workflow.RunWaiting, over(e):
			return nil
		}
	}
	return nil
}

// pauses reports whether a run of that status goes on later.
func pauses(s journal.Status) bool { return s == journal.Suspended || s == journal.Waiting }

// over reports whether an event is the last one of its run.
func over(e workflow.Event) bool {
	return e.Kind == workflow.RunCompleted || e.Kind == workflow.RunFailed || e.Kind == workflow.RunCanceled
}
