package adkconfigv1_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

func TestUnmarshalRefuses(t *testing.T) {
	tests := map[string]struct {
		members string // of the config, beside config_version
		want    string
	}{
		"unknown field at the top": {
			`"modles": {}`,
			"agent config: modles: unknown field; known are config_version, namespace, template, harness, workflow, " +
				"models, mcp_servers, policy",
		},
		"unknown field within": {
			`"workflow": {"prompts": [{"name": "a"}, {"title": {"x": [1]}}]}`,
			"agent config: workflow.prompts[1].title: unknown field; known are name, key, sha256",
		},
		"the other spelling of a name": {
			`"workflow": {"documentJson": "{}"}`,
			"agent config: workflow.documentJson: unknown field; " +
				"known are api_version, document_json, sha256, prompts",
		},
		"a field of a map's value": {
			`"models": {"my model": {"rate_limits": {"per_day": 1}}}`,
			`agent config: models["my model"].rate_limits.per_day: unknown field; ` +
				"known are requests_per_minute, tokens_per_minute",
		},
		"duplicate field": {
			`"harness": "a", "harness": "a"`,
			"agent config: harness: set twice",
		},
		"duplicate field by escape": {
			`"harness": "a", "h\u0061rness": {"b": [1, {}]}`,
			"agent config: harness: set twice",
		},
		"duplicate key of a map": {
			`"models": {"a": {}, "b": {}, "a": {}}`,
			"agent config: models.a: set twice",
		},
		"null":                     {`"workflow": null`, "agent config: workflow: want an object, got null; leave the field out instead"},
		"null in a list":           {`"policy": {"models": ["a", null]}`, "agent config: policy.models[1]: want a string, got null; leave the field out instead"},
		"number for a string":      {`"harness": 5`, "agent config: harness: want a string, got 5"},
		"string for an object":     {`"workflow": "{}"`, "agent config: workflow: want an object, got a string"},
		"list for an object":       {`"models": [{"a": []}]`, "agent config: models: want an object, got a list"},
		"object for a list":        {`"policy": {"env": {"a": 1}}`, "agent config: policy.env: want a list, got an object"},
		"bool for a list":          {`"policy": {"env": true}`, "agent config: policy.env: want a list, got true"},
		"string for a number":      {`"policy": {"max_limits": {"max_cost_usd": "1"}}`, "agent config: policy.max_limits.max_cost_usd: want a number, got a string"},
		"number out of range":      {`"policy": {"max_limits": {"max_cost_usd": 1e400}}`, "agent config: policy.max_limits.max_cost_usd: 1e400 is out of range"},
		"negative number":          {`"policy": {"max_limits": {"max_cost_usd": -0.5}}`, "agent config: policy.max_limits.max_cost_usd: want 0 or more, got -0.5"},
		"negative zero":            {`"policy": {"max_limits": {"max_cost_usd": -0}}`, "agent config: policy.max_limits.max_cost_usd: want 0 or more, got -0"},
		"fraction for an integer":  {`"policy": {"max_limits": {"max_steps": 1.5}}`, `agent config: policy.max_limits.max_steps: want an integer of 64 bits, got "1.5"`},
		"integer beyond 32 bits":   {`"models": {"a": {"rate_limits": {"requests_per_minute": 3000000000}}}`, `agent config: models["a"].rate_limits.requests_per_minute: want an integer of 32 bits, got "3000000000"`},
		"integer with a sign":      {`"policy": {"max_limits": {"max_steps": "+1"}}`, `agent config: policy.max_limits.max_steps: want an integer of 64 bits, got "+1"`},
		"negative integer":         {`"policy": {"max_limits": {"max_steps": -1}}`, "agent config: policy.max_limits.max_steps: want 0 or more, got -1"},
		"object for an integer":    {`"policy": {"max_limits": {"max_steps": {}}}`, "agent config: policy.max_limits.max_steps: want an integer, got an object"},
		"duration without unit":    {`"policy": {"max_limits": {"max_duration": "60"}}`, `agent config: policy.max_limits.max_duration: want seconds such as "1.5s", got "60"`},
		"duration in Go's form":    {`"policy": {"max_limits": {"max_duration": "1h"}}`, `agent config: policy.max_limits.max_duration: want seconds such as "1.5s", got "1h"`},
		"duration as a number":     {`"policy": {"max_limits": {"max_duration": 60}}`, `agent config: policy.max_limits.max_duration: want seconds such as "1.5s", got 60`},
		"negative duration":        {`"policy": {"max_limits": {"max_duration": "-0.5s"}}`, "agent config: policy.max_limits.max_duration: want 0 or more, got -0.5s"},
		"both members of a choice": {`"models": {"a": {"api_key": {"env": "A", "file": "b"}}}`, `agent config: models["a"].api_key: set exactly one of env, file, not 2`},
		"no member of a choice":    {`"mcp_servers": {"crm": {"timeout": "1s"}}`, `agent config: mcp_servers["crm"]: set exactly one of http, stdio, not 0`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wantError(t, `{"config_version":"v1",`+tt.members+`}`, tt.want)
		})
	}
}

