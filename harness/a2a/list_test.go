package a2a_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"
)

func ids(tasks []*protocol.Task) []protocol.TaskID {
	var all []protocol.TaskID
	for _, task := range tasks {
		all = append(all, task.ID)
	}
	return all
}

// shelf is an agent with eight tasks of ann, newest first: the last continues the context of the first, and every third
// of the others has failed.
func shelf(t *testing.T) (*lab, []*protocol.Task) {
	t.Helper()
	l := newLab(t, "")
	ann := l.ann(t)
	var made []*protocol.Task
	for i := range 7 {
		text := fmt.Sprintf("message %d", i)
		if i%3 == 2 {
			text = "fail"
		}
		made = slices.Insert(made, 0, ann.send(t, message(text)))
		time.Sleep(2 * time.Millisecond) // what changed at another time has another place in the list
	}
	return l, slices.Insert(made, 0, ann.send(t, message("more", inContext(made[6].ContextID))))
}

func (c *client) list(t *testing.T, req *protocol.ListTasksRequest) *protocol.ListTasksResponse {
	t.Helper()
	page, err := c.ListTasks(c.as(t.Context()), req)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestListTasks(t *testing.T) {
	l, made := shelf(t)
	for _, transport := range transports() {
		whole := l.client(t, "ann", transport).list(t, &protocol.ListTasksRequest{})
		if diff := cmp.Diff(ids(made), ids(whole.Tasks)); diff != "" || whole.TotalSize != 8 || whole.PageSize != 50 || whole.NextPageToken != "" {
			t.Errorf("%s: %+v %s", transport, whole, diff)
		}
		for _, task := range whole.Tasks {
			if len(task.Artifacts) != 0 || len(task.History) == 0 {
				t.Errorf("%s: nobody asked for artifacts: %+v", transport, task)
			}
		}
	}
}

func TestListTasks_page_by_page(t *testing.T) {
	l, made := shelf(t)
	for _, transport := range transports() {
		c := l.client(t, "ann", transport)
		var paged []*protocol.Task
		for req := (&protocol.ListTasksRequest{PageSize: 3, IncludeArtifacts: true}); ; {
			page := c.list(t, req)
			if paged = append(paged, page.Tasks...); page.NextPageToken == "" {
				break
			}
			req.PageToken = page.NextPageToken
		}
		if diff := cmp.Diff(made, paged); diff != "" {
			t.Errorf("%s: %s", transport, diff)
		}
		for name, req := range map[string]*protocol.ListTasksRequest{
			"a large page":            {PageSize: 101},
			"the token of nothing":    {PageToken: "bm9wZQ"},
			"something that is token": {PageToken: "%"},
		} {
			if _, err := c.ListTasks(c.as(t.Context()), req); !errors.Is(err, protocol.ErrInvalidParams) {
				t.Errorf("%s: %s: %v", transport, name, err)
			}
		}
	}
}

func TestListTasks_some(t *testing.T) {
	l, made := shelf(t)
	none := 0
	for name, tc := range map[string]struct {
		req  *protocol.ListTasksRequest
		want []*protocol.Task
	}{
		"of a context": {&protocol.ListTasksRequest{ContextID: made[0].ContextID}, []*protocol.Task{made[0], made[7]}},
		"of a state":   {&protocol.ListTasksRequest{Status: protocol.TaskStateFailed}, []*protocol.Task{made[2], made[5]}},
		"since a time": {&protocol.ListTasksRequest{StatusTimestampAfter: made[1].Status.Timestamp, HistoryLength: &none}, made[:2]},
		"that execute": {&protocol.ListTasksRequest{Status: protocol.TaskStateWorking}, nil},
	} {
		got := l.ann(t).list(t, tc.req).Tasks
		if diff := cmp.Diff(ids(tc.want), ids(got)); diff != "" {
			t.Errorf("tasks %s: %s", name, diff)
		}
		if tc.req.HistoryLength != nil && len(got[0].History) != 0 {
			t.Errorf("tasks %s: the history has %d messages", name, len(got[0].History))
		}
	}
}

func TestGetTask_history(t *testing.T) {
	c := newLab(t, "").ann(t)
	task := c.send(t, message("ask"))
	for length, want := range map[int][]string{
		0: nil, 1: {"AGENT: " + longAnswer}, 2: {"AGENT: Let me think.", "AGENT: " + longAnswer},
		9: {"USER: ask", "AGENT: Let me think.", "AGENT: " + longAnswer},
	} {
		got, err := c.GetTask(c.as(t.Context()), &protocol.GetTaskRequest{ID: task.ID, HistoryLength: &length})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, history(got)); diff != "" {
			t.Errorf("%d messages: %s", length, diff)
		}
	}
}
