package agentkit_test

import (
	"context"
	"fmt"
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
