// Package agentkit runs an agent: a model, a system prompt, tools and rules, turned by a loop into an answer.
//
// One turn is one call of the model and the batch of tool calls that it asked for. The loop goes on as long as the
// model asks for tools, whatever reason it gives for stopping, and ends with the first answer without a call. [Limits]
// and a [StopPolicy] bound it; a [Control] puts messages into it and aborts it.
//
// A model comes from a package below provider, which the program names: [core.Model]. A tool is made of a function by
// [NewTool], of another agent by [Subagent], or is whatever implements [core.Tool]. [Hooks] decide what may happen,
// [Middleware] changes how it is done, and an [Audit] keeps who did what.
//
// # Durable turns
//
// Given a [Log], every turn is committed before it has consequences. The model's message and the intent to run each of
// its calls are one commit, made before any tool begins; the results follow as the calls finish, those that finish
// together in one commit. What a killed process loses is therefore exactly this: the answer that the model was still
// writing, which is asked for again, and the outcome of calls that were running or had just finished. A run that is
// given what was committed (see [RunInput].Progress) goes on behind it. It never repeats a finished call; a call that
// has an intent and no result is made again only when its tool is read-only or idempotent, else the model is told that
// the outcome is unknown. [session.Conversation] is such a log on disk, with the conversation around it.
//
// # What the loop guards
//
// Several of its rules are of the kind that nobody misses until the day they matter. An answer that was cut off by the
// output limit runs none of its calls, because cut arguments may still look complete. A stream that ends early is an
// error. All calls of a batch start or none does; one call's failure doesn't cancel its siblings, and a panic is a failed
// call. Arguments are the model's own bytes, checked before a tool sees them. Hooks can only narrow what happens, and
// one that fails blocks. The program examples/agentdemo shows what a loop without such rules does.
//
// The package and core stand on the standard library and pkg/journal; nothing registers itself, and nothing reads the
// environment.
package agentkit
