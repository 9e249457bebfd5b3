package fields

import (
	"fmt"
	"slices"
	"strings"
)

// Elsewhere says what was meant by a field that a shape doesn't have, or "": one that other formats call so, or a field of
// a map below it.
func (t *Table) Elsewhere(s *Shape, name string) string {
	for _, meant := range foreign(strings.ToLower(strings.ReplaceAll(name, "_", ""))) {
		if slices.Contains(s.Names(), meant) {
			return fmt.Sprintf("did you mean %q?", meant)
		}
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		for _, family := range []Family{Generate, Retry, Limits, RunLimits, Metadata} {
			if f.Type.Kind == Object && f.Type.Family == family && t.Shape(family, "").Field(name) != nil {
				return fmt.Sprintf("%s is a field of %s: write %s: { %s: … }", name, f.Name, f.Name, name)
			}
		}
	}
	return ""
}

// foreign are the fields that are meant by what other formats call them, without underscores.
func foreign(name string) []string {
	switch name {
	case "prompt", "systemprompt", "systeminstruction", "system", "systemmessage":
		return []string{"instruction", "message"}
	case "expr", "expression", "value":
		return []string{"output", "expr", "value"}
	case "when", "condition", "conditions", "if", "branches":
		return []string{"when", "routes"}
	case "arguments", "params", "parameters", "input":
		return []string{"args"}
	case "source", "start":
		return []string{"from"}
	case "target", "dest", "destination", "next", "end":
		return []string{"to"}
	case "deny", "block", "refuse":
		return []string{"reject"}
	case "allow":
		return []string{"accept"}
	case "name", "title":
		return []string{"tool", "route", "id", "name"}
	case "members", "children", "agents":
		return []string{"sub_agents"}
	case "body", "node":
		return []string{"worker"}
	case "maxworkers", "concurrency", "parallelism":
		return []string{"max_concurrency"}
	case "attempts", "maxretries":
		return []string{"max_attempts"}
	case "delay", "interval":
		return []string{"initial_delay"}
	case "maxtokens":
		return []string{"max_tokens", "max_output_tokens"}
	}
	return nil
}
