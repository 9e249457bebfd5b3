// Package adkparity runs the same graphs on ADK Go and on package workflow, and holds the table of what may differ.
//
// A [Graph] is a description that both engines can run: [RunADK], [RunOurs] and [RunDocument] build it, let it run, and
// tell what happened as an [Outcome]. Two outcomes agree when output, state, routes taken, the multiset of executions,
// branches and the class of the error are the same, and of agents what their models were sent and what was said; see
// [Outcome.Diff]. Everything that may differ has a row in [Differences], with a graph that shows it or the reason why
// none can, and [Reasons] says why it does.
//
// Random graphs are judged by [Examine], which knows from a run of ours which declared differences ADK must meet. A
// [Pair] is a document as an author writes it beside a graph of ADK that is built by hand. [Coverage] says of each
// scenario of ADK's own tests what shows it here.
package adkparity
