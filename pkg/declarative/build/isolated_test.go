package build_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

// spoken is a request that a person's message begins.
func spoken(store journal.Store, text string) workflow.RunRequest {
	return workflow.RunRequest{Store: store, Session: "s_1", User: "ada", Input: text,
		Message: &journal.Msg{Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{Text: text}}}}
}

// played is the output of a run, which completes, with the codes of its notes.
func played(t *testing.T, wf *workflow.Workflow, req workflow.RunRequest) (output any, notes []string) {
	t.Helper()
	for e, err := range wf.Run(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := e.Record.(journal.Note); ok {
			notes = append(notes, n.Code)
		}
		output = e.Output
	}
	return output, notes
}

// meeting is a tool that works when several have called it: its calls take place at the same time.
type meeting struct{ all sync.WaitGroup }

func (*meeting) Spec() core.Spec { return core.Spec{Name: "pay"} }

func (m *meeting) Run(_ context.Context, call core.Call) (core.Result, error) {
	m.all.Done()
	m.all.Wait()
	return core.Result{Text: "paid", Set: map[string]any{"paid": call.Key}}, nil
}

// Three calls at once of one isolated agent see three sessions, write to their own states, and don't disturb each other.
func TestIsolatedCallsAtOnce(t *testing.T) {
	document := func(isolation string) string {
		return strings.ReplaceAll(`
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: main
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: front, type: agent, agent: front }
      - { id: left, type: cel, output: "[input, 'mark' in state, 'paid' in state]" }
    edges: [{ from: START, to: front }, { from: front, to: left }]
  - { name: front, tools: [{ agent: clerk, isolation: ISOLATION }] }
  - name: clerk
    agent_class: Workflow
    nodes:
      - { id: mark, type: cel, state_delta: { mark: input } }
      - { id: pay, type: tool, tool: pay, args: {} }
      - { id: tell, type: cel, output: "state.mark + ' in ' + session.id" }
    edges: [{ from: START, to: mark }, { from: mark, to: pay }, { from: pay, to: tell }]
`, "ISOLATION", isolation)
	}
	script := `{"rules": [{"when": {"agent": "front"}, "turns": [
		{"calls": [{"name": "clerk", "args": {"request": "a"}}, {"name": "clerk", "args": {"request": "b"}}, {"name": "clerk", "args": {"request": "c"}}]},
		{"text": "done"}]}]}`
	for isolation, want := range map[string]any{"Isolated": []any{"done", false, false}, "Shared": []any{"done", true, true}} {
		tool := &meeting{}
		tool.all.Add(3)
		store := memory.New()
		output, notes := played(t, scripted(t, document(isolation), script, tool), spoken(store, "go"))
		if diff := cmp.Diff(want, output); diff != "" {
			t.Errorf("%s: %s", isolation, diff)
		}
		if isolated := isolation == "Isolated"; isolated != (len(notes) == 0) {
			t.Errorf("%s: the notes are %v", isolation, notes)
		}
		results := map[string]bool{}
		sessions := map[string]bool{}
		for _, text := range resultsOf(t, store) {
			mark, session, _ := strings.Cut(text, " in ")
			results[mark], sessions[session] = true, true
		}
		if isolation == "Isolated" && (len(results) != 3 || len(sessions) != 3 || sessions["s_1"]) {
			t.Errorf("the results are %v, of the sessions %v", results, sessions)
		}
	}
}

// resultsOf are the texts of the results of tools in the session's own transcript.
func resultsOf(t *testing.T, store journal.Store) []string {
	t.Helper()
	fold, err := journal.Load(t.Context(), store, "s_1")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, n := range fold.Thread(fold.Tip, journal.View{}) {
		m, _ := n.Record.(journal.Msg)
		if r, ok := core.ResultOf(m); ok {
			texts = append(texts, r.Text)
		}
	}
	return texts
}

