package declarative_test

import (
	"fmt"
	"os"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

func Example() {
	text := []byte(`apiVersion: adk.declarative/v0.2
kind: AgentSystem
agents:
  - name: greeter
    agent_class: Workflow
    nodes:
      - { id: greet, type: cel, output: "'Hello ' + usr.content" }
    edges:
      - { from: START, to: greet }
`)
	doc, found := declarative.Load("greeter.yaml", text)
	if doc == nil {
		fmt.Println(found.Err())
		return
	}
	checked, more := declarative.Validate(doc, declarative.Options{})
	found = append(found, more...)
	found.Sort()
	if err := diag.Write(os.Stdout, found, func(string) []byte { return text }); err != nil {
		fmt.Println(err)
	}
	fmt.Println("valid:", checked != nil)
	// Output:
	// greeter.yaml:7:53: error[cel-unknown-var]: "usr" is not a variable here; available: input, state, session, user, invocation, vars
	//     7 |       - { id: greet, type: cel, output: "'Hello ' + usr.content" }
	//       |                                                     ^~~
	//    agents[greeter].nodes[greet].output: did you mean "user"?
	// valid: false
}

func ExampleCanonicalize() {
	doc, found := declarative.Load("greeter.yaml", []byte(`
kind: AgentSystem          # in any order
apiVersion: adk.declarative/v0.2
agents:
  - { name: greeter, model: default, limits: { max_duration: 90s } }
`))
	if found.HasErrors() {
		fmt.Println(found.Err())
		return
	}
	canonical, err := declarative.Canonicalize(doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(canonical))
	fmt.Println(declarative.Digest(canonical)[:15] + "…")
	// Output:
	// {"agents":[{"limits":{"max_duration":"1m30s"},"name":"greeter"}],"apiVersion":"adk.declarative/v0.2","kind":"AgentSystem"}
	// sha256:fd102c73…
}
