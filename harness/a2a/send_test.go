package a2a_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/run"
)

// texts are the artifacts of a task, by id.
func texts(task *protocol.Task) map[string]any {
	got := map[string]any{}
	for _, a := range task.Artifacts {
		for _, p := range a.Parts {
			if p.Data() != nil {
				got[string(a.ID)] = p.Data()
				continue
			}
			got[string(a.ID)] = p.Text()
		}
	}
	return got
}

func history(task *protocol.Task) []string {
	var said []string
	for _, m := range task.History {
		said = append(said, strings.TrimPrefix(string(m.Role), "ROLE_")+": "+m.Parts[0].Text())
	}
	return said
}

func TestSendMessage(t *testing.T) {
	l := newLab(t, "")
	for _, transport := range transports() {
		for _, tc := range []struct {
			text     string
			state    protocol.TaskState
			artifact map[string]any
			history  []string
		}{
			{"hello", protocol.TaskStateCompleted, map[string]any{"output": "you say: hello"},
				[]string{"USER: hello", "AGENT: you say: hello"}},
			{"data", protocol.TaskStateCompleted,
				map[string]any{"output": map[string]any{"plan": "pro", "invoices": []any{1042.0, 1043.0}}},
				[]string{"USER: data", `AGENT: {"invoices":[1042,1043],"plan":"pro"}`}},
			{"ask", protocol.TaskStateCompleted, map[string]any{"output": longAnswer},
				[]string{"USER: ask", "AGENT: Let me think.", "AGENT: " + longAnswer}},
			{"fail", protocol.TaskStateFailed, map[string]any{}, []string{"USER: fail"}},
		} {
			t.Run(string(transport)+" "+tc.text, func(t *testing.T) {
				c := l.client(t, "ann", transport)
				task := c.send(t, message(tc.text))
				if task.Status.State != tc.state || task.ContextID == "" || task.Status.Timestamp == nil {
					t.Errorf("the task is %s in context %q at %v", task.Status.State, task.ContextID, task.Status.Timestamp)
				}
				if diff := cmp.Diff(tc.artifact, texts(task)); diff != "" {
					t.Error("artifacts:", diff)
				}
				if diff := cmp.Diff(tc.history, history(task)); diff != "" {
					t.Error("history:", diff)
				}
				if diff := cmp.Diff(task, c.get(t, task.ID)); diff != "" {
					t.Error("the task is another one when it is got:", diff)
				}
			})
		}
	}
}

const longAnswer = "The answer is long enough to come in more than one piece, as it has more than sixty-four characters."

func TestSendMessage_tells_why_a_task_failed(t *testing.T) {
	task := newLab(t, "").ann(t).send(t, message("fail"))
	if task.Status.Message == nil || task.Status.Message.Parts[0].Text() !=
		"broken@1: agents[root].nodes[broken].function: the machine is broken" {
		t.Fatalf("the status is %+v", task.Status)
	}
	want := map[string]any{"plait.dev/code": "error", "plait.dev/field": "agents[root].nodes[broken].function"}
	if diff := cmp.Diff(want, task.Status.Message.Metadata); diff != "" {
		t.Error(diff)
	}
}

func TestSendMessage_texts_are_one(t *testing.T) {
	task := newLab(t, "").ann(t).send(t, message("one", func(req *protocol.SendMessageRequest) {
		req.Message.Parts = append(req.Message.Parts, protocol.NewTextPart("two"))
	}))
	if diff := cmp.Diff(map[string]any{"output": "you say: one\ntwo"}, texts(task)); diff != "" {
		t.Error(diff)
	}
}

func TestSendMessage_continues_a_context(t *testing.T) {
	c := newLab(t, "").ann(t)
	first := c.send(t, message("one"))
	second := c.send(t, message("two", inContext(first.ContextID)))
	if second.ContextID != first.ContextID || second.ID == first.ID {
		t.Errorf("the second task is %s in %s, after %s in %s", second.ID, second.ContextID, first.ID, first.ContextID)
	}
	if diff := cmp.Diff([]string{"USER: two", "AGENT: you say: two"}, history(second)); diff != "" {
		t.Error("the history isn't the task's own:", diff)
	}
}