// The models of isolated agents are shown what the call asks and what was said within it, and the others, later runs among
// them, nothing of that. A chat within an isolated agent has the call's input as what the user said.
func TestIsolatedPrompts(t *testing.T) {
	model := &counting{}
	wf := builtWith(t, `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: main
agents:
  - name: main
    agent_class: SequentialAgent
    sub_agents: [first, { name: group, isolation: Isolated }, last]
  - { name: first, mode: chat }
  - { name: last, mode: chat }
  - { name: group, agent_class: SequentialAgent, sub_agents: [one, { name: alone, isolation: Isolated }, two] }
  - { name: one, mode: chat }
  - { name: two, mode: chat }
  - { name: alone, mode: chat }
`, build.Options{Models: map[string]core.Model{"default": model}})
	store := memory.New()
	if output, _ := played(t, wf, spoken(store, "hello")); output != "5" {
		t.Fatalf("the output is %v", output)
	}
	first, one := "user: For context, the agent first said:\n1", "user: For context, the agent one said:\n2"
	want := [][]string{
		{"user: hello"},
		{"user: hello"},
		{"user: hello"},
		{"user: hello", one},
		{"user: hello", first},
	}
	if diff := cmp.Diff(want, model.prompts); diff != "" {
		t.Fatalf("prompts (-want +got):\n%s", diff)
	}
	played(t, wf, spoken(store, "again"))
	last := "user: For context, the agent last said:\n5"
	want = [][]string{
		{"user: hello", "model: 1", last, "user: again"},
		{"user: again"},
		{"user: again"},
		{"user: again", "user: For context, the agent one said:\n7"},
		{"user: hello", first, "model: 5", "user: again", "user: For context, the agent first said:\n6"},
	}
	if diff := cmp.Diff(want, model.prompts[5:]); diff != "" {
		t.Errorf("prompts of the second run (-want +got):\n%s", diff)
	}
}

// An isolated agent hands its conversation over within its own session.
func TestIsolatedConversation(t *testing.T) {
	survives(t, "run-completed helped with the refund, 0 effects", `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - { name: front, sub_agents: [{ name: desk, isolation: Isolated }] }
  - { name: desk, sub_agents: [billing] }
  - { name: billing }
`, `{"rules": [
	{"when": {"agent": "billing"}, "turns": [{"text": "helped with {{user}}"}]},
	{"when": {"agent": "desk"}, "turns": [{"calls": [{"name": "transfer_to_agent", "args": {"agent_name": "billing"}}]}]},
	{"when": {"agent": "front"}, "turns": [{"calls": [{"name": "desk", "args": {"request": "the refund"}}]}, {"text": "{{result}}"}]}
]}`)
}

// A person is asked within isolated agents, by graphs and about calls of tools, and answers by the session and the run around
// them. Whenever the process dies, the run comes to the same end, with the same effects.
func TestIsolatedAgentsSurviveCrashes(t *testing.T) {
	for name, agent := range map[string]string{
		"a graph that asks": `
    agent_class: Workflow
    nodes:
      - { id: note, type: cel, state_delta: { noted: input, amount: "'none'" } }
      - { id: ask, type: hitl, message: How much? }
      - { id: pay, type: tool, tool: pay, args: {} }
      - { id: keep, type: cel, state_delta: { amount: input.output } }
      - { id: tell, type: cel, output: "state.noted + ' ' + state.amount + ' ' + string(session.id == 's')" }
    edges: [{ from: START, to: note }, { from: note, to: ask }, { from: ask, to: pay }, { from: pay, to: keep }, { from: keep, to: tell }]`,
		"a graph within a graph": `
    agent_class: Workflow
    nodes:
      - { id: note, type: cel, state_delta: { noted: input, amount: "'none'" } }
      - { id: inner, type: agent, agent: inner, isolation: Isolated }
      - { id: tell, type: cel, output: "state.noted + ' ' + input + ' ' + string('ignored' in state)" }
    edges: [{ from: START, to: note }, { from: note, to: inner }, { from: inner, to: tell }]
  - name: inner
    agent_class: Workflow
    nodes:
      - { id: ask, type: hitl, message: How much? }
      - { id: pay, type: tool, tool: pay, args: {} }
      - { id: lose, type: cel, state_delta: { ignored: "true", amount: input.output } }
      - { id: tell, type: cel, output: state.amount }
    edges: [{ from: START, to: ask }, { from: ask, to: pay }, { from: pay, to: lose }, { from: lose, to: tell }]`,
	} {
		t.Run(name, func(t *testing.T) {
			survives(t, "run-completed first paid false; second paid false, 2 effects", `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - { name: front, tools: [{ agent: clerk, isolation: Isolated }] }
  - name: clerk`+agent, `{"rules": [
	{"when": {"agent": "front"}, "turns": [
		{"calls": [{"name": "clerk", "args": {"request": "first"}}]},
		{"calls": [{"name": "clerk", "args": {"request": "second"}}]},
		{"text": "first paid false; {{result}}"}]}
]}`)
		})
	}
}

// counted is a tool that says how often it was called, and for which approval.
type counted struct {
	mu    sync.Mutex
	calls []string
}

