package a2a_test

import (
	"testing"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"
)

// The agent's parts are isolated: one that works for another one, and the one that gives the answer.
const isolatedDocument = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: root
    agent_class: Workflow
    nodes:
      - {id: first, type: agent, agent: think, isolation: Isolated}
      - {id: last, type: agent, agent: pair, isolation: Isolated}
    edges: [{from: START, to: first}, {from: first, to: last}]
  - {name: pair, agent_class: SequentialAgent, sub_agents: [think, answer]}
  - {name: think, instruction: Think.}
  - {name: answer, instruction: Answer.}
`

const isolatedAnswer = "The answer is long enough to come in more than one piece, as it has more than sixty-four characters."

// What isolated agents say isn't part of a task; what comes out of them is, as the agent's answer and as an artifact.
func TestIsolatedAgents(t *testing.T) {
	l := newLab(t, isolatedDocument)
	c := l.ann(t)
	task := c.send(t, message("go"))
	texts := func(task *protocol.Task) (all []string) {
		for _, m := range task.History {
			all = append(all, string(m.Role)+" "+m.Parts[0].Text())
		}
		for _, a := range task.Artifacts {
			all = append(all, string(a.ID)+" "+partOf(a))
		}
		return all
	}
	want := []string{"ROLE_USER go", "ROLE_AGENT " + isolatedAnswer, "output " + isolatedAnswer}
	if diff := cmp.Diff(want, texts(task)); diff != "" {
		t.Errorf("the task (-want +got):\n%s", diff)
	}
	list, err := c.ListTasks(c.as(t.Context()), &protocol.ListTasksRequest{ContextID: task.ContextID, HistoryLength: new(10), IncludeArtifacts: true})
	if err != nil || len(list.Tasks) != 1 {
		t.Fatal(list, err)
	}
	if diff := cmp.Diff(want, texts(list.Tasks[0])); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
}

// A stream shows the work of isolated agents as remarks under their paths, and the answer alone as the artifact.
func TestIsolatedAgents_stream(t *testing.T) {
	l := newLab(t, isolatedDocument)
	c := l.ann(t)
	got := lines(all(t, c.SendStreamingMessage(c.as(t.Context()), message("go"))))
	remarks := map[string]bool{}
	var artifacts []string
	for _, line := range got {
		switch {
		case len(line) > 8 && line[:8] == "artifact":
			artifacts = append(artifacts, line)
		case len(line) > 10 && line[:11] == "working at ":
			remarks[line] = true
		}
	}
	if diff := cmp.Diff([]string{"artifact output append=false: " + isolatedAnswer}, artifacts); diff != "" {
		t.Errorf("%s%v", diff, got)
	}
	for _, want := range []string{"working at first@1: Let me think.", "working at last@1/think@1: Let me think."} {
		if !remarks[want] {
			t.Errorf("there is no remark %q in %q", want, got)
		}
	}
}
