package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// answerForm is how a question is answered.
func answerForm(ask journal.Ask) string {
	switch {
	case ask.Kind == journal.AskApproval:
		return "--approve, or --edit OBJECT, or --reject --reason TEXT"
	case takesText(ask):
		return "TEXT"
	}
	if all := choices(ask); len(all) > 0 {
		return "--json " + quoted(jsonText(all[0]))
	}
	switch schemaOf(ask)["type"] {
	case "integer", "number":
		return "--json 5"
	case "boolean":
		return "--json true"
	case "object":
		return `--json '{"NAME": VALUE}'`
	case "array":
		return "--json '[VALUE]'"
	default:
		return "--json JSON"
	}
}

// answerRule is what a person has to know of the schema of a question beside that; empty for nothing.
func answerRule(ask journal.Ask) string {
	if all := choices(ask); len(all) > 0 {
		texts := make([]string, len(all))
		for i, value := range all {
			if text, ok := value.(string); ok && takesText(ask) {
				texts[i] = text
			} else {
				texts[i] = jsonText(value)
			}
		}
		return "one of: " + strings.Join(texts, ", ")
	}
	schema := schemaOf(ask)
	if _, typed := schema["type"]; len(schema) == 0 || typed && len(schema) == 1 {
		return ""
	}
	return "by the schema " + jsonText(ask.Schema)
}

// takesText says whether text can be the answer to a question: some of its choices, if it has any, are text.
func takesText(ask journal.Ask) bool {
	all := choices(ask)
	return workflow.TakesText(ask) && (len(all) == 0 || slices.ContainsFunc(all, func(value any) bool {
		_, text := value.(string)
		return text
	}))
}

// choices are the values that a question takes, if it names them.
func choices(ask journal.Ask) []any {
	all, _ := schemaOf(ask)["enum"].([]any)
	return all
}

func schemaOf(ask journal.Ask) map[string]any {
	schema, _ := ask.Schema.(map[string]any)
	return schema
}

// jsonText is a part of a schema, which is JSON already, as a person writes it: a journal writes its numbers with a fraction.
func jsonText(value any) string {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