func TestUnmarshalRefusesWholeInputs(t *testing.T) {
	tests := map[string]struct{ data, want string }{
		"nothing":               {"", "agent config: byte 0: unexpected end of JSON input"},
		"not an object":         {`["v1"]`, "agent config: top level: want an object, got a list"},
		"no version":            {`{}`, `agent config: config_version: want "v1", got ""`},
		"another version":       {`{"config_version": "v2"}`, `agent config: config_version: want "v1", got "v2"`},
		"version of wrong type": {`{"config_version": 1}`, `agent config: config_version: want "v1", got ""`},
		"cut off":               {`{"config_version": "v1"`, "agent config: byte 23: unexpected end of JSON input"},
		"trailing object": {
			`{"config_version": "v1"} {}`,
			"agent config: byte 26: invalid character '{' after top-level value",
		},
		"trailing comma": {
			`{"config_version": "v1",}`,
			"agent config: byte 25: invalid character '}' looking for beginning of object key string",
		},
		"not UTF-8": {"{\"config_version\": \"v1\", \"harness\": \"\xff\"}", "agent config: not valid UTF-8"},
		"half a pair": {
			`{"config_version": "v1", "harness": "\\\ud83d\ude00\ud800"}`,
			`agent config: byte 51: \ud800 is half a surrogate pair`,
		},
		"a pair the wrong way round": {
			`{"config_version": "v1", "harness": "\ude00\ud83d"}`,
			`agent config: byte 37: \ude00 is half a surrogate pair`,
		},
		"half a pair at the end": {`"\ud83d"`, `agent config: byte 1: \ud83d is half a surrogate pair`},
		"too large": {
			strings.Repeat(" ", adkconfigv1.MaxSize+1),
			"agent config: 4194305 bytes, more than the 4194304 allowed",
		},
		// A newer config has fields that we can't know. Its version is the reason, so nothing else is said.
		"a newer version with new fields": {
			`{"new": {}, "config_version": "v2"}`,
			`agent config: config_version: want "v1", got "v2"`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { wantError(t, tt.data, tt.want) })
	}
}

func TestUnmarshalReportsEverythingAtOnce(t *testing.T) {
	wantError(t, `{"a": 1, "harness": [{"x": {}}], "b": {"c": [1]}, "template": 2, "config_version": "v1"}`, strings.Join([]string{
		"agent config: a: unknown field; known are config_version, namespace, template, harness, workflow, models, mcp_servers, policy",
		"agent config: harness: want a string, got a list",
		"agent config: b: unknown field; known are config_version, namespace, template, harness, workflow, models, mcp_servers, policy",
		"agent config: template: want a string, got 2",
	}, "\n"))
}

func TestUnmarshalBoundsItsReport(t *testing.T) {
	data := `{"config_version":"v1","policy":{"models":[` + strings.Repeat("1,", 1000) + `1]}}`
	_, err := adkconfigv1.Unmarshal([]byte(data))
	if err == nil {
		t.Fatal("no error")
	}
	if got := strings.Count(err.Error(), "\n") + 1; got != 50 {
		t.Errorf("%d problems reported, want 50", got)
	}
}

