package a2a

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/pkg/journal"
)

// How many tasks a page has: when nobody says, and at most.
const (
	defaultPage = 50
	maxPage     = 100
)

// ListTasks implements [a2asrv.RequestHandler]: the caller's tasks, those first that changed last. A context that isn't
// the caller's has none.
func (h *handler) ListTasks(ctx context.Context, req *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	principal, err := h.admit(ctx)
	if err != nil {
		return nil, err
	}
	size := cmp.Or(req.PageSize, defaultPage)
	if size < 1 || size > maxPage {
		return nil, invalid("pageSize is %d, it must be 1 to %d", req.PageSize, maxPage)
	}
	after, err := parsePosition(req.PageToken)
	if err != nil {
		return nil, err
	}
	runs := slices.DeleteFunc(h.runs.Runs(principal), func(r journal.RunInfo) bool { return !matches(req, r) })
	slices.SortFunc(runs, func(a, b journal.RunInfo) int { return positionOf(a).compare(positionOf(b)) })
	page := runs
	if after != nil {
		start, _ := slices.BinarySearchFunc(runs, *after, func(r journal.RunInfo, p position) int {
			return cmp.Or(positionOf(r).compare(p), -1) // behind the one that the page before ended with
		})
		page = runs[start:]
	}
	out := &a2a.ListTasksResponse{Tasks: []*a2a.Task{}, TotalSize: len(runs), PageSize: size}
	if len(page) > size {
		page = page[:size]
		out.NextPageToken = positionOf(page[size-1]).String()
	}
	return out, h.fill(ctx, out, page, req)
}

func matches(req *a2a.ListTasksRequest, r journal.RunInfo) bool {
	return (req.ContextID == "" || req.ContextID == r.Session) &&
		(req.Status == a2a.TaskStateUnspecified || req.Status == state(r.Status)) &&
		(req.StatusTimestampAfter == nil || !r.Updated.Before(*req.StatusTimestampAfter))
}

// fill puts the views of runs into a page. A session that several of them belong to is read once.
func (h *handler) fill(ctx context.Context, page *a2a.ListTasksResponse, runs []journal.RunInfo, req *a2a.ListTasksRequest) error {
	sessions := map[string]*session{}
	for _, info := range runs {
		s := sessions[info.Session]
		if s == nil {
			var err error
			if s, err = readSession(ctx, h.runs.Store(), info.Session); err != nil {
				return h.reply(ctx, err)
			}
			sessions[info.Session] = s
		}
		task, err := h.view(ctx, s, info)
		if err != nil {
			return err
		}
		if err := shorten(task, req.HistoryLength); err != nil {
			return err
		}
		if !req.IncludeArtifacts {
			task.Artifacts = nil
		}
		page.Tasks = append(page.Tasks, task)
	}
	return nil
}

// position is the place of a run in a list.
type position struct {
	updated time.Time
	run     string
}

func positionOf(r journal.RunInfo) position { return position{r.Updated, r.Run} }

// compare puts what changed last first.
func (p position) compare(q position) int {
	return cmp.Or(q.updated.Compare(p.updated), cmp.Compare(p.run, q.run))
}

// String is the token of the page behind the position.
func (p position) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(p.updated.UnixNano(), 10) + " " + p.run))
}

// parsePosition reads a token; none is the begin of the list.
func parsePosition(token string) (*position, error) {
	if token == "" {
		return nil, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	nanos, run, ok := strings.Cut(string(text), " ")
	n, numErr := strconv.ParseInt(nanos, 10, 64)
	if err != nil || !ok || numErr != nil {
		return nil, invalid("pageToken isn't one that this agent gave")
	}
	return &position{time.Unix(0, n), run}, nil
}
