package check

import (
	"encoding/json"

	"github.com/plait-dev/plait/test/difftest/compare"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// requests compares what was sent.
func requests(vendor string, s scenario.Scenario, sdk, ours reference.Request) ([]Finding, error) {
	from := Finding{Vendor: vendor, Scenario: s.Name, Channel: Sent}
	body, err := differences(from, json.RawMessage(sdk.Body), json.RawMessage(ours.Body))
	if err != nil {
		return nil, err
	}
	sdk.Body, ours.Body = "", ""
	from.Channel = Header
	head, err := differences(from, sdk, ours)
	return append(body, head...), err
}

// differences are findings like one, for each place where two values are different as JSON.
func differences(like Finding, sdk, ours any) ([]Finding, error) {
	a, err := json.Marshal(ours)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(sdk)
	if err != nil {
		return nil, err
	}
	ds, err := compare.JSON(a, b)
	var all []Finding
	for _, d := range ds {
		like.At, like.SDK, like.Ours = d.At, d.Theirs, d.Ours
		all = append(all, like)
	}
	return all, err
}

// kept are values whose bytes have to arrive as they are, and where a vendor has them.
type kept struct {
	name   string
	values []string // of the scenario
	place  string
}

// exact compares the bytes that both sent with those of the scenario. Ours have to be those.
func exact(vendor string, s scenario.Scenario, sdk, ours reference.Request) (all []Finding) {
	for _, k := range keeps(vendor, s) {
		if k.place == "" {
			continue
		}
		a, b := compare.Values([]byte(ours.Body), k.place), compare.Values([]byte(sdk.Body), k.place)
		for i, want := range k.values {
			f := Finding{Vendor: vendor, Scenario: s.Name, Channel: Bytes, At: k.name, SDK: at(b, i), Ours: at(a, i)}
			f.Fault = f.Ours != want
			if f.Fault || f.SDK != want {
				all = append(all, f)
			}
		}
		for i := len(k.values); i < len(a); i++ {
			if a[i] != compare.Absent {
				all = append(all, Finding{Vendor: vendor, Scenario: s.Name, Channel: Bytes, At: k.name, SDK: at(b, i), Ours: a[i], Fault: true})
			}
		}
	}
	return all
}

func at(values []string, i int) string {
	if i < len(values) {
		return values[i]
	}
	return compare.Absent
}

// keeps are the values of a scenario.
func keeps(vendor string, s scenario.Scenario) []kept {
	var args, schemas, thoughts, withheld, callSignatures []string
	for _, m := range s.Messages {
		for _, p := range m.Parts {
			if p.Call != nil {
				args = append(args, p.Call.Args)
				if p.Call.Signature != "" {
					callSignatures = append(callSignatures, p.Call.Signature)
				}
			}
			switch {
			case p.Thinking == nil:
			case p.Thinking.Redacted && vendor == "anthropic": // it has a member of its own
				withheld = append(withheld, p.Thinking.Signature)
			default:
				thoughts = append(thoughts, p.Thinking.Signature)
			}
		}
	}
	for _, t := range s.Tools {
		schemas = append(schemas, string(t.Schema))
	}
	var bound []string
	if len(s.OutputSchema) > 0 {
		bound = []string{string(s.OutputSchema)}
	}
	places := map[string][4]string{ // arguments, schemas, signatures, output schema
		"anthropic": {"/messages/*/content/*/input", "/tools/*/input_schema", "/messages/*/content/*/signature", "/output_config/format/schema"},
		"google": {"/contents/*/parts/*/functionCall/args", "/tools/*/functionDeclarations/*/parametersJsonSchema",
			"/contents/*/parts/*/thoughtSignature", "/generationConfig/responseJsonSchema"},
		"ollama": {"/messages/*/tool_calls/*/function/arguments", "/tools/*/function/parameters", "", "/format"},
		"openai": {"/messages/*/tool_calls/*/function/arguments", "/tools/*/function/parameters", "", "/response_format/json_schema/schema"},
		"openai-responses": {"/input/*/arguments", "/tools/*/parameters", "/input/*/encrypted_content",
			"/text/format/schema"},
	}[vendor]
	if vendor == "google" { // it signs calls as well
		thoughts = append(thoughts, callSignatures...)
	}
	return []kept{{"arguments", args, places[0]}, {"schemas", schemas, places[1]}, {"signatures", thoughts, places[2]},
		{"output schema", bound, places[3]}, {"withheld reasoning", withheld, "/messages/*/content/*/data"}}
}