func TestSendMessage_immediately(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	task := l.begin(t, c)
	if task.Status.State != protocol.TaskStateWorking || len(task.Artifacts) != 0 {
		t.Errorf("the task is %+v", task)
	}
	close(l.gate)
	done := c.completed(t, task.ID)
	if diff := cmp.Diff(map[string]any{"output": "through the gate"}, texts(done)); diff != "" {
		t.Error(diff)
	}
}

// A run goes on when the client that waits for it leaves.
func TestSendMessage_client_leaves(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	ctx, leave := context.WithCancel(c.as(t.Context()))
	left := make(chan error, 1)
	go func() {
		_, err := c.SendMessage(ctx, message("wait", withID("m-1")))
		left <- err
	}()
	l.atGate(t)
	leave()
	if err := <-left; err == nil {
		t.Fatal("the client got an answer")
	}
	close(l.gate)
	task := c.send(t, message("wait", withID("m-1"))) // sending it again finds it
	if task.Status.State != protocol.TaskStateCompleted || len(l.entered) != 0 {
		t.Errorf("the task is %s, and %d more runs have begun", task.Status.State, len(l.entered))
	}
}

func TestSendMessage_again(t *testing.T) {
	l := newLab(t, "")
	for _, transport := range transports() {
		c := l.client(t, "ann", transport)
		first := c.send(t, message("hello", withID("m-1")))
		if diff := cmp.Diff(first, c.send(t, message("hello", withID("m-1")))); diff != "" {
			t.Error("sending a message again gives another task:", diff)
		}
		_, err := c.SendMessage(c.as(t.Context()), message("goodbye", withID("m-1")))
		if !errors.Is(err, protocol.ErrInvalidParams) || !strings.Contains(err.Error(), `another message with the id "m-1"`) {
			t.Errorf("another message with the id: %v", err)
		}
	}
}

func TestSendMessage_to_a_task(t *testing.T) {
	l := newLab(t, "")
	for _, transport := range transports() {
		c := l.client(t, "ann", transport)
		over, busy := c.send(t, message("hello")), l.begin(t, c)
		for _, tc := range []struct {
			name string
			req  *protocol.SendMessageRequest
			is   error
			says string
		}{
			{"that is over", message("more", forTask(over.ID)), protocol.ErrUnsupportedOperation, "the task is over (completed)"},
			{"that is over, in its context", message("more", forTask(over.ID), inContext(over.ContextID)),
				protocol.ErrUnsupportedOperation, "the task is over"},
			{"that executes", message("more", forTask(busy.ID)), protocol.ErrUnsupportedOperation, "is running and waits for no message"},
			{"that isn't there", message("more", forTask("r_NOSUCH")), protocol.ErrTaskNotFound, `task "r_NOSUCH" not found`},
			{"of another context", message("more", forTask(over.ID), inContext(busy.ContextID)), protocol.ErrInvalidParams, "another context"},
			{"in a context that isn't there", message("more", inContext("s_NOSUCH")), protocol.ErrTaskNotFound, `context "s_NOSUCH" not found`},
			{"in a context that is no id", message("more", inContext("../../etc/passwd")), protocol.ErrTaskNotFound, "not found"},
			{"in a context that is busy", message("more", inContext(busy.ContextID)), protocol.ErrServerError,
				"is running; a session executes one run at a time"},
		} {
			t.Run(string(transport)+" "+tc.name, func(t *testing.T) {
				_, err := c.SendMessage(c.as(t.Context()), tc.req)
				if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("got %v; want %v that says %q", err, tc.is, tc.says)
				}
				var streamed error
				for _, err := range c.SendStreamingMessage(c.as(t.Context()), tc.req) {
					streamed = err
				}
				if !errors.Is(streamed, tc.is) || !strings.Contains(streamed.Error(), tc.says) {
					t.Errorf("streaming gives %v; want %v that says %q", streamed, tc.is, tc.says)
				}
			})
		}
	}
	if n := len(l.runs.Runs("ann")); n != 4 {
		t.Errorf("there are %d runs, want the 4 that were begun", n)
	}
}

