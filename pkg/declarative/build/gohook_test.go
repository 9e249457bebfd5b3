package build_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/declarative/build"
)

// goHooks are the registered hooks of the scenarios.
func goHooks() map[string]build.Hook {
	return map[string]build.Hook{
		// words rejects what holds a word of its config, said by a model or to a tool.
		"words": {
			AfterModel: func(_ context.Context, j build.Judged[agentkit.ModelResponse]) (agentkit.Verdict, error) {
				return forbids(j.Config, j.In.Text), nil
			},
			BeforeTool: func(_ context.Context, j build.Judged[agentkit.ToolUse]) (agentkit.Verdict, error) {
				return forbids(j.Config, string(j.In.Call.Args)), nil
			},
		},
		// spoils writes into all that it is shown.
		"spoils": {
			BeforeModel: func(_ context.Context, j build.Judged[agentkit.ModelRequest]) (agentkit.Verdict, error) {
				for i := range j.In.Request.Messages {
					j.In.Request.Messages[i].Parts[0] = core.Text{Text: "spoiled"}
				}
				j.In.Request.System = "spoiled"
				return agentkit.Verdict{}, nil
			},
			BeforeTool: func(_ context.Context, j build.Judged[agentkit.ToolUse]) (agentkit.Verdict, error) {
				copy(j.In.Call.Args, strings.Repeat("x", len(j.In.Call.Args)))
				return agentkit.Verdict{}, nil
			},
			AfterTool: func(_ context.Context, j build.Judged[agentkit.ToolOutcome]) (agentkit.Verdict, error) {
				j.In.Result.Text = "spoiled"
				for key := range j.In.Result.Set {
					j.In.Result.Set[key] = "spoiled"
				}
				return agentkit.Verdict{}, nil
			},
		},
		"asks": {BeforeTool: func(_ context.Context, j build.Judged[agentkit.ToolUse]) (agentkit.Verdict, error) {
			input, _ := j.Node.Input().(string)
			return agentkit.Verdict{Decision: agentkit.Ask, Text: "May it, for " + input + "?"}, nil
		}},
		"fails": {BeforeTool: func(context.Context, build.Judged[agentkit.ToolUse]) (agentkit.Verdict, error) {
			return agentkit.Verdict{Decision: agentkit.Accept}, errors.New("the list of words can't be read")
		}},
		"panics": {AfterModel: func(context.Context, build.Judged[agentkit.ModelResponse]) (agentkit.Verdict, error) {
			panic("no list")
		}},
	}
}

func forbids(config any, text string) agentkit.Verdict {
	words, _ := config.([]any)
	for _, w := range words {
		if word, _ := w.(string); strings.Contains(text, word) {
			return agentkit.Verdict{Decision: agentkit.Reject, Text: "Not with " + word + "."}
		}
	}
	return agentkit.Verdict{}
}

// A hook that the program doesn't have, or not for the list that names it, is refused before anything runs.
func TestHooks_that_are_not_there(t *testing.T) {
	checked := checkedDocument(t, `
agents:
  - name: a
    before_model: [{ hook: asks }, { hook: word }]
    before_tool: [{ hook: asks }, { hook: panics }]`)
	model, err := faux.New("m", faux.Script{})
	if err != nil {
		t.Fatal(err)
	}
	_, found := build.Build(checked, build.Options{Models: map[string]core.Model{"default": model}, Hooks: goHooks()})
	var got []string
	for _, d := range found {
		got = append(got, d.Path+": "+d.Message+": "+d.Hint)
	}
	want := []string{
		`agents[a].before_model[0].hook: the hook "asks" of this program is not one for before_model: it is one for before_tool`,
		`agents[a].before_model[1].hook: "word" is not a hook of this program: did you mean "words"?`,
		`agents[a].before_tool[1].hook: the hook "panics" of this program is not one for before_tool: it is one for after_model`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
