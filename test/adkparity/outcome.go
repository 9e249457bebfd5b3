package adkparity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Class is the kind of error that a run ended with.
type Class string

// The classes of errors that both engines know.
const (
	Completed      Class = "completed"
	Failed         Class = "failed"          // a body returned an error
	Panicked       Class = "panicked"        // a body panicked
	TimedOut       Class = "timed out"       // an attempt took too long
	BadInput       Class = "bad input"       // a worker got something else than a list
	BadPrompt      Class = "bad prompt"      // a placeholder stands for nothing
	BadOutput      Class = "bad output"      // an output is not what its schema says
	BadRoute       Class = "bad route"       // a body produced a reserved route
	SeveralOutputs Class = "several outputs" // two terminals gave an output
	Waiting        Class = "waiting"         // a question is open
	BadAnswer      Class = "bad answer"      // an answer fits no question
	Stopped        Class = "stopped"         // the caller ended the run
	Left           Class = "left"            // the caller left early
	Hung           Class = "hung"            // the run did not end by itself
	Crashed        Class = "engine panicked" // the engine itself panicked
	Refused        Class = "refused"         // the graph was not accepted
	Other          Class = "other"
)

// Outcome is what happened in a run.
type Outcome struct {
	Output any
	State  map[string]any
	// Calls counts the executions of bodies: node, attempt and input.
	Calls map[string]int
	// Fired counts what joins, nested workflows and workers of the outermost graph gave.
	Fired map[string]int
	// Branches counts the executions of bodies, and what was fired, by node and branch.
	Branches map[string]int
	// Prompts are the requests of agents, in order, and Said counts what was said in the session, by author and branch.
	Prompts map[string][]Prompt
	Said    map[string]int
	// Taken are the edges between nodes over which a value went, as far as inputs tell.
	Taken []string

	Class Class
	Err   error

	// The rest isn't compared, but by rows of the table that are about it.

	// Peak is the greatest number of bodies that executed at once.
	Peak int
	// Ended are the bodies whose context ended while they executed.
	Ended []string
	// Notes are the codes of the warnings.
	Notes []string
	// Seen are the outputs of functions that a watcher saw, in order.
	Seen []string
	// Gave are the outputs of the nodes of the root, in order.
	Gave []string
	// Paths are the paths of the activations that gave something, in order.
	Paths []string
	// Events counts what the iterator yielded, Gaps is the time between the calls of a body.
	Events int
	Gaps   map[string][]float64
}

// Aspect is a part of an outcome that can differ.
type Aspect string

// The aspects that are compared.
const (
	OutputAspect Aspect = "output"
	StateAspect  Aspect = "state"
	CallsAspect  Aspect = "executions"
	FiredAspect  Aspect = "firings"
	TakenAspect  Aspect = "edges"
	BranchAspect Aspect = "branches"
	PromptAspect Aspect = "prompts"
	SaidAspect   Aspect = "messages"
	ErrorAspect  Aspect = "error"
)

// Aspects lists everything that is compared.
func Aspects() []Aspect {
	return []Aspect{OutputAspect, StateAspect, CallsAspect, FiredAspect, TakenAspect, BranchAspect, PromptAspect, SaidAspect, ErrorAspect}
}

// Diff tells in which of the aspects two outcomes differ, and how.
func (o Outcome) Diff(other Outcome, aspects ...Aspect) map[Aspect]string {
	all := map[Aspect]string{
		OutputAspect: cmp.Diff(plain(o.Output), plain(other.Output)),
		StateAspect:  cmp.Diff(plain(o.State), plain(other.State)),
		CallsAspect:  cmp.Diff(o.Calls, other.Calls),
		FiredAspect:  cmp.Diff(o.Fired, other.Fired),
		TakenAspect:  cmp.Diff(o.Taken, other.Taken),
		BranchAspect: cmp.Diff(o.Branches, other.Branches),
		PromptAspect: cmp.Diff(neutral(o.Prompts), neutral(other.Prompts)),
		SaidAspect:   cmp.Diff(neutralSaid(o.Said), neutralSaid(other.Said)),
		ErrorAspect:  cmp.Diff(o.Class, other.Class),
	}
	maps.DeleteFunc(all, func(a Aspect, diff string) bool { return diff == "" || !slices.Contains(aspects, a) })
	return all
}

// show renders differences for a message.
func show(diffs map[Aspect]string) string {
	var b strings.Builder
	for _, a := range Aspects() {
		if diffs[a] != "" {
			fmt.Fprintf(&b, "%s (-ADK +ours):\n%s\n", a, diffs[a])
		}
	}
	return b.String()
}

// plain brings a value into the form that JSON gives it. An empty map is none.
func plain(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var p any
	if err := json.Unmarshal(text, &p); err != nil {
		return err.Error()
	}
	if m, ok := p.(map[string]any); ok && len(m) == 0 {
		return nil
	}
	return p
}

// jsonText is a value in one line.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
