package core

// StopReason says why a model stopped writing, in one vocabulary for all vendors. The loop never decides by it whether
// to go on: several vendors report [StopEnd] beside tool calls.
type StopReason string

// The reasons.
const (
	StopEnd       StopReason = "end"           // the answer is complete
	StopToolUse   StopReason = "tool_use"      // the model waits for results
	StopMaxTokens StopReason = "max_tokens"    // cut off by a limit on the output or the context
	StopPaused    StopReason = "paused"        // the vendor paused a long answer, and goes on with it when it is sent again
	StopSequence  StopReason = "stop_sequence" // a stop sequence of the request
	StopRefusal   StopReason = "refusal"       // the model or the vendor's filter declined
	StopError     StopReason = "error"         // the answer ended in an error; repair drops such a message
	StopRejected  StopReason = "rejected"      // a hook answered in the model's place
	StopEndRun    StopReason = "end_run"       // on a result: its tool asked that the agent ends
	StopPolicy    StopReason = "stop_policy"   // a stop policy of the caller ended the run
	StopAborted   StopReason = "aborted"       // the caller ended the answer; repair drops such a message
)
