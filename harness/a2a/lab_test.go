package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"go.uber.org/goleak"

	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/auth"
	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// patience is what a test waits for something that must happen.
const patience = 20 * time.Second

// document does what the message says: wait for the gate, fail, ask a model, give data, or else repeat the message.
const document = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
metadata: {name: test, description: Does as it is told., labels: {team: support, cost: low}}
agents:
  - name: root
    agent_class: Workflow
    nodes:
      - id: choose
        type: cel
        routes:
          - {route: WAIT, when: "user.content == 'wait'"}
          - {route: FAIL, when: "user.content == 'fail'"}
          - {route: ASK, when: "user.content.startsWith('ask')"}
          - {route: DATA, when: "user.content == 'data'"}
          - {route: LOOP, when: "user.content == 'loop'"}
      - {id: gate, type: function, function: gate}
      - {id: broken, type: function, function: broken}
      - {id: think, type: llm, mode: single_turn, instruction: Think.}
      - {id: answer, type: llm, mode: single_turn, instruction: Answer.}
      - {id: data, type: cel, output: "{'plan': 'pro', 'invoices': [1042, 1043]}"}
      - {id: echo, type: cel, output: "'you say: ' + user.content"}
      - {id: lap, type: function, function: lap, max_visits: 5000}
      - {id: out, type: cel, output: "'out'"}
    edges:
      - {from: START, to: choose}
      - {from: choose, to: gate, route: WAIT}
      - {from: choose, to: broken, route: FAIL}
      - {from: choose, to: think, route: ASK}
      - {from: think, to: answer}
      - {from: choose, to: data, route: DATA}
      - {from: choose, to: lap, route: LOOP}
      - {from: lap, to: lap, route: AGAIN}
      - {from: lap, to: out, route: DEFAULT}
      - {from: choose, to: echo, route: DEFAULT}
`

const script = `
rules:
  - when: {agent: think}
    reply: {text: Let me think.}
  - when: {agent: answer}
    reply: {text: "The answer is long enough to come in more than one piece, as it has more than sixty-four characters."}
