package compile_test

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/compile/manifests"
)

// The objects of a folder are compiled as the controller compiles those of a cluster.
func Example() {
	set, err := manifests.Load(filepath.Join("testdata", "support-triage"))
	if err != nil {
		fmt.Println(err)
		return
	}
	reader := set.Reader(manifests.ReaderOptions{AssumeSecrets: true})
	for _, template := range set.Templates() {
		for _, harness := range set.Harnesses() {
			in := &compile.Inputs{Template: template, Harness: harness}
			missing, err := compile.Resolve(context.Background(), reader, in)
			if err != nil || missing != nil {
				fmt.Println(missing, err)
				continue
			}
			res := compile.Compile(in)
			if res.Refusal != nil {
				fmt.Println(res.Refusal.Reason, res.Refusal.Message)
				continue
			}
			fmt.Println(template.Name, "on", harness.Name, "is revision", res.Revision.Short())
			fmt.Println("agents, nodes, edges:", res.Document.Agents, res.Document.Nodes, res.Document.Edges)
		}
	}
	// Output:
	// support-triage on main is revision fc9af9e6baf9
	// agents, nodes, edges: 1 5 5
}
