// Package harness is the program that runs in a pod: it takes one configuration in, answers Agent2Agent requests, and
// goes on with the runs that the pod before it left. docs/harness.md has its contract with whoever starts it.
//
// [Main] is all of it. A program of one's own adds what a document may name and plait doesn't have:
//
//	func main() {
//		os.Exit(harness.Main(
//			harness.WithFunction("score", score),
//			harness.WithTool(tickets.NewTool()),
//		))
//	}
//
// The configuration is taken in once, checked against the digest that the pod's spec holds; a new one comes with a new pod.
// What is wrong at the start is told at once, and the program ends with exit code 2. What may become right by waiting, such
// as an MCP server that doesn't answer yet, keeps it from being ready and nothing more.
package harness