func TestUnmarshalTakesBothSpellingsOf64BitIntegers(t *testing.T) {
	for _, spelling := range []string{"9007199254740993", `"9007199254740993"`} {
		cfg, err := adkconfigv1.Unmarshal([]byte(
			`{"config_version":"v1","policy":{"max_limits":{"max_tokens":` + spelling + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := cfg.GetPolicy().GetMaxLimits().GetMaxTokens(); got != 9007199254740993 {
			t.Errorf("max_tokens = %d", got)
		}
	}
}

func TestMarshalRefusesWhatUnmarshalWould(t *testing.T) {
	tests := map[string]struct {
		cfg  *adkconfigv1.AgentConfig
		want string
	}{
		"nil":        {nil, `agent config: config_version: want "v1", got ""`},
		"no version": {&adkconfigv1.AgentConfig{Harness: "a"}, `agent config: config_version: want "v1", got ""`},
		"not a number": {
			withCost(math.NaN()),
			"agent config: policy.max_limits.max_cost_usd: want a number, got a string",
		},
		"negative": {withCost(-1), "agent config: policy.max_limits.max_cost_usd: want 0 or more, got -1"},
		"not UTF-8": {
			&adkconfigv1.AgentConfig{ConfigVersion: "v1", Harness: "\xff"},
			"agent config: field plait.adkconfig.v1.AgentConfig.harness contains invalid UTF-8",
		},
		"too large": {
			&adkconfigv1.AgentConfig{ConfigVersion: "v1", Harness: strings.Repeat("a", adkconfigv1.MaxSize)},
			"agent config: 4194340 bytes, more than the 4194304 allowed",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := adkconfigv1.Marshal(tt.cfg)
			wantText(t, err, tt.want)
		})
	}
}

func TestDigest(t *testing.T) {
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := adkconfigv1.Digest([]byte("abc")); got != want {
		t.Errorf("Digest(abc) = %s, want %s", got, want)
	}
}

// The checker has a rule for each kind of field in use.
func TestFormatUsesKnownKindsOnly(t *testing.T) {
	known := map[protoreflect.Kind]bool{
		protoreflect.MessageKind: true, protoreflect.StringKind: true, protoreflect.DoubleKind: true,
		protoreflect.Int32Kind: true, protoreflect.Int64Kind: true,
	}
	eachField((&adkconfigv1.AgentConfig{}).ProtoReflect().Descriptor(), func(field protoreflect.FieldDescriptor) {
		if field.IsMap() {
			field = field.MapValue()
		}
		if !known[field.Kind()] {
			t.Errorf("%s is of kind %s, which the strict reader has no rule for", field.FullName(), field.Kind())
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	goldens, err := filepath.Glob("testdata/golden/*.json")
	if err != nil || len(goldens) == 0 {
		f.Fatal("no golden files", err)
	}
	for _, path := range goldens {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"config_version":"v1","mcp_servers":{"":{"timeout":"-0s","stdio":{}}},"models":{"a":{"catalog":{"input_price":-0}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := adkconfigv1.Unmarshal(data)
		if err != nil {
			return
		}
		canonical, err := adkconfigv1.Marshal(cfg)
		if err != nil {
			t.Fatalf("was read, can't be written: %v", err)
		}
		again, err := adkconfigv1.Unmarshal(canonical)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cfg, again, protocmp.Transform()); diff != "" {
			t.Fatalf("canonical form means something else (-before +after):\n%s", diff)
		}
		twice, err := adkconfigv1.Marshal(again)
		if err != nil || !bytes.Equal(canonical, twice) {
			t.Fatalf("canonical form isn't a fixed point: %v\n%s\n%s", err, canonical, twice)
		}
	})
}

func withCost(usd float64) *adkconfigv1.AgentConfig {
	return &adkconfigv1.AgentConfig{
		ConfigVersion: adkconfigv1.Version,
		Policy:        &adkconfigv1.DocumentPolicy{MaxLimits: &adkconfigv1.Limits{MaxCostUsd: usd}},
	}
}

func wantError(t *testing.T, data, want string) {
	t.Helper()
	_, err := adkconfigv1.Unmarshal([]byte(data))
	wantText(t, err, want)
}
