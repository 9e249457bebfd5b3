// Package workflow executes graphs of nodes durably: a run that dies with its process goes on in another one, from the
// last transition that its journal holds, and executes nothing again that had ended.
//
// A [Workflow] is made by [New] of nodes and edges and is immutable. [Workflow.Run] begins a run and yields its events;
// the run advances on the goroutine that ranges over them. [Workflow.Resume] takes up a run that isn't over,
// [Workflow.Retry] goes on from one that failed, and [Workflow.Fork] goes another way from the middle of one. Whoever
// knows ADK Go will find the same constructs under the same names.
//
// # Words
//
// An activation is one execution of a node; its id is its path, node@1, node@2 and so on. An attempt is one try of an
// activation. An instance is one execution of one graph. A transition is what follows from one event, such as the end
// of an activation: its state applies, its edges fire, joins fire, and what is ready starts. It is written to the
// journal as one entry before anything of it takes effect or is seen.
//
// # Edges
//
// An edge without a [Route] fires when its node succeeds, one with a concrete route when the node produced that
// route, [Default] when no concrete edge of the node fired, and [Error] when the node failed and is not tried again.
// A node that several edges lead to runs once for each time one of them fires, one activation after the other. A join
// waits for everything that can still arrive, then hands on what came; what can't come any more is left out.
//
// # Goroutines
//
// Bodies that aren't [NodeConfig.Pure] execute on goroutines that belong to the run, of which there are as many as bodies
// block at a time: none waits for another one that blocks, and one goroutine executes many that don't, one after the other.
// They are gone when the run is, but for those of bodies that don't return. A body that changes its goroutine or thread, as
// by runtime.LockOSThread, has to undo that.
//
// # Values
//
// Inputs, outputs and state are JSON values in the form that journal.Normalize gives: nil, bool, string, int64, uint64,
// float64, []any and map[string]any. What a body returns is brought into that form, so that a value is the same before
// and after a restart. Values are shared: nobody may change one that was handed out.
//
// # Where each rule is tested
//
// The rules have numbers, and a test bears the number of its rule in its name:
//
//	E1, E2    instances and ids             schedule_test.go, nested_test.go
//	E3        states of activations         internal_test.go
//	E4, E10   transitions, shaped input     journal_test.go
//	E5, E6    order, one at a time          schedule_test.go, random_test.go, handover_test.go
//	E7-E9     edges                         routes_test.go
//	E11-E14   fan-in, cap, limits, panics   schedule_test.go, nested_test.go, resume_test.go, failure_test.go
//	E20-E28   joins: J1 to J6, J8 to J13    joins_test.go, random_test.go
//	E29       counters of joins             internal_test.go, bench_test.go
//	E30-E32   failed attempts, retry, T1    retry_test.go, internal_test.go
//	E33, E38  unhandled failures            failure_test.go, nested_test.go
//	E34, E49  nested graphs                 nested_test.go
//	E35, T2   a retry of an agent           agent_test.go
//	E36       timeouts                      retry_test.go
//	E37       idempotency keys              journal_test.go, nested_test.go
//	E40-E43   outputs of graphs, O1         output_test.go
//	E43       teams: sequences and so on    team_test.go
//	E44-E47   dynamic nodes, T3, T4         dynamic_test.go
//	E48       lists                         items_test.go
//	E50, E51  people: H1 to H9, J7          question_test.go, approval_test.go, sleepers_test.go
//	E52, T5   crash loops                   resume_test.go
//	E53       resume                        crash_test.go, randomcrash_test.go, resume_test.go, kill_test.go
//	E54, E55  state, S1                     state_test.go, shared_test.go, agent_test.go
//	E49       sessions of their own         isolation_test.go
//	E56       branches                      branch_test.go, internal_test.go
//	E57       cancellation, suspension      cancel_test.go
//	-         retries of runs, forks        again_test.go
//	-         limits of tokens              tokens_test.go
//	R3, R4    durable before effects        journal_test.go
package workflow
