package adkparity

func coverComposites() []Covered {
	const path, worker, dynamic = "6.7", "6.8", "6.9"
	return []Covered{
		cover(path, "root wrapper: path leaf", "X39"),
		cover(path, "named workflow: path parent_wf@1/leaf@1", "X39"),
		cover(path, "the output of a nested workflow reaches the outer event", "nested/its end is its output", "nested/three deep", "D33"),
		cover(path, "the same for names with a slash", "D29"),
		cover(path, "ToolNode naming", "toolnode/a structure"),

		cover(worker, "success", "worker/results in order"),
		cover(worker, "empty list", "worker/an empty list"),
		cover(worker, "non-slice", "worker/no list"),
		cover(worker, "worker error", "worker/an item fails", "D16"),
		cover(worker, "peak concurrency", "cap/of a list"),
		cover(worker, "intermediate events suppressed", "D15"),
		cover(worker, "in a workflow", "worker/results in order", "worker/items are workflows", "worker/an item without output"),
		cover(worker, "wrapped RetryConfig rejected", "X12"),
		cover(worker, "retry counts per item", "worker/retry is that of the item"),
		cover(worker, "fail fast cancels others", "scheduler/a failure cancels the other items of a list"),
		cover(worker, "cancel while running", "caller/cancels a list"),
		uncovered(worker, "items with several outputs keep order and shape", oneResult),
		cover(worker, "the scheduler doesn't retry the worker itself", "worker/retry is that of the item"),
		uncovered(worker, "one span per item and attempt", "telemetry belongs to the harness"),
		cover(worker, "an item panics", "D8"),
		cover(worker, "an item asks", "D15"),
		cover(worker, "state written by items", "D15"),
		cover(worker, "the error by index", "D16"),

		uncovered(dynamic, "rerun by default and explicit false", "bodies of ours always run again from the top"),
		cover(dynamic, "a chain of RunNode", "dynamic/one child after the other", "dynamic/a child is a workflow"),
		cover(dynamic, "typed and JSON-converted input", "dynamic/a child gets a structure"),
		uncovered(dynamic, "emit in the body", "bodies of ours return their result and show progress, which isn't recorded"),
		cover(dynamic, "a pause is swallowed", "D12").but("a body of ours returns the error of RunNode"),
		cover(dynamic, "a child's failure propagates", "dynamic/a child fails", "D38"),
		cover(dynamic, "terminal event; outputs of child and parent", "dynamic/one child after the other", "dynamic/a child writes"),
		uncovered(dynamic, "run ids: validation, counters, custom ids", "paths and ids are those of rule E2, with tests of their own in pkg/workflow"),
		uncovered(dynamic, "errors: invalid context, type mismatch, WaitForOutput", "RunNode of ours takes the body's context and gives any; "+noOption),
		cover(dynamic, "WithUseAsOutput", "D13"),
		uncovered(dynamic, "WithUseAsOutput: stamps of several levels, empty text, a second delegation", "ours is an option of a child whose output counts: the last"),
		uncovered(dynamic, "WithRunID: replay within an activation", "an explicit id is used once in ours"),
		cover(dynamic, "scope of the cache", "D2"),
		uncovered(dynamic, "isolation scopes", ownSession),
		uncovered(dynamic, "concurrent children", "race tests of ours are in pkg/workflow (T3)"),
		uncovered(dynamic, "raise on wait", noOption),
		cover(dynamic, "retry and timeout of a child", "D14"),
	}
}

func coverPeople() []Covered {
	const s = "6.10"
	return []Covered{
		cover(s, "a pause suppresses the successor", "people/no answer"),
		uncovered(s, "id generated, preserved", "ids of questions are always made by the engine"),
		uncovered(s, "several requests of one node park together", "an attempt of ours asks one question"),
		uncovered(s, "an error after a request", "asking ends an attempt of ours"),
		cover(s, "a branch finishes while another pauses", "people/others go on", "X5"),
		cover(s, "ResumeOrRequestInput", "people/a body that runs again with the answer"),
		uncovered(s, "WaitForOutput suspends", noOption),
		cover(s, "the answer is handed to the successor", "people/the answer is what the successor gets", "branches/behind an answer"),
		uncovered(s, "restored by a new agent instance", "resume of ours in other processes has tests of its own in pkg/workflow"),
		cover(s, "a duplicate answer", "people/the same answer twice", "people/an answer to a run that is over"),
		cover(s, "no matching response", "D10"),
		cover(s, "schema of the answer: pass, fail", "people/an answer that fits", "people/an answer that doesn't"),
		cover(s, "a fan-out of askers", "people/one of two is answered", "people/two before a join, answered one after the other", "D4"),
		cover(s, "a text while waiting is a new run", "people/a message while a question is open"),
		cover(s, "a dynamic orchestrator", "D12"),
		cover(s, "re-entry: the same node again", "people/a body that runs again with the answer"),
		cover(s, "answers of three laps", "D6"),
		cover(s, "one asker and one finished sibling into a join", "D3"),
		cover(s, "an asker in a nested workflow", "D5"),
		uncovered(s, "Runner: routing by call id, nested under an LlmAgent", "is about ADK's runner"),
		uncovered(s, "payload decoding", "is about ADK's wire format of answers"),
	}
}

func coverRest() []Covered {
	const nested, caps, maths, yaml = "6.11", "6.12", "6.12", "6.13"
	return []Covered{
		cover(nested, "a value", "nested/its end is its output"),
		uncovered(nested, "an inner node with two outputs", oneResult),
		cover(nested, "two inner terminals with outputs", "X1"),
		cover(nested, "a silent terminal", "nested/a silent end", "D24"),
		cover(nested, "a terminal whose output is a message", "agent/in a nested workflow"),
		cover(nested, "state written inside is read outside", "nested/state", "agent/in a nested workflow"),
		cover(nested, "cancellation", "caller/cancels a nested workflow"),
		cover(nested, "error propagation", "nested/a failure", "D25"),
		cover(nested, "the caller leaves in the middle", "caller/leaves while a nested workflow runs"),
		cover(nested, "in a loop", "nested/in a loop"),

		cover(caps, "never exceeded", "cap/two at once", "cap/two of four", "X6"),
		cover(caps, "1 starts in order", "cap/one at a time"),
		cover(caps, "a retry passes the gate", "cap/a retry passes it"),
		cover(maths, "delays, jitter within bounds", "D27").but("the table of ours is TestE32_delay_table of pkg/workflow"),
		cover(maths, "should-retry", "scheduler/retry exhausted", "scheduler/a failure").but("predicates are expressions in ours"),
		uncovered(maths, "adjacency tables", insides),
		uncovered(maths, "history: outputs from events", insides),

		cover(yaml, "a chain of two functions", "documents/chain"),
		cover(yaml, "default route", "documents/triage", "TestConformance_support_triage"),
		cover(yaml, "routes to functions", "documents/triage", "routing/one matches"),
		cover(yaml, "LoopAgent file", "team/a loop", "X7"),
		cover(yaml, "JoinNode with two chains", "join/two", "documents/worker and join"),
		cover(yaml, "ToolNode file", "toolnode/a structure"),
		uncovered(yaml, "a path that leaves the directory", "documents of ours are one file"),
		cover(yaml, "a loop", "documents/loop", "D30"),
		cover(yaml, "a failure that is handled", "documents/a failure that is handled", "X2"),
		uncovered("6.14", "recordings", "there are none in ADK's repository"),
	}
}
