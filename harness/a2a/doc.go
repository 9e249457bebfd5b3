// Package a2a answers Agent2Agent requests, protocol version 1.0, over JSON-RPC and REST. It is the only package that
// knows the protocol's types.
//
// A context is a session and a task is a run. Nothing is kept here: tasks, their artifacts and the events of streams are
// views of the journal, which the [run.Supervisor] writes, so a task is the same whoever asks, after a restart as well.
//
// A message without a context begins a session, a message with one begins the next run in it, while none executes. The id
// of a message makes sending it again harmless: the answer is the task that it began the first time. Messages for a task
// that is there already are refused, because no run of this release waits for one.
//
// The output of a run is one artifact, "output", or when several ends of the graph have an output one for each, named
// after its node. While a model writes such an output, its text is shown as pieces of the artifact. Pieces are a preview,
// and not recorded; the artifact that comes with lastChunk is the whole and takes their place. What other nodes show on
// their way are the messages of working states.
package a2a
