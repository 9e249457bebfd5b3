package anthropic_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
)

// deltas is how many pieces the answer of the benchmarks has.
const deltas = 1000

// longStream is an answer of that many pieces of text.
func longStream() []byte {
	var b bytes.Buffer
	b.WriteString("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n")
	b.WriteString(strings.Repeat("event: content_block_delta\ndata: "+
		"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" a piece of text\"}}\n\n", deltas))
	b.WriteString("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n" +
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
	return b.Bytes()
}

// BenchmarkStream reads an answer of a thousand deltas: with this wire, and as a program would that knows no more than a line
// reader and encoding/json.
func BenchmarkStream(b *testing.B) {
	stream := longStream()
	b.Run("wire", func(b *testing.B) { benchmarkWire(b, stream) })
	b.Run("plain", func(b *testing.B) { benchmarkPlain(b, stream) })
}

func benchmarkWire(b *testing.B, stream []byte) {
	client, err := provider.NewClient(provider.ClientOptions{
		Between: func(provider.Passing, func() (*http.Response, error)) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
				Body: io.NopCloser(bytes.NewReader(stream))}, nil
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	m, err := anthropic.New(anthropic.Options{Options: provider.Options{Model: "claude-x", BaseURL: "http://vendor.invalid", Client: client}})
	if err != nil {
		b.Fatal(err)
	}
	req := &core.Request{Messages: []core.Message{core.UserMessage("hello")}}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for d, err := range m.Stream(b.Context(), req) {
			if err != nil {
				b.Fatal(err)
			}
			if d.Kind == core.TextDelta {
				n++
			}
		}
		if n != deltas {
			b.Fatalf("%d deltas", n)
		}
	}
}

// plainEvent is what a program needs of an event.
type plainEvent struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
	Delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
}

func benchmarkPlain(b *testing.B, stream []byte) {
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		lines := bufio.NewScanner(bytes.NewReader(stream))
		for lines.Scan() {
			data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
			if !ok {
				continue
			}
			var e plainEvent
			if err := json.Unmarshal(data, &e); err != nil {
				b.Fatal(err)
			}
			if e.Delta.Type == "text_delta" {
				n++
			}
		}
		if n != deltas {
			b.Fatalf("%d deltas", n)
		}
	}
}