func TestSendMessage_refuses(t *testing.T) {
	c := newLab(t, "").ann(t)
	for _, tc := range []struct {
		name string
		edit func(*protocol.SendMessageRequest)
		is   error
		says string
	}{
		{"no id", withID(""), protocol.ErrInvalidParams, "message.messageId"},
		{"a long id", withID(strings.Repeat("x", 257)), protocol.ErrInvalidParams, "message.messageId has 257 bytes"},
		{"an agent's message", func(r *protocol.SendMessageRequest) { r.Message.Role = protocol.MessageRoleAgent },
			protocol.ErrInvalidParams, "message.role"},
		{"no parts", func(r *protocol.SendMessageRequest) { r.Message.Parts = nil }, protocol.ErrInvalidParams, "message.parts is empty"},
		{"a file", func(r *protocol.SendMessageRequest) {
			r.Message.Parts = append(r.Message.Parts, protocol.NewFileURLPart("http://example.com/x.png", "image/png"))
		}, protocol.ErrUnsupportedContentType, "message.parts[1] isn't text"},
		{"data", func(r *protocol.SendMessageRequest) {
			r.Message.Parts[0] = protocol.NewDataPart(map[string]any{"a": 1})
		},
			protocol.ErrUnsupportedContentType, "message.parts[0] isn't text"},
		{"push notifications", func(r *protocol.SendMessageRequest) {
			r.Config = &protocol.SendMessageConfig{PushConfig: &protocol.PushConfig{URL: "http://example.com"}}
		}, protocol.ErrPushNotificationNotSupported, ""},
		{"a negative length of the history", func(r *protocol.SendMessageRequest) {
			length := -1
			r.Config = &protocol.SendMessageConfig{HistoryLength: &length}
		}, protocol.ErrInvalidParams, "historyLength is -1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := c.SendMessage(c.as(t.Context()), message("hello", tc.edit))
			if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v; want %v that says %q", err, tc.is, tc.says)
			}
		})
	}
}

func TestCancelTask(t *testing.T) {
	l := newLab(t, "")
	for _, transport := range transports() {
		c := l.client(t, "ann", transport)
		task := l.begin(t, c)
		began := time.Now()
		canceled, err := c.CancelTask(c.as(t.Context()), &protocol.CancelTaskRequest{ID: task.ID})
		if err != nil {
			t.Fatal(err)
		}
		if canceled.Status.State != protocol.TaskStateCanceled || time.Since(began) > 5*time.Second {
			t.Errorf("after %v the task is %s", time.Since(began), canceled.Status.State)
		}
		_, err = c.CancelTask(c.as(t.Context()), &protocol.CancelTaskRequest{ID: task.ID})
		if !errors.Is(err, protocol.ErrTaskNotCancelable) {
			t.Errorf("cancelling again: %v", err)
		}
	}
}

// A drain doesn't keep who waits for an answer: the task works on in the next process.
func TestSendMessage_while_the_process_drains(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	answer := make(chan *protocol.Task, 1)
	go func() { answer <- c.send(t, message("wait")) }()
	l.atGate(t)
	drain(l.runs)
	task := <-answer
	if task.Status.State != protocol.TaskStateWorking || task.Status.Message.Parts[0].Text() != "suspended: drain" {
		t.Errorf("the task is %s, %+v", task.Status.State, task.Status.Message)
	}
	close(l.gate)
	l.serve(t)
	l.runs.Adopt()
	l.ann(t).completed(t, task.ID)
}

func TestSendMessage_more_than_may_run(t *testing.T) {
	l := newLab(t, "", func(s *run.SupervisorConfig, _ *a2a.Config) { s.MaxRuns = 1 })
	c := l.ann(t)
	l.begin(t, c)
	_, err := c.SendMessage(c.as(t.Context()), message("hello"))
	var told *protocol.Error
	if !errors.As(err, &told) || !strings.Contains(err.Error(), "1 runs execute, which is the limit") {
		t.Fatalf("got %v", err)
	}
	meta, _ := told.ErrorInfo().Value["metadata"].(map[string]string)
	if meta["condition"] != "too-many-runs" || meta["retryAfterSeconds"] != "1" {
		t.Errorf("the details are %v", told.TypedDetails)
	}
}
