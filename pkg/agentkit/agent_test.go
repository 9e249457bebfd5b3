package agentkit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

func TestNewNamesEverythingThatIsWrong(t *testing.T) {
	misfit := says("misfit", "")
	misfit.spec.InputSchema = []byte(`{"type":"object"}`)
	_, err := agentkit.New(agentkit.Config{
		Name: "bot", Limits: agentkit.Limits{MaxTurns: -1}, Schemas: required{}, OutputSchema: []byte(`7`),
		Tools: []core.Tool{says("a", ""), says("a", ""), says("no spaces", ""), says(strings.Repeat("x", 65), ""), nil, misfit},
	})
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		"agent bot: no model is given",
		"agent bot: max_turns is -1, it can't be negative",
		`agent bot: two tools are called "a"`,
		`agent bot: tool name "no spaces": 1 to 64 letters, digits, _ and - are allowed`,
		`agent bot: tool name "` + strings.Repeat("x", 65) + `": 1 to 64 letters, digits, _ and - are allowed`,
		"agent bot: tool 4 is nil",
		"agent bot: the input schema of tool misfit: a list of keys is expected: json: cannot unmarshal object into Go value of type []string",
		"agent bot: output_schema: a list of keys is expected: json: cannot unmarshal number into Go value of type []string",
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestNewNeedsANameAndAValidatorForAnOutputSchema(t *testing.T) {
	m, err := faux.New("faux", faux.Script{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agentkit.New(agentkit.Config{Model: m}); err == nil || err.Error() != "an agent needs a name" {
		t.Errorf("err = %v", err)
	}
	if _, err := agentkit.New(agentkit.Config{Name: "user", Model: m}); err == nil || err.Error() != `an agent can't be called "user"` {
		t.Errorf("err = %v", err)
	}
	_, err = agentkit.New(agentkit.Config{Name: "bot", Model: m, OutputSchema: []byte(`{}`)})
	if err == nil || !strings.Contains(err.Error(), "Schemas isn't set") {
		t.Errorf("err = %v", err)
	}
}

func TestToolsAreDeclaredInTheirOrderWithTheirBytes(t *testing.T) {
	b, a := says("b", ""), says("a", "")
	b.spec.InputSchema = []byte(`{ "type":"object", "properties":{"z":{},"a":{}} }`)
	model := script(t, faux.Turn{Text: "ok"})
	temperature := 0.5
	cfg := agentkit.Config{Model: model, Tools: []core.Tool{b, a}, Generate: core.Generate{Temperature: &temperature, Stop: []string{"END"}}}
	run(t, cfg, agentkit.RunInput{Input: "go"})
	req := model.last(t)
	if diff := cmp.Diff([]core.Spec{b.spec, a.spec}, req.Tools); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(cfg.Generate, req.Generate); diff != "" {
		t.Errorf("generate (-want +got):\n%s", diff)
	}
}
