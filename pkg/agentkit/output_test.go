package agentkit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

// required is a schema language of one feature: a list of the keys that an object must have.
type required struct{}

func (required) Compile(schema json.RawMessage) (agentkit.Check, error) {
	var keys []string
	if err := json.Unmarshal(schema, &keys); err != nil {
		return nil, fmt.Errorf("a list of keys is expected: %w", err)
	}
	return func(value json.RawMessage) error {
		var object map[string]any
		if err := json.Unmarshal(value, &object); err != nil {
			return errors.New("an object is expected")
		}
		for _, k := range keys {
			if _, ok := object[k]; !ok {
				return fmt.Errorf("%s is missing", k)
			}
		}
		return nil
	}, nil
}

func TestOutputSchema(t *testing.T) {
	const schema = `["name"]`
	for _, c := range []struct {
		name   string
		texts  []string
		output string
		err    string
	}{
		{"fits at once", []string{" {\"name\":\"x\"}\n"}, `{"name":"x"}`, ""},
		{"fits when told", []string{"x", `{"name":"x"}`}, `{"name":"x"}`, ""},
		{"never fits", []string{"x", `{"nom":"x"}`}, "", "the answer doesn't fit output_schema: name is missing"},
		{"never JSON", []string{"x", "y"}, "", "it isn't JSON: byte 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var turns []faux.Turn
			for _, text := range c.texts {
				turns = append(turns, faux.Turn{Text: text})
			}
			model := script(t, turns...)
			log := &flakyLog{}
			cfg := agentkit.Config{Model: model, Schemas: required{}, OutputSchema: json.RawMessage(schema)}
			res, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
			if c.err != "" {
				var out *agentkit.OutputError
				if !errors.As(err, &out) || !strings.Contains(err.Error(), c.err) {
					t.Errorf("err = %v", err)
				}
				return
			}
			if err != nil || string(res.Output) != c.output {
				t.Fatalf("output %s, err %v", res.Output, err)
			}
			if string(model.last(t).OutputSchema) != schema {
				t.Error("the schema isn't in the request")
			}
			again, err := newAgent(t, cfg).Run(t.Context(), agentkit.RunInput{Input: "go", Progress: log.Records()})
			if diff := cmp.Diff(res, again); diff != "" || err != nil {
				t.Errorf("after a restart: err %v (-first +again):\n%s", err, diff)
			}
		})
	}
}

func TestTheCorrectionIsCommittedAndCountsOnceAcrossRestarts(t *testing.T) {
	model := script(t, faux.Turn{Text: "x"}, faux.Turn{Text: "y"})
	cfg := agentkit.Config{Model: model, Schemas: required{}, OutputSchema: json.RawMessage(`["name"]`)}
	log := &flakyLog{}
	in := agentkit.RunInput{Input: "go", Log: log}
	for attempt := 1; attempt <= 2; attempt++ {
		in.Progress = log.Records()
		if _, err := newAgent(t, cfg).Run(t.Context(), in); err == nil {
			t.Fatal("the answer fits nothing")
		}
		if diff := cmp.Diff([]core.Role{core.RoleModel, core.RoleUser}, roles(log.Messages())); diff != "" {
			t.Errorf("attempt %d: committed (-want +got):\n%s", attempt, diff)
		}
		sent := model.last(t).Messages
		if last := sent[len(sent)-1]; !strings.Contains(core.TextOf(last), "doesn't fit the required JSON Schema: it isn't JSON") {
			t.Errorf("attempt %d: the model was told %q", attempt, core.TextOf(last))
		}
	}
	if n := len(model.requests); n != 3 {
		t.Errorf("%d requests, want 2 and then 1", n)
	}
}

func roles(msgs []core.Message) (out []core.Role) {
	for _, m := range msgs {
		out = append(out, m.Role)
	}
	return out
}

// stringSchema accepts a string that isn't empty.
type stringSchema struct{}

func (stringSchema) Compile(json.RawMessage) (agentkit.Check, error) {
	return func(v json.RawMessage) error {
		var s string
		if err := json.Unmarshal(v, &s); err != nil || s == "" {
			return errors.New("a text is expected")
		}
		return nil
	}, nil
}

func TestTextIsTheValueOfAStringSchema(t *testing.T) {
	cfg := agentkit.Config{Model: script(t, faux.Turn{Text: "plain \"words\""}), Schemas: stringSchema{}, OutputSchema: json.RawMessage(`1`)}
	if res := run(t, cfg, agentkit.RunInput{Input: "go"}); string(res.Output) != `"plain \"words\""` {
		t.Errorf("output %s", res.Output)
	}
}
