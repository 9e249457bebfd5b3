package a2a_test

import (
	"strings"
	"testing"
	"time"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"
)

// asking asks one question for "one", two for "two", and one with a short deadline for "soon".
const asking = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
metadata: {name: test}
agents:
  - name: root
    agent_class: Workflow
    nodes:
      - id: choose
        type: cel
        routes: [{route: TWO, when: "user.content == 'two'"}, {route: SOON, when: "user.content == 'soon'"}]
      - {id: one, type: hitl, message: "How are you?"}
      - id: first
        type: hitl
        message: {expr: "'First of ' + user.content + '?'"}
        payload: "{'n': 1}"
        response_schema: {type: object, required: [n]}
      - {id: second, type: hitl, message: "Second?", response_schema: {enum: [1, 2]}}
      - {id: soon, type: hitl, message: "Quick!", deadline: 100ms, on_deadline: {output: "'too late'"}}
      - {id: out, type: cel, output: "input"}
      - {id: both, type: join}
      - {id: sum, type: cel, output: "input"}
    edges:
      - {from: START, to: choose}
      - {from: choose, to: one, route: DEFAULT}
      - {from: choose, to: [first, second], route: TWO}
      - {from: choose, to: soon, route: SOON}
      - {from: [one, soon], to: out}
      - {from: [first, second], to: both}
      - {from: both, to: sum}