`

// refund is a tool with an effect, which says what it was called with.
type refund struct{}

func (refund) Spec() core.Spec {
	return core.Spec{Name: "refund", InputSchema: json.RawMessage(
		`{"type":"object","required":["amount"],"properties":{"amount":{"type":"integer"}}}`)}
}

func (refund) Run(_ context.Context, call core.Call) (core.Result, error) {
	return core.TextResult("refunded " + string(call.Args)), nil
}

// lab is an agent behind a server on loopback, with the keys of ann and bob.
type lab struct {
	url    string
	runs   *run.Supervisor
	store  journal.Store
	system *intake.System
	config a2a.Config

	gate    chan struct{} // closed to let runs through
	entered chan string   // the runs that have come to the gate
}

// newLab starts the agent of a document; "" is the one above.
func newLab(t *testing.T, doc string, edits ...func(*run.SupervisorConfig, *a2a.Config)) *lab {
	t.Helper()
	l := &lab{store: memory.New(), gate: make(chan struct{}), entered: make(chan string, 100)}
	if doc == "" {
		doc = document
	}
	var found error
	sys, list, err := intake.New(harnesstest.Config(t, doc, script), intake.Environment{People: true, Functions: map[string]build.Function{
		"gate": l.waitAtGate, "broken": broken, "lap": lap,
	}, Tools: map[string]core.Tool{"refund": refund{}}})
	if found = list.Err(); err != nil || found != nil {
		t.Fatal(err, found)
	}
	t.Cleanup(func() { _ = sys.Close() })
	l.system = sys
	l.serve(t, edits...)
	return l
}

// serve starts a server over the store of the lab, as the next process would.
func (l *lab) serve(t *testing.T, edits ...func(*run.SupervisorConfig, *a2a.Config)) {
	t.Helper()
	runs := run.SupervisorConfig{
		Current: run.New(run.Config{Store: l.store, System: l.system, App: "test"}),
		Logger:  slog.New(slog.DiscardHandler),
	}
	l.config = a2a.Config{
		Agent:    a2a.Agent{Name: "test"},
		Outlines: func(context.Context, string) (intake.Outline, error) { return l.system.Outline(), nil },
		Auth:     keys(t),
	}
	for _, edit := range edits {
		edit(&runs, &l.config)
	}
	var err error
	if l.runs, err = run.NewSupervisor(t.Context(), runs); err != nil {
		t.Fatal(err)
	}
	l.config.Runs = l.runs
	server := httptest.NewServer(a2a.NewHandler(l.config))
	l.url = server.URL
	supervisor := l.runs
	t.Cleanup(func() {
		drain(supervisor)
		server.Close()
	})
}

// drain ends a supervisor without patience.
func drain(s *run.Supervisor) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.Drain(ctx)
}

func keys(t *testing.T) *auth.Keys {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ann", "bob"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("key-of-"+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k, err := auth.OpenKeys(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (l *lab) waitAtGate(ctx *workflow.Context, _, _ any) (workflow.Result, error) {
	l.entered <- ctx.RunID()
	select {
	case <-l.gate:
		return workflow.Result{Output: "through the gate"}, nil
	case <-ctx.Done():
		return workflow.Result{}, ctx.Err()
	}
}

func broken(*workflow.Context, any, any) (workflow.Result, error) {
	return workflow.Result{}, errors.New("the machine is broken")
}

// lap goes round 1200 times.
func lap(ctx *workflow.Context, _, _ any) (workflow.Result, error) {
	if ctx.Path() == "lap@1200" {
		return workflow.Result{}, nil
	}
	return workflow.Result{Routes: []string{"AGAIN"}}, nil
}

// client is the official client of one principal over one transport.
type client struct {
	*a2aclient.Client
	principal string
}

// transports are the two ways to the agent.
func transports() []protocol.TransportProtocol {
	return []protocol.TransportProtocol{protocol.TransportProtocolJSONRPC, protocol.TransportProtocolHTTPJSON}
}

func (l *lab) client(t *testing.T, principal string, transport protocol.TransportProtocol) *client {
	t.Helper()
	web := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	c, err := a2aclient.NewFromEndpoints(t.Context(), []*protocol.AgentInterface{protocol.NewAgentInterface(l.url, transport)},
		a2aclient.WithJSONRPCTransport(web), a2aclient.WithRESTTransport(web))
	if err != nil {
		t.Fatal(err)
	}
	return &client{c, principal}
}

// ann is a client of the principal ann over JSON-RPC.
func (l *lab) ann(t *testing.T) *client { return l.client(t, "ann", protocol.TransportProtocolJSONRPC) }

// as is a context with the client's credential.
func (c *client) as(ctx context.Context) context.Context {
	return a2aclient.AttachServiceParams(ctx, a2aclient.ServiceParams{"Authorization": {"Bearer key-of-" + c.principal}})
}

// message is a request that says something.
func message(text string, edits ...func(*protocol.SendMessageRequest)) *protocol.SendMessageRequest {
	req := &protocol.SendMessageRequest{Message: protocol.NewMessage(protocol.MessageRoleUser, protocol.NewTextPart(text))}
	for _, edit := range edits {
		edit(req)
	}
	return req
}

func immediately(req *protocol.SendMessageRequest) {
	req.Config = &protocol.SendMessageConfig{ReturnImmediately: true}
}

func inContext(id string) func(*protocol.SendMessageRequest) {
	return func(req *protocol.SendMessageRequest) { req.Message.ContextID = id }
}

func forTask(id protocol.TaskID) func(*protocol.SendMessageRequest) {
	return func(req *protocol.SendMessageRequest) { req.Message.TaskID = id }
}

func withID(id string) func(*protocol.SendMessageRequest) {
	return func(req *protocol.SendMessageRequest) { req.Message.ID = id }
}

// send sends a message and returns the task that it begins.
func (c *client) send(t *testing.T, req *protocol.SendMessageRequest) *protocol.Task {
	t.Helper()
	res, err := c.SendMessage(c.as(t.Context()), req)
	if err != nil {
		t.Fatal(err)
	}
	task, ok := res.(*protocol.Task)
	if !ok {
		t.Fatalf("the answer is a %T", res)
	}
	return task
}

// begin begins a task that waits at the gate.
func (l *lab) begin(t *testing.T, c *client) *protocol.Task {
	t.Helper()
	task := c.send(t, message("wait", immediately))
	l.atGate(t)
	return task
}

func (l *lab) atGate(t *testing.T) {
	t.Helper()
	select {
	case <-l.entered:
	case <-time.After(patience):
		t.Fatal("no run has come to the gate")
	}
}

func (c *client) get(t *testing.T, id protocol.TaskID) *protocol.Task {
	t.Helper()
	task, err := c.GetTask(c.as(t.Context()), &protocol.GetTaskRequest{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// completed returns a task once it is.
func (c *client) completed(t *testing.T, id protocol.TaskID) *protocol.Task {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if task := c.get(t, id); task.Status.State == protocol.TaskStateCompleted {
			return task
		}
	}
	t.Fatalf("the task %s doesn't come to its end", id)
	return nil
}

// all collects the events of a stream.
func all(t *testing.T, events iter.Seq2[protocol.Event, error]) []protocol.Event {
	t.Helper()
	var got []protocol.Event
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	return got
}
