package deltas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Count is the number of pieces.
const Count = 1000

// BaseURL is what vendors are called at; nothing is there.
const BaseURL = "http://vendor.invalid"

// Reader asks for an answer and reads it to its end: how many pieces it had, and how many bytes they were together.
type Reader func() (pieces, length int, err error)

// Answer is the same text in the form of one vendor.
type Answer struct {
	Vendor string // by the name of our provider
	Whole  bool   // in one piece
	Body   []byte

	kind string
}

// Answers are those of all vendors, streamed or in one piece.
func Answers(whole bool) []Answer {
	all := []Answer{
		{Vendor: "anthropic", Body: anthropic()}, {Vendor: "google", Body: google()}, {Vendor: "ollama", Body: ollama()},
		{Vendor: "openai", Body: openai()}, {Vendor: "openai-responses", Body: responses()},
	}
	for i := range all {
		a := &all[i]
		a.kind = "text/event-stream"
		if a.Vendor == "ollama" {
			a.kind = "application/x-ndjson"
		}
		if whole {
			a.Whole, a.kind, a.Body = true, "application/json", onePiece(a.Vendor)
		}
	}
	return all
}

// piece is one of the pieces, as a JSON text.
func piece(i int) string { return fmt.Sprintf(`" piece \"%d\" of a text\n"`, i) }

// Length is that of all pieces.
func Length() int { return len(text()) }

// text is all pieces.
func text() string {
	var b strings.Builder
	for i := range Count {
		fmt.Fprintf(&b, " piece \"%d\" of a text\n", i)
	}
	return b.String()
}

// Client is a client of net/http to whom the vendor gives the answer, without a network.
func (a Answer) Client() *http.Client { return &http.Client{Transport: a} }

// RoundTrip answers.
func (a Answer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return &http.Response{StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {a.kind}},
		Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: -1, Request: r}, nil
}

func anthropic() []byte {
	var b bytes.Buffer
	event := func(name, data string) { fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q%s}\n\n", name, name, data) }
	event("message_start", `,"message":{"id":"msg_01","type":"message","role":"assistant","model":"model-x","content":[],"stop_reason":null,`+
		`"stop_sequence":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}`)
	event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	for i := range Count {
		event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":`+piece(i)+`}`)
	}
	event("content_block_stop", `,"index":0`)
	event("message_delta", `,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":4000}`)
	event("message_stop", "")
	return b.Bytes()
}

func openai() []byte {
	var b bytes.Buffer
	event := func(choices, usage string) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"model-x","service_tier":"default",`+
			`"system_fingerprint":"fp_1","choices":[%s],"usage":%s,"obfuscation":"a1B2c3"}`+"\n\n", choices, usage)
	}
	choice := func(delta, finish string) {
		event(`{"index":0,"delta":`+delta+`,"logprobs":null,"finish_reason":`+finish+`}`, "null")
	}
	choice(`{"role":"assistant","content":"","refusal":null}`, "null")
	for i := range Count {
		choice(`{"content":`+piece(i)+`}`, "null")
	}
	choice(`{}`, `"stop"`)
	event("", `{"prompt_tokens":25,"completion_tokens":4000,"total_tokens":4025,"prompt_tokens_details":{"cached_tokens":0},`+
		`"completion_tokens_details":{"reasoning_tokens":0}}`)
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

func responses() []byte {
	var b bytes.Buffer
	n := 0
	event := func(name, data string) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", name, name, n, data)
		n++
	}
	const message = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[]}`
	event("response.created", `"response":`+string(onePieceOf("in_progress", "[]")))
	event("response.output_item.added", `"output_index":0,"item":`+message)
	for i := range Count {
		event("response.output_text.delta", `"item_id":"msg_1","output_index":0,"content_index":0,"delta":`+piece(i)+`,"logprobs":[],"obfuscation":"a1B2c3"`)
	}
	event("response.output_item.done", `"output_index":0,"item":`+message)
	event("response.completed", `"response":`+string(onePieceOf("completed", "["+message+"]")))
	return b.Bytes()
}

func google() []byte {
	var b bytes.Buffer
	for i := range Count {
		finish, usage := "", `{"promptTokenCount":25,"totalTokenCount":25}`
		if i == Count-1 {
			finish, usage = `"finishReason":"STOP",`, `{"promptTokenCount":25,"candidatesTokenCount":4000,"totalTokenCount":4025}`
		}
		fmt.Fprintf(&b, `data: {"candidates":[{"content":{"parts":[{"text":%s}],"role":"model"},%s"index":0}],"usageMetadata":%s,`+
			`"modelVersion":"model-x","responseId":"r-1"}`+"\n\n", piece(i), finish, usage)
	}
	return b.Bytes()
}

func ollama() []byte {
	var b bytes.Buffer
	line := func(content, end string) {
		fmt.Fprintf(&b, `{"model":"model-x","created_at":"2026-11-30T12:00:00.000000001Z","message":{"role":"assistant","content":%s},"done":%s}`+"\n", content, end)
	}
	for i := range Count {
		line(piece(i), "false")
	}
	line(`""`, `true,"done_reason":"stop","total_duration":5000,"prompt_eval_count":25,"eval_count":4000`)
	return b.Bytes()
}

// onePiece is the answer of a vendor in one piece.
func onePiece(vendor string) []byte {
	content, err := json.Marshal(text())
	if err != nil {
		return nil // never of a text
	}
	forms := map[string]string{
		"anthropic": `{"id":"msg_01","type":"message","role":"assistant","model":"model-x","content":[{"type":"text","text":%s}],` +
			`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":25,"output_tokens":4000}}`,
		"google": `{"candidates":[{"content":{"parts":[{"text":%s}],"role":"model"},"finishReason":"STOP","index":0}],` +
			`"usageMetadata":{"promptTokenCount":25,"candidatesTokenCount":4000,"totalTokenCount":4025},"modelVersion":"model-x"}`,
		"ollama": `{"model":"model-x","created_at":"2026-11-30T12:00:00.000000001Z","message":{"role":"assistant","content":%s},"done":true,` +
			`"done_reason":"stop","prompt_eval_count":25,"eval_count":4000}`,
		"openai": `{"id":"chatcmpl-1","object":"chat.completion","created":1790000000,"model":"model-x","choices":[{"index":0,"message":` +
			`{"role":"assistant","content":%s,"refusal":null},"logprobs":null,"finish_reason":"stop"}],` +
			`"usage":{"prompt_tokens":25,"completion_tokens":4000,"total_tokens":4025}}`,
		"openai-responses": string(onePieceOf("completed", `[{"id":"msg_1","type":"message","status":"completed","role":"assistant",`+
			`"content":[{"type":"output_text","text":%s,"annotations":[]}]}]`)),
	}
	return fmt.Appendf(nil, forms[vendor], content)
}

// onePieceOf is a response of the Responses API.
func onePieceOf(status, output string) []byte {
	return []byte(`{"id":"resp_1","object":"response","created_at":1790000000,"status":"` + status + `","error":null,"incomplete_details":null,` +
		`"model":"model-x","output":` + output + `,"parallel_tool_calls":true,"temperature":1.0,"tool_choice":"auto","tools":[],"top_p":1.0,` +
		`"usage":{"input_tokens":25,"input_tokens_details":{"cached_tokens":0},"output_tokens":4000,` +
		`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":4025},"metadata":{}}`)
}
