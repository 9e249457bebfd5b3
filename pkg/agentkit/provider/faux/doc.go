// Package faux is a model without a model: it answers from a script. Tests use it, and so does every run that has no key.
//
// A [Script] is data, and answering is a function of the request alone: no counter is kept. A rule is chosen by what the
// request shows (who asks, the newest user text, the results of tools), and within a rule the turn is chosen by the
// number of the turn in its activation, which a run that is resumed in another process counts on from what was committed.
// So the same script gives the same answers to any number of runs, in parallel, and across restarts. A [Fault] that is
// meant to pass is bound to the attempts of the activation, for the same reason.
//
// In texts and arguments {{user}} stands for the newest user text, {{result}} for the newest result of a tool, and
// {{1}} to {{9}} for the groups of the rule's expression on the user text.
package faux
