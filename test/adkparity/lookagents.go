package adkparity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What there is to see of agents. All of it is about the last request of an agent.

func lastPrompt(o Outcome, agent string) Prompt {
	if all := o.Prompts[agent]; len(all) > 0 {
		return all[len(all)-1]
	}
	return Prompt{}
}

// system tells the system prompt of the agent a.
func system(o Outcome) string { return jsonText(lastPrompt(o, "a").System) }

// sees tells the messages of the agent a.
func sees(o Outcome) string { return "a sees " + strings.Join(lastPrompt(o, "a").Lines, " / ") }

// asked tells how often the model of the agent a was asked.
func asked(o Outcome) string { return fmt.Sprintf("asked %d times, %s", len(o.Prompts["a"]), o.Class) }

// said tells what is in the session of agents.
func said(o Outcome) string {
	if len(o.Said) == 0 {
		return "nothing is said"
	}
	return strings.Join(slices.Sorted(maps.Keys(o.Said)), ", ")
}

// used tells which tools were called.
func used(o Outcome) string {
	all := []string{string(o.Class)}
	for call := range o.Calls {
		if strings.Contains(call, " called with ") {
			all = append(all, call)
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return strings.Join(all, ", ")
}

// paths tells what gave something.
func paths(o Outcome) string { return strings.Join(slices.Sorted(slices.Values(o.Paths)), ", ") }
