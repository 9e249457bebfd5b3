package scenario

import "encoding/json"

// Vendors are the wires, by the names of our providers.
func Vendors() []string {
	return []string{"anthropic", "google", "ollama", "openai", "openai-responses"}
}

// oddArgs are arguments that don't survive being decoded and encoded again.
const oddArgs = `{"z" : 2.50, "a":1e2,"big":12345678901234567890, "text":"<b>&\u00e9 \"q\" —" , "nested":{"y":[1, 2],"x":null,"b":0.10}}`

// oddSchema has its members in no order, keywords that some leave out, and a number that could be written otherwise.
const oddSchema = `{"type":"object","properties":{"z":{"type":"number","minimum":2.50,"description":"<z> & more"},` +
	`"a":{"type":["string","null"],"pattern":"^a+$"},"nested":{"type":"object","properties":{"y":{"type":"array","items":{"type":"integer"}}}}},` +
	`"required":["z"],"additionalProperties":false}`

const system = "You are an assistant.\nAnswer <briefly> & say \"no\" — when you don't know."

// All returns the scenarios.
func All() []Scenario {
	return []Scenario{
		{Name: "text", Answer: "text", MaxTokens: 1024, System: system, Messages: []Message{asks("Hello, wörld 😀 <tag> & \"quotes\" \\ \u2028")}},
		{Name: "image", Answer: "text", MaxTokens: 1024, Messages: []Message{
			{Role: User, Parts: []Part{{Text: "What is this?"}, {Image: picture()}}},
		}},
		{Name: "calls", Answer: "calls", MaxTokens: 1024, System: system, Tools: tools(), Messages: calls()},
		{Name: "shown", Answer: "text", MaxTokens: 1024, Tools: tools(), Messages: shown()},
		{Name: "thinking", Answer: "thinking", MaxTokens: 4096, Thinking: "high", Tools: tools(), Messages: thoughts()},
		{Name: "withheld", Answer: "text", MaxTokens: 4096, Thinking: "high", Tools: tools(), Messages: withheld()},
		{Name: "forms", Answer: "forms", MaxTokens: 1024, Tools: tools(), Messages: []Message{asks("Find it.")}},
		{Name: "sampling", Answer: "text", MaxTokens: 1024, TopP: new(0.9), Seed: new(int64(7)), Messages: []Message{asks("Throw a die.")}},
		{Name: "limits", Answer: "limits", MaxTokens: 16, Temperature: new(0.5), Stop: []string{"END", "</done>"}, Messages: []Message{asks("Count.")}},
		{Name: "stop", Answer: "stop", MaxTokens: 1024, Stop: []string{"END"}, Messages: []Message{asks("Count.")}},
		{Name: "cut-call", Answer: "cut-call", MaxTokens: 16, Tools: tools(), Messages: []Message{asks("Find it.")}},
		{Name: "refusal", Answer: "refusal", MaxTokens: 1024, Messages: []Message{asks("Do harm.")}},
		{Name: "schema", Answer: "schema", MaxTokens: 1024, Messages: []Message{asks("Who is it?")}, OutputSchema: json.RawMessage(
			`{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}`)},
		{Name: "whole", Answer: "whole", MaxTokens: 1024, Whole: true, System: system, Tools: tools(), Messages: []Message{asks("Find it.")}},
	}
}

func asks(text string) Message { return Message{Role: User, Parts: []Part{{Text: text}}} }

// picture is a PNG of one pixel.
func picture() *Image {
	return &Image{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
		"\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82")}
}

func tools() []Tool {
	return []Tool{
		{Name: "find", Description: "Finds <things> & more.", Schema: json.RawMessage(oddSchema)},
		{Name: "list_all", Description: "Lists everything.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
	}
}

// calls is a turn of three calls, one of which fails, and a question behind it.
func calls() []Message {
	return []Message{
		asks("Find it."),
		{Role: Writer, Parts: []Part{
			{Text: "I look."},
			{Call: &Call{ID: "call_1", Name: "find", Args: oddArgs}},
			{Call: &Call{ID: "call_2", Name: "list_all", Args: `{}`}},
			{Call: &Call{ID: "call_3", Name: "find", Args: `{"z":3}`}},
		}},
		{Role: Results, Parts: []Part{
			{Result: &Result{ID: "call_1", Name: "find", Text: "found \"it\" <here>"}},
			{Result: &Result{ID: "call_2", Name: "list_all", Text: "refused", Failed: true}},
			{Result: &Result{ID: "call_3", Name: "find", Text: "nothing"}},
		}},
		{Role: Writer, Parts: []Part{{Text: "It is a cat."}}},
		asks("Sure?"),
	}
}

// shown is a call whose result is a picture.
func shown() []Message {
	return []Message{
		asks("Show it."),
		{Role: Writer, Parts: []Part{{Call: &Call{ID: "call_1", Name: "list_all", Args: `{}`}}}},
		{Role: Results, Parts: []Part{{Result: &Result{ID: "call_1", Name: "list_all", Text: "see", Images: []Image{*picture()}}}}},
	}
}

// thoughts is a turn that was thought out, in the middle of its calls.
func thoughts() []Message {
	return []Message{
		asks("Find it."),
		{Role: Writer, Parts: []Part{
			{Thinking: &Thinking{Text: "The user wants <it>.", Signature: "c2lnbmF0dXJlKzEvMg==", Item: "rs_1"}},
			{Text: "I look."},
			{Call: &Call{ID: "call_1", Name: "find", Args: oddArgs, Signature: "Y2FsbCsvMQ==", Item: "fc_1"}},
		}},
		{Role: Results, Parts: []Part{{Result: &Result{ID: "call_1", Name: "find", Text: "found"}}}},
	}
}

// withheld is a turn whose reasoning the vendor didn't show.
func withheld() []Message {
	return []Message{
		asks("Find it."),
		{Role: Writer, Parts: []Part{
			{Thinking: &Thinking{Signature: "d2l0aGhlbGQ=", Item: "rs_1", Redacted: true}},
			{Call: &Call{ID: "call_1", Name: "find", Args: `{"z":1}`, Signature: "Y2FsbCsvMQ==", Item: "fc_1"}},
		}},
		{Role: Results, Parts: []Part{{Result: &Result{ID: "call_1", Name: "find", Text: "found", Failed: true}}}},
	}
}
