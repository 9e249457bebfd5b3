// Package adkparity runs the same graphs on ADK Go and on package workflow, and holds the table of what may differ.
//
// A [Graph] is a description that both engines can run: [RunADK] and [RunOurs] build it, let it run, and tell what
// happened as an [Outcome]. Two outcomes agree when output, state, routes taken, the multiset of executions and the
// class of the error are the same, see [Outcome.Diff]. Everything that may differ has a row in [Differences], with a
// graph that shows it or the reason why none can.
//
// Random graphs are judged by [Examine], which knows from a run of ours which declared differences ADK must meet.
package adkparity
