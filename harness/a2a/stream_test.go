package a2a_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/auth"
)

// told is an event in one line.
func told(e protocol.Event) string {
	short := func(s protocol.TaskState) string {
		return strings.ToLower(strings.TrimPrefix(string(s), "TASK_STATE_"))
	}
	switch e := e.(type) {
	case *protocol.Task:
		return fmt.Sprintf("task %s, %d artifacts", short(e.Status.State), len(e.Artifacts))
	case *protocol.TaskStatusUpdateEvent:
		text := ""
		if e.Status.Message != nil {
			text = ": " + e.Status.Message.Parts[0].Text()
		}
		if node, ok := e.Metadata["plait.dev/node"]; ok {
			text = fmt.Sprintf(" at %s%s", node, text)
		}
		return short(e.Status.State) + text
	case *protocol.TaskArtifactUpdateEvent:
		kind := map[bool]string{false: "preview", true: "artifact"}[e.LastChunk]
		return fmt.Sprintf("%s %s append=%t: %s", kind, e.Artifact.ID, e.Append, partOf(e.Artifact))
	default:
		return fmt.Sprintf("%T", e)
	}
}

func partOf(a *protocol.Artifact) string {
	if data := a.Parts[0].Data(); data != nil {
		return fmt.Sprint(data)
	}
	return a.Parts[0].Text()
}

func lines(events []protocol.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, told(e))
	}
	return out
}

// folded is the task that a client has after it took in the events of a stream, as the protocol says it should.
func folded(t *testing.T, events []protocol.Event) *protocol.Task {
	t.Helper()
	task, ok := events[0].(*protocol.Task)
	if !ok {
		t.Fatalf("the stream begins with a %T", events[0])
	}
	for _, e := range events[1:] {
		switch e := e.(type) {
		case *protocol.Task:
			task = e
		case *protocol.TaskStatusUpdateEvent:
			task.Status = e.Status
		case *protocol.TaskArtifactUpdateEvent:
			i := slices.IndexFunc(task.Artifacts, func(a *protocol.Artifact) bool { return a.ID == e.Artifact.ID })
			switch {
			case i < 0:
				task.Artifacts = append(task.Artifacts, e.Artifact)
			case e.Append:
				task.Artifacts[i].Parts = append(task.Artifacts[i].Parts, e.Artifact.Parts...)
			default:
				task.Artifacts[i] = e.Artifact
			}
		}
	}
	return task
}

// consistent checks that who followed a stream knows what who asks for the task is told.
func consistent(t *testing.T, c *client, events []protocol.Event) {
	t.Helper()
	got := folded(t, events)
	want := c.get(t, got.ID)
	if diff := cmp.Diff(want.Status, got.Status); diff != "" {
		t.Error("status:", diff)
	}
	byID := func(a, b *protocol.Artifact) int { return strings.Compare(string(a.ID), string(b.ID)) }
	if diff := cmp.Diff(slices.SortedFunc(slices.Values(want.Artifacts), byID), slices.SortedFunc(slices.Values(got.Artifacts), byID)); diff != "" {
		t.Error("artifacts:", diff)
	}
	if want.ContextID != got.ContextID {
		t.Errorf("context %s, want %s", got.ContextID, want.ContextID)
	}
}

func TestSendStreamingMessage(t *testing.T) {
	l := newLab(t, "")
	for _, transport := range transports() {
		for _, tc := range []struct {
			text string
			want []string
		}{
			{"hello", []string{"task submitted, 0 artifacts", "working", "artifact output append=false: you say: hello", "completed"}},
			{"data", []string{"task submitted, 0 artifacts", "working",
				"artifact output append=false: map[invoices:[1042 1043] plan:pro]", "completed"}},
			{"fail", []string{"task submitted, 0 artifacts", "working", "failed: broken@1: agents[root].nodes[broken].function: the machine is broken"}},
			{"ask", []string{"task submitted, 0 artifacts", "working", "working at think@1: Let me think.",
				"preview output append=false: " + longAnswer[:64], "preview output append=true: " + longAnswer[64:],
				"artifact output append=false: " + longAnswer, "completed"}},
		} {
			t.Run(string(transport)+" "+tc.text, func(t *testing.T) {
				c := l.client(t, "ann", transport)
				events := all(t, c.SendStreamingMessage(c.as(t.Context()), message(tc.text)))
				got := lines(events)
				if tc.text == "ask" {
					got = joined(got)
					tc.want = joined(tc.want)
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Error(diff)
				}
				consistent(t, c, events)
			})
		}
	}
}

// joined makes one line of all previews: how many pieces a text comes in depends on how fast they are taken.
func joined(told []string) []string {
	var out []string
	for _, line := range told {
		text, preview := strings.CutPrefix(line, "preview output append=true: ")
		if preview {
			out[len(out)-1] += text
			continue
		}
		out = append(out, line)
	}
	return out
}

func TestSendStreamingMessage_again(t *testing.T) {
	c := newLab(t, "").ann(t)
	first := all(t, c.SendStreamingMessage(c.as(t.Context()), message("hello", withID("m-1"))))
	again := all(t, c.SendStreamingMessage(c.as(t.Context()), message("hello", withID("m-1"))))
	if diff := cmp.Diff([]string{"task completed, 1 artifacts"}, lines(again)); diff != "" {
		t.Error(diff)
	}
	if folded(t, first).ID != folded(t, again).ID {
		t.Error("the message began another task")
	}
}

const parallel = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: root
    agent_class: Workflow
    nodes:
      - {id: answer, type: llm, mode: single_turn, instruction: Answer.}
      - {id: count, type: cel, output: "size(user.content)"}
    edges: [{from: START, to: [answer, count]}]