`

// asked checks that a task waits, and returns its questions.
func asked(t *testing.T, task *protocol.Task, messages ...string) map[string]map[string]any {
	t.Helper()
	if task.Status.State != protocol.TaskStateInputRequired || task.Status.Message == nil {
		t.Fatalf("the task is %s: %+v", task.Status.State, task.Status.Message)
	}
	parts := task.Status.Message.Parts
	if got := parts[0].Text(); got != strings.Join(messages, "\n") {
		t.Errorf("it asks %q, want %q", got, messages)
	}
	data, _ := parts[1].Data().(map[string]any)
	list, _ := data["questions"].([]any)
	questions := map[string]map[string]any{}
	for _, q := range list {
		fields, _ := q.(map[string]any)
		message, _ := fields["message"].(string)
		questions[message] = fields
	}
	if len(questions) != len(messages) {
		t.Errorf("the questions are %v, want %v", questions, messages)
	}
	return questions
}

// answering is a message for a task with answers by the ids of the questions.
func answering(task *protocol.Task, answers map[string]any) *protocol.SendMessageRequest {
	return &protocol.SendMessageRequest{Message: protocol.NewMessageForTask(protocol.MessageRoleUser, task,
		protocol.NewDataPart(map[string]any{"answers": answers}))}
}

func TestAnswer_by_text(t *testing.T) {
	l := newLab(t, asking)
	for _, transport := range transports() {
		c := l.client(t, "ann", transport)
		task := c.send(t, message("one"))
		asked(t, task, "How are you?")
		// The conversation goes on meanwhile, and the task keeps waiting.
		other := c.send(t, message("one", inContext(task.ContextID)))
		asked(t, other, "How are you?")
		done := c.send(t, message("fine", forTask(task.ID)))
		if diff := cmp.Diff(map[string]any{"output": "fine"}, texts(done)); diff != "" || done.Status.State != protocol.TaskStateCompleted {
			t.Errorf("%s (-want +got):\n%s", done.Status.State, diff)
		}
		asked(t, c.get(t, other.ID), "How are you?")
		if _, err := c.SendMessage(c.as(t.Context()), message("again", forTask(task.ID))); err == nil ||
			!strings.Contains(err.Error(), "the task is over") {
			t.Errorf("answering a task that is over: %v", err)
		}
	}
}

func TestAnswer_all_or_none(t *testing.T) {
	l := newLab(t, asking)
	c := l.ann(t)
	task := c.send(t, message("two"))
	questions := asked(t, task, "First of two?", "Second?")
	first, second := questions["First of two?"], questions["Second?"]
	if cmp.Diff(map[string]any{"n": 1.0}, first["payload"]) != "" || first["schema"] == nil || first["node"] != "first@1" ||
		first["kind"] != "input" {
		t.Errorf("the question is %v", first)
	}
	id, other := first["id"].(string), second["id"].(string)
	right := map[string]any{"n": 2}
	for name, req := range map[string]*protocol.SendMessageRequest{
		"text for two questions":   message("yes", forTask(task.ID)),
		"a wrong one":              answering(task, map[string]any{id: right, other: 3}),
		"an unknown one":           answering(task, map[string]any{id: right, "i_other": 1}),
		"data of another form":     {Message: protocol.NewMessageForTask(protocol.MessageRoleUser, task, protocol.NewDataPart(map[string]any{"n": 2}))},
		"the task in other hands":  message("x", forTask(task.ID), inContext("s_other")),
		"neither text nor answers": {Message: protocol.NewMessageForTask(protocol.MessageRoleUser, task, protocol.NewRawPart([]byte("x")))},
	} {
		if _, err := c.SendMessage(c.as(t.Context()), req); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := l.client(t, "bob", protocol.TransportProtocolJSONRPC).SendMessage(
		l.client(t, "bob", protocol.TransportProtocolJSONRPC).as(t.Context()), answering(task, map[string]any{id: right})); err == nil {
		t.Error("another principal answers")
	}
	asked(t, c.get(t, task.ID), "First of two?", "Second?")

	task = c.send(t, answering(task, map[string]any{id: right}))
	asked(t, task, "Second?")
	task = c.send(t, answering(task, map[string]any{other: 1}))
	if diff := cmp.Diff(map[string]any{"output": map[string]any{"first": map[string]any{"n": 2.0}, "second": 1.0}}, texts(task)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A stream that begins a task ends when the task asks; one that was subscribed to stays.
func TestAnswer_streams(t *testing.T) {
	l := newLab(t, asking)
	c := l.ann(t)
	events := all(t, c.SendStreamingMessage(c.as(t.Context()), message("one")))
	last, ok := events[len(events)-1].(*protocol.TaskStatusUpdateEvent)
	if !ok || last.Status.State != protocol.TaskStateInputRequired || last.Status.Message.Parts[0].Text() != "How are you?" {
		t.Fatalf("the stream ends with %+v", events[len(events)-1])
	}
	subscribed := make(chan []protocol.Event, 1)
	ready := make(chan struct{})
	go func() {
		var got []protocol.Event
		for e, err := range c.SubscribeToTask(c.as(t.Context()), &protocol.SubscribeToTaskRequest{ID: last.TaskID}) {
			if err != nil {
				t.Error(err)
				break
			}
			if got = append(got, e); len(got) == 1 {
				close(ready)
			}
		}
		subscribed <- got
	}()
	<-ready
	answered := all(t, c.SendStreamingMessage(c.as(t.Context()), message("well", forTask(last.TaskID))))
	for name, got := range map[string][]protocol.Event{"the answer's": answered, "the subscribed": <-subscribed} {
		end, ok := got[len(got)-1].(*protocol.TaskStatusUpdateEvent)
		task, whole := got[len(got)-1].(*protocol.Task)
		if ok && end.Status.State == protocol.TaskStateCompleted || whole && task.Status.State == protocol.TaskStateCompleted {
			continue
		}
		t.Errorf("%s stream ends with %+v", name, got[len(got)-1])
	}
}

func TestAnswer_in_the_next_process(t *testing.T) {
	l := newLab(t, asking)
	c := l.ann(t)
	task := c.send(t, message("one"))
	drain(l.runs)
	l.serve(t)
	l.runs.Adopt()
	c = l.ann(t)
	asked(t, c.get(t, task.ID), "How are you?")
	if done := c.send(t, message("fine", forTask(task.ID))); done.Status.State != protocol.TaskStateCompleted {
		t.Errorf("the task is %s", done.Status.State)
	}
}

// A deadline passes in the process that asked, and in the next one.
func TestAnswer_deadline(t *testing.T) {
	for _, restart := range []bool{false, true} {
		l := newLab(t, asking)
		c := l.ann(t)
		task := c.send(t, message("soon"))
		asked(t, task, "Quick!")
		if restart {
			drain(l.runs)
			time.Sleep(200 * time.Millisecond) // nobody is there when it passes
			l.serve(t)
			l.runs.Adopt()
			c = l.ann(t)
		}
		if diff := cmp.Diff(map[string]any{"output": "too late"}, texts(c.completed(t, task.ID))); diff != "" {
			t.Errorf("restart %v (-want +got):\n%s", restart, diff)
		}
	}
}

func TestAnswer_canceled(t *testing.T) {
	l := newLab(t, asking)
	c := l.ann(t)
	task := c.send(t, message("one"))
	canceled, err := c.CancelTask(c.as(t.Context()), &protocol.CancelTaskRequest{ID: task.ID})
	if err != nil || canceled.Status.State != protocol.TaskStateCanceled {
		t.Fatalf("%v, %+v", err, canceled)
	}
	if _, err := c.SendMessage(c.as(t.Context()), message("late", forTask(task.ID))); err == nil {
		t.Error("a canceled task takes an answer")
	}
}
