package expr_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// TestDocumentation evaluates every example of docs/cel.md.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../../docs/cel.md")
	if err != nil {
		t.Fatal(err)
	}
	act := documentedActivation(t, string(text))
	places := map[string]expr.Place{"": expr.CelNode, "retry.when": expr.RetryWhen, "before_tool": expr.BeforeTool}
	examples := 0
	for _, block := range regexp.MustCompile("(?ms)^```cel ?([a-z_.]*)\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		place, ok := places[block[1]]
		if !ok {
			t.Errorf("%s is no place", block[1])
		}
		for line := range strings.Lines(block[2]) {
			example, want, ok := strings.Cut(strings.TrimSpace(line), " // ")
			if !ok {
				t.Errorf("%q doesn't say what it gives", line)
				continue
			}
			examples++
			if got := documented(t, place, strings.TrimSpace(example), act); !agrees(t, want, got) {
				t.Errorf("%s\n gives %s\n, documented is %s", example, got, want)
			}
		}
	}
	if examples < 50 {
		t.Errorf("%d examples", examples)
	}
}

// documentedActivation reads the values that the page promises.
func documentedActivation(t *testing.T, text string) *expr.Activation {
	t.Helper()
	block := regexp.MustCompile("(?ms)^```json\n(.*?)^```").FindStringSubmatch(text)
	dec := json.NewDecoder(strings.NewReader(block[1]))
	dec.UseNumber()
	var values struct {
		Input   any            `json:"input"`
		State   map[string]any `json:"state"`
		Message string         `json:"message"`
	}
	if err := dec.Decode(&values); err != nil {
		t.Fatal(err)
	}
	return &expr.Activation{
		Input: values.Input, State: expr.StateMap(values.State), User: expr.User{Content: values.Message},
		Error: &expr.Failure{Code: "tool-error"}, Tool: &expr.Tool{Name: "crm__lookup", Args: m{"id": "c7"}},
	}
}

// documented evaluates an example: JSON, or "error: " and what is reported.
func documented(t *testing.T, place expr.Place, text string, act *expr.Activation) string {
	t.Helper()
	program, problems := scopeOf(t, place).Compile(source(text), expr.Any)
	if problems != nil {
		return "error: " + problems[0].Message
	}
	value, err := program.Eval(t.Context(), act)
	if err != nil {
		return "error: " + err.Error()
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func agrees(t *testing.T, want, got string) bool {
	t.Helper()
	if text, isError := strings.CutPrefix(want, "error: "); isError {
		return strings.HasPrefix(got, "error: ") && strings.Contains(got, text)
	}
	var a, b any
	if json.Unmarshal([]byte(want), &a) != nil || json.Unmarshal([]byte(got), &b) != nil {
		return false
	}
	return cmp.Equal(a, b)
}