func (*counted) Spec() core.Spec {
	return core.Spec{Name: "pay", InputSchema: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"integer"}}}`)}
}

func (c *counted) Run(_ context.Context, call core.Call) (core.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, string(call.Args))
	return core.TextResult("paid"), nil
}

// A call within an isolated agent is approved by the run around it, in another process, with other arguments.
func TestIsolatedApproval(t *testing.T) {
	tool := &counted{}
	document := `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - { name: front, tools: [{ agent: clerk, isolation: Isolated }] }
  - { name: clerk, tools: [pay], approval: [pay] }
`
	script := `{"rules": [
		{"when": {"agent": "clerk"}, "turns": [{"calls": [{"name": "pay", "args": {"amount": 5}}]}, {"text": "it is {{result}}"}]},
		{"when": {"agent": "front"}, "turns": [{"calls": [{"name": "clerk", "args": {"request": "pay"}}]}, {"text": "{{result}}"}]}]}`
	store := memory.New()
	var waits workflow.Event
	req := spoken(store, "go")
	req.Run = "r"
	for e, err := range scripted(t, document, script, tool).Run(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		waits = e
	}
	if waits.Kind != workflow.RunWaiting || len(waits.Interrupts) != 1 || waits.Interrupts[0].Path != "front@1/clerk@1-1" {
		t.Fatalf("the run ended with %+v", waits)
	}
	var last workflow.Event
	for e, err := range scripted(t, document, script, tool).Resume(t.Context(), workflow.ResumeRequest{Store: store, Session: "s_1", Run: "r",
		Answers: []workflow.Answer{{ID: waits.Interrupts[0].Ask.ID, Decision: journal.Edit, Args: json.RawMessage(`{"amount":3}`)}}}) {
		if err != nil {
			t.Fatal(err)
		}
		last = e
	}
	if last.Output != "it is paid" || !slices.Equal(tool.calls, []string{`{"amount":3}`}) {
		t.Errorf("the output is %v after %v", last.Output, tool.calls)
	}
}

// Harness tools of isolated agents work in workspaces of their own: one for each call.
func TestIsolatedWorkspaces(t *testing.T) {
	var mu sync.Mutex
	spaces := map[string]int{}
	wf := builtWith(t, `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: main
agents:
  - name: main
    agent_class: Workflow
    nodes:
      - { id: own, type: tool, tool: note, args: {} }
      - { id: each, type: parallel_worker, items: "[1, 2, 3]", worker: { type: agent, agent: inner, isolation: Isolated } }
    edges: [{ from: START, to: own }, { from: own, to: each }]
  - name: inner
    agent_class: Workflow
    nodes: [{ id: first, type: tool, tool: note, args: {} }, { id: second, type: tool, tool: note, args: {} }]
    edges: [{ from: START, to: first }, { from: first, to: second }]
`, build.Options{HarnessToolNames: []string{"note"}, HarnessTools: func(session string) ([]core.Tool, error) {
		return []core.Tool{noting(func() {
			mu.Lock()
			defer mu.Unlock()
			spaces[session]++
		})}, nil
	}})
	played(t, wf, spoken(memory.New(), "go"))
	if own := spaces["s_1"]; own != 1 || len(spaces) != 4 {
		t.Errorf("the tools worked in %v", spaces)
	}
}

// noting is a tool that does nothing else.
type noting func()

func (noting) Spec() core.Spec { return core.Spec{Name: "note"} }

func (n noting) Run(context.Context, core.Call) (core.Result, error) {
	n()
	return core.TextResult("noted"), nil
}

// The tokens of isolated agents count for the run, and for the agent that calls them.
func TestIsolatedTokens(t *testing.T) {
	for name, tc := range map[string]struct {
		run         int64
		agent, want string
	}{
		"of the run":   {100, "", "max_tokens is 100, and 105 are used"},
		"of the agent": {0, ", limits: { max_tokens: 50 }", "limit max_tokens reached: 105 of 50 used"},
	} {
		wf := scripted(t, `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
root_agent: front
agents:
  - { name: front, tools: [{ agent: clerk, isolation: Isolated }]`+tc.agent+` }
  - { name: clerk }
`, `{"rules": [
			{"when": {"agent": "clerk"}, "reply": {"text": "x", "usage": {"input": 90, "output": 10}}},
			{"when": {"agent": "front"}, "turns": [
				{"calls": [{"name": "clerk", "args": {"request": "x"}}], "usage": {"input": 4, "output": 1}}, {"text": "never"}]}]}`, &counted{})
		err := error(nil)
		req := spoken(memory.New(), "go")
		req.Limits.MaxTokens = tc.run
		for _, err = range wf.Run(t.Context(), req) {
			continue
		}
		if err == nil || !strings.Contains(fmt.Sprint(err), tc.want) {
			t.Errorf("%s: the run ended with %v", name, err)
		}
	}
}