`

// When the graph has outputs side by side, each is an artifact of its node's name.
func TestArtifacts_several(t *testing.T) {
	c := newLab(t, parallel).ann(t)
	events := all(t, c.SendStreamingMessage(c.as(t.Context()), message("hello")))
	consistent(t, c, events)
	if diff := cmp.Diff(map[string]any{"answer": longAnswer, "count": 5.0}, texts(folded(t, events))); diff != "" {
		t.Error(diff)
	}
	for _, line := range lines(events) {
		if strings.HasPrefix(line, "preview") && !strings.HasPrefix(line, "preview answer") {
			t.Errorf("a preview of another artifact: %s", line)
		}
	}
}

func TestSubscribeToTask(t *testing.T) {
	l := newLab(t, "")
	for _, transport := range transports() {
		l.gate = make(chan struct{})
		c := l.client(t, "ann", transport)
		task := l.begin(t, c)
		var events []protocol.Event
		for e, err := range c.SubscribeToTask(c.as(t.Context()), &protocol.SubscribeToTaskRequest{ID: task.ID}) {
			if err != nil {
				t.Fatal(err)
			}
			if events = append(events, e); len(events) == 1 {
				close(l.gate)
			}
		}
		want := []string{"task working, 0 artifacts", "artifact output append=false: through the gate", "completed"}
		if diff := cmp.Diff(want, lines(events)); diff != "" {
			t.Errorf("%s: %s", transport, diff)
		}
		consistent(t, c, events)
		for _, err := range c.SubscribeToTask(c.as(t.Context()), &protocol.SubscribeToTaskRequest{ID: task.ID}) {
			if !errors.Is(err, protocol.ErrUnsupportedOperation) {
				t.Errorf("%s: subscribing to a task that is over: %v", transport, err)
			}
		}
	}
}

// A stream of a task that is cancelled ends with that.
func TestSubscribeToTask_canceled(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	task := l.begin(t, c)
	var got []string
	for e, err := range c.SubscribeToTask(c.as(t.Context()), &protocol.SubscribeToTaskRequest{ID: task.ID}) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, told(e)); len(got) == 1 {
			if _, err := c.CancelTask(c.as(t.Context()), &protocol.CancelTaskRequest{ID: task.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"task working, 0 artifacts", "canceled"}, got); diff != "" {
		t.Error(diff)
	}
}

// Streams of a process that drains end with an error that says to come back. The next process has the task.
func TestStream_while_the_process_drains(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	var final error
	var last protocol.Event
	for e, err := range c.SendStreamingMessage(c.as(t.Context()), message("wait")) {
		if final = err; err != nil {
			break
		}
		if last = e; told(e) == "working" {
			l.atGate(t)
			go drain(l.runs)
		}
	}
	if told(last) != "working: suspended: drain" {
		t.Errorf("the last event is %s", told(last))
	}
	var hint *protocol.Error
	if !errors.As(final, &hint) || !strings.Contains(final.Error(), "about to end") {
		t.Fatalf("the stream ends with %v", final)
	}
	meta, _ := hint.ErrorInfo().Value["metadata"].(map[string]string)
	if diff := cmp.Diff("draining", meta["condition"]); diff != "" {
		t.Error(diff)
	}
	close(l.gate)
	l.serve(t)
	l.runs.Adopt()
	l.ann(t).completed(t, last.TaskInfo().TaskID)
}

// Who takes events too slowly gets the state of the task in their place.
func TestStream_of_a_slow_client(t *testing.T) {
	l := newLab(t, "")
	methods := a2a.NewMethods(l.config)
	ctx, cancel := context.WithTimeout(auth.WithPrincipal(t.Context(), "ann"), patience)
	defer cancel()
	var events []protocol.Event
	for e, err := range methods.SendStreamingMessage(ctx, message("loop")) {
		if err != nil {
			t.Fatal(err)
		}
		if events = append(events, e); len(events) == 1 {
			l.ann(t).completed(t, e.TaskInfo().TaskID) // meanwhile
		}
	}
	want := []string{"task submitted, 0 artifacts", "task completed, 1 artifacts"}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Error(diff)
	}
	consistent(t, l.ann(t), events)
}

// A client that goes away in the middle of a stream leaves the run alone.
func TestStream_client_leaves(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	ctx, leave := context.WithCancel(c.as(t.Context()))
	var id protocol.TaskID
	for e, err := range c.SendStreamingMessage(ctx, message("wait")) {
		if err != nil {
			break
		}
		id = e.TaskInfo().TaskID
		if told(e) == "working" {
			l.atGate(t)
			leave()
		}
	}
	leave()
	close(l.gate)
	c.completed(t, id)
}

// Many clients may follow one task.
func TestSubscribeToTask_many(t *testing.T) {
	l := newLab(t, "")
	c := l.ann(t)
	task := l.begin(t, c)
	const clients = 20
	streams := make(chan []string, clients)
	ready := make(chan struct{}, clients)
	for range clients {
		go func() {
			var got []string
			for e, err := range c.SubscribeToTask(c.as(t.Context()), &protocol.SubscribeToTaskRequest{ID: task.ID}) {
				if err != nil {
					got = append(got, err.Error())
					break
				}
				if got = append(got, told(e)); len(got) == 1 {
					ready <- struct{}{}
				}
			}
			streams <- got
		}()
	}
	deadline := time.After(patience)
	for range clients {
		select {
		case <-ready:
		case <-deadline:
			t.Fatal("not all streams have begun")
		}
	}
	close(l.gate)
	seen := map[string]int{}
	for range clients {
		seen[strings.Join(<-streams, " | ")]++
	}
	want := map[string]int{"task working, 0 artifacts | artifact output append=false: through the gate | completed": clients}
	if !maps.Equal(want, seen) {
		t.Errorf("the streams are %v", seen)
	}
}
