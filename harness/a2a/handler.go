package a2a

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/plait-dev/plait/harness/auth"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal"
)

// Outlines describes the documents that runs began with, by the digest of their config.
type Outlines func(ctx context.Context, digest string) (intake.Outline, error)

// handler implements the methods of the protocol.
type handler struct {
	runs     *run.Supervisor
	outlines Outlines
	log      *slog.Logger
}

var _ a2asrv.RequestHandler = (*handler)(nil)

// admit returns who asks, and refuses who speaks another version of the protocol. A request that names no version speaks
// this one: its methods are those of no other.
func (h *handler) admit(ctx context.Context) (principal string, err error) {
	principal, ok := auth.Principal(ctx)
	if !ok {
		return "", a2a.ErrUnauthenticated
	}
	call, ok := a2asrv.CallContextFrom(ctx)
	if !ok {
		return principal, nil
	}
	versions, _ := call.ServiceParams().Get(a2a.SvcParamVersion)
	for _, v := range versions {
		if v != "" && v != string(a2a.Version) && !strings.HasPrefix(v, string(a2a.Version)+".") {
			return "", a2a.NewError(a2a.ErrVersionNotSupported, fmt.Sprintf("this agent speaks A2A %s, the request is of version %q", a2a.Version, v))
		}
	}
	return principal, nil
}

// GetTask implements [a2asrv.RequestHandler].
func (h *handler) GetTask(ctx context.Context, req *a2a.GetTaskRequest) (*a2a.Task, error) {
	principal, err := h.admit(ctx)
	if err != nil {
		return nil, err
	}
	info, err := h.runs.Run(principal, string(req.ID))
	if err != nil {
		return nil, h.reply(ctx, err)
	}
	return h.task(ctx, info, req.HistoryLength)
}

// CancelTask implements [a2asrv.RequestHandler].
func (h *handler) CancelTask(ctx context.Context, req *a2a.CancelTaskRequest) (*a2a.Task, error) {
	principal, err := h.admit(ctx)
	if err != nil {
		return nil, err
	}
	info, err := h.runs.Run(principal, string(req.ID))
	if err == nil {
		err = h.runs.Cancel(ctx, info, "by "+principal)
	}
	if err != nil {
		return nil, h.reply(ctx, err)
	}
	return h.task(ctx, info, nil)
}

// task is the view of a run.
func (h *handler) task(ctx context.Context, info journal.RunInfo, historyLength *int) (*a2a.Task, error) {
	v, err := readSession(ctx, h.runs.Store(), info.Session)
	if err != nil {
		return nil, h.reply(ctx, err)
	}
	task, err := h.view(ctx, v, info)
	if err != nil {
		return nil, err
	}
	return task, shorten(task, historyLength)
}

// view is that of a run in a session that was read.
func (h *handler) view(ctx context.Context, s *session, info journal.RunInfo) (*a2a.Task, error) {
	r, err := s.run(info.Run)
	if err != nil {
		return nil, h.reply(ctx, err)
	}
	return s.task(r, h.outline(ctx, info)), nil
}

// outline describes the document of a run. Without its config nothing is known of it, and the run's view is poorer.
func (h *handler) outline(ctx context.Context, info journal.RunInfo) intake.Outline {
	o, err := h.outlines(ctx, info.Config)
	if err != nil {
		h.log.Error("the config of a run can't be read", "session", info.Session, "run", info.Run, "config", info.Config, "error", err)
	}
	return o
}

// GetTaskPushConfig implements [a2asrv.RequestHandler]: there are no push notifications.
func (h *handler) GetTaskPushConfig(ctx context.Context, _ *a2a.GetTaskPushConfigRequest) (*a2a.PushConfig, error) {
	return nil, h.noPush(ctx)
}

// ListTaskPushConfigs implements [a2asrv.RequestHandler]: there are no push notifications.
func (h *handler) ListTaskPushConfigs(
	ctx context.Context, _ *a2a.ListTaskPushConfigRequest,
) (*a2a.ListTaskPushConfigResponse, error) {
	return nil, h.noPush(ctx)
}

// CreateTaskPushConfig implements [a2asrv.RequestHandler]: there are no push notifications.
func (h *handler) CreateTaskPushConfig(ctx context.Context, _ *a2a.PushConfig) (*a2a.PushConfig, error) {
	return nil, h.noPush(ctx)
}

// DeleteTaskPushConfig implements [a2asrv.RequestHandler]: there are no push notifications.
func (h *handler) DeleteTaskPushConfig(ctx context.Context, _ *a2a.DeleteTaskPushConfigRequest) error {
	return h.noPush(ctx)
}

func (h *handler) noPush(ctx context.Context) error {
	if _, err := h.admit(ctx); err != nil {
		return err
	}
	return a2a.ErrPushNotificationNotSupported
}

// GetExtendedAgentCard implements [a2asrv.RequestHandler]: there is no other card than the public one.
func (h *handler) GetExtendedAgentCard(ctx context.Context, _ *a2a.GetExtendedAgentCardRequest) (*a2a.AgentCard, error) {
	if _, err := h.admit(ctx); err != nil {
		return nil, err
	}
	return nil, a2a.ErrUnsupportedOperation
}
