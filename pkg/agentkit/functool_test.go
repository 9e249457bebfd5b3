package agentkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
)

type payment struct {
	Account string `json:"account" doc:"who is paid"`
	Cents   int8   `json:"cents"`
	Note    string `json:"note,omitempty"`
}

func payTool(t *testing.T) core.Tool {
	t.Helper()
	pay, err := agentkit.NewTool(core.Spec{Name: "pay", Description: "Pays.", Idempotent: true},
		func(_ context.Context, call core.Call, in payment) (core.Result, error) {
			return core.TextResult(fmt.Sprintf("%s: %s gets %d", call.ID, in.Account, in.Cents)), nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return pay
}

func TestAToolOfAFunctionTakesItsSchemaFromTheArguments(t *testing.T) {
	spec := payTool(t).Spec()
	want := `{"type":"object","properties":{"account":{"type":"string","description":"who is paid"},"cents":{"type":"integer"},` +
		`"note":{"type":"string"}},"required":["account","cents"],"additionalProperties":false}`
	if string(spec.InputSchema) != want || spec.Name != "pay" || !spec.Idempotent {
		t.Errorf("spec %+v, schema %s", spec, spec.InputSchema)
	}
}

func TestAToolOfAFunctionChecksItsArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"account":"ann","cents":7}`:    "c1: ann gets 7",
		`{"account":"ann"}`:              `not run: the arguments of pay don't fit its schema: the property "cents" is missing`,
		`{"account":"ann","Cents":7}`:    `the property "cents" is missing`,
		`{"account":"ann","cents":7000}`: "not run: the arguments of pay don't fit its schema: json: cannot unmarshal number 7000",
	} {
		model := script(t, faux.Turn{Calls: []faux.Call{call("pay", args)}}, faux.Turn{Text: "ok"})
		run(t, agentkit.Config{Model: model, Tools: []core.Tool{payTool(t)}}, agentkit.RunInput{Input: "go"})
		if got := results(model.last(t).Messages)[0]; !strings.Contains(got.Text, want) || got.Error == strings.HasPrefix(want, "c1") {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
	}
}

func TestAToolOfAFunctionThatCannotBeIsRefused(t *testing.T) {
	type channel struct{ C chan int }
	_, unfit := agentkit.NewTool(core.Spec{Name: "a"}, func(context.Context, core.Call, channel) (core.Result, error) {
		return core.Result{}, nil
	})
	_, twice := agentkit.NewTool(core.Spec{Name: "a", InputSchema: []byte(`{}`)},
		func(context.Context, core.Call, payment) (core.Result, error) { return core.Result{}, nil })
	_, none := agentkit.NewTool[payment](core.Spec{Name: "a"}, nil)
	for want, err := range map[string]error{
		"tool a: agentkit_test.channel.C: a chan int has no schema": unfit,
		"tool a: InputSchema is set, and the struct has a schema":   twice,
		"tool a: there is no function":                              none,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("err %v, want %s", err, want)
		}
	}
}

// order has a field of each type that a tool may ask for.
type order struct {
	Text  string          `json:"text"`
	Kind  string          `enum:"new,old"         json:"kind,omitempty"`
	Deep  bool            `json:"deep,omitempty"`
	Count int8            `json:"count,omitempty"`
	Share *float32        `json:"share"`
	Any   any             `json:"any,omitempty"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Of    []struct {
		Name string `json:"name"`
	} `json:"of,omitempty"`
}

// FuzzTypedArguments gives a typed tool whatever a model may write. Either its function gets what the bytes say, with each
// argument under its very name and nothing rounded or cut; or it isn't called, and the error says so.
func FuzzTypedArguments(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a"}`, `{"Text":"a"}`, `{"text":"a","TEXT":"b"}`, `{"text":null}`, `{"text":"a","count":128}`, `{"text":"a","count":1.0}`,
		`{"text":"a","share":1e400}`, `{"text":"a","share":0.1,"any":{"b":[1,2.50]},"raw":1e2,"of":[{"name":"x"},{}]}`,
		`{"text":"\ud800"}`, `{"text":"a","kind":"other"}`, `{"text":"a","of":[null]}`, `null`, `[]`, ``, `{"text":"a"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		var got *order
		tool, err := agentkit.NewTool(core.Spec{Name: "order", Description: "Orders."},
			func(_ context.Context, _ core.Call, in order) (core.Result, error) {
				got = &in
				return core.TextResult("ok"), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		_, err = tool.Run(t.Context(), core.Call{Name: "order", Args: args})
		if err != nil {
			if got != nil || !strings.HasPrefix(err.Error(), "not run: the arguments of order don't fit its schema: ") {
				t.Errorf("%q: called with %v, told %v", args, got, err)
			}
			return
		}
		var said map[string]any
		if err := json.Unmarshal(args, &said); err != nil {
			t.Fatalf("%q is no object: %v", args, err)
		}
		for name := range said {
			if !slices.Contains([]string{"text", "kind", "deep", "count", "share", "any", "raw", "of"}, name) {
				t.Errorf("%q: the argument %q was let through", args, name)
			}
		}
		if n, given := said["count"].(float64); got.Text != said["text"] || given && float64(got.Count) != n {
			t.Errorf("%q is taken for %+v", args, *got)
		}
	})
}
