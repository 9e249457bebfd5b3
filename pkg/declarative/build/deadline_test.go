package build_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/plait-dev/plait/pkg/journal/memory"
)

// deadlines is a document whose questions nobody answers: one goes on with an output, one by a route, one fails.
const deadlines = `
-- document.yaml --
apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: flow
    agent_class: Workflow
    nodes:
      - { id: output, type: hitl, message: One?, deadline: 1h, on_deadline: { output: "'late: ' + input" } }
      - { id: route, type: hitl, message: Two?, deadline: 2h, on_deadline: { route: late } }
      - { id: fail, type: hitl, message: Three?, deadline: 3h }
      - { id: late, type: cel, output: "'by route'" }
      - { id: failed, type: cel, output: input.code }
      - { id: all, type: join }
    edges:
      - { from: START, to: [output, route, fail] }
      - { from: output, to: all }
      - { from: route, to: all, route: DEFAULT }
      - { from: route, to: late, route: late }
      - { from: fail, to: all }
      - { from: fail, to: failed, route: ERROR }
      - { from: [late, failed], to: all }
`

// Each deadline passes by itself, and only what waits for it goes on.
func TestDeadlinesOfQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := newScenario(t, txtar.Parse([]byte(deadlines))), memory.New()
		var out bytes.Buffer
		for e, err := range s.message(store, "r_0", "hi") {
			tell(&out, e, err)
		}
		for range 3 {
			time.Sleep(time.Hour) // no process runs meanwhile
			out.WriteString("later\n")
			for e, err := range s.answer(store, nil) {
				tell(&out, e, err)
			}
		}
		want := strings.TrimPrefix(`
? output@1 asks for input: One?
? route@1 asks for input: Two?
? fail@1 asks for input: Three?
later
output@1 "late: hi"
? route@1 asks for input: Two?
? fail@1 asks for input: Three?
later
route@1 null -> late
late@1 "by route"
? fail@1 asks for input: Three?
later
fail@1 failed: deadline: agents[flow].nodes[fail].deadline: nobody answered before 2000-01-01T03:00:00Z
failed@1 "deadline"
all@1 {"failed":"deadline","late":"by route","output":"late: hi"}
all@1 flow says "{\"failed\":\"deadline\",\"late\":\"by route\",\"output\":\"late: hi\"}"
= {"failed":"deadline","late":"by route","output":"late: hi"}
`, "\n")
		if out.String() != want {
			t.Errorf("got\n%s\nwant\n%s", &out, want)
		}
	})
}
