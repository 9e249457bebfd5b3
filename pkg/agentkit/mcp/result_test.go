package mcp

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

func TestResultsAreCappedAcrossTheWholeResult(t *testing.T) {
	block := strings.Repeat("é", MaxResultRunes*2/3)
	res := newResult(&sdk.CallToolResult{Content: []sdk.Content{
		&sdk.TextContent{Text: block},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x:1", Text: block}},
		&sdk.TextContent{Text: "late"},
	}})
	first, second, third := res.Content[0].Text, res.Content[1].Text, res.Content[2].Text
	if first != block {
		t.Errorf("the first block was cut to %d characters", utf8.RuneCountInString(first))
	}
	kept, note, _ := strings.Cut(second, "\n")
	if n := utf8.RuneCountInString(first + kept); n != MaxResultRunes {
		t.Errorf("%d characters were kept, want %d", n, MaxResultRunes)
	}
	if want := "[16666 more characters left out]"; note != want {
		t.Errorf("the cut says %q, want %q", note, want)
	}
	if want := "\n[4 more characters left out]"; third != want {
		t.Errorf("behind the budget: %q, want %q", third, want)
	}
}

func TestATextThatFitsIsNotCut(t *testing.T) {
	text := strings.Repeat("x", MaxResultRunes)
	res := newResult(&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}, &sdk.TextContent{Text: ""}}})
	if res.Text() != text {
		t.Errorf("%d characters of %d", len(res.Text()), len(text))
	}
}

func TestOutput(t *testing.T) {
	tests := map[string]struct {
		res  sdk.CallToolResult
		want any
	}{
		"structured content goes before text": {
			sdk.CallToolResult{StructuredContent: `{"plan":"pro","n":3,"f":3.0,"big":9007199254740993}`, Content: texts("other")},
			map[string]any{"plan": "pro", "n": int64(3), "f": 3.0, "big": int64(9007199254740993)},
		},
		"a list":                         {sdk.CallToolResult{StructuredContent: `[1,"a",null]`}, []any{int64(1), "a", nil}},
		"text":                           {sdk.CallToolResult{Content: texts("one ", "two")}, "one two"},
		"text that is JSON stays text":   {sdk.CallToolResult{Content: texts(`{"a":1}`)}, `{"a":1}`},
		"nothing":                        {sdk.CallToolResult{}, ""},
		"what no value can hold is text": {sdk.CallToolResult{StructuredContent: `{"n":1e999}`}, `{"n":1e999}`},
		"a number of thirty digits":      {sdk.CallToolResult{StructuredContent: `123456789012345678901234567890`}, "123456789012345678901234567890"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, newResult(&tt.res).Output()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestForModel(t *testing.T) {
	tests := map[string]struct {
		res  sdk.CallToolResult
		want core.Result
	}{
		"all kinds": {
			sdk.CallToolResult{Content: []sdk.Content{
				&sdk.TextContent{Text: "one"},
				&sdk.ImageContent{MIMEType: "image/png", Data: []byte{1, 2}},
				&sdk.AudioContent{MIMEType: "audio/wav", Data: []byte{1, 2, 3}},
				&sdk.ResourceLink{URI: "file:///a", Name: "a", Description: "the first"},
				&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x:1", Text: "inner"}},
				&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x:2", MIMEType: "a/b", Blob: []byte{1}}},
			}},
			core.Result{
				Text: "one\n[audio audio/wav, 3 bytes, not shown]\n[resource file:///a: a the first]\ninner\n" +
					"[resource a/b, 1 bytes, not shown]",
				Images: []core.ImageData{{MediaType: "image/png", Data: []byte{1, 2}}},
			},
		},
		"a failure": {
			sdk.CallToolResult{IsError: true, Content: texts("no such customer")},
			core.Result{IsError: true, Text: "no such customer"},
		},
		"structured content alone": {
			sdk.CallToolResult{StructuredContent: `{"b":1,"a":2}`},
			core.Result{Text: `{"b":1,"a":2}`, Structured: []byte(`{"b":1,"a":2}`)},
		},
		"structured content beside text": {
			sdk.CallToolResult{StructuredContent: `{"b":1}`, Content: texts("one")},
			core.Result{Text: "one", Structured: []byte(`{"b":1}`)},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, newResult(&tt.res).ForModel()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStructuredContentForAModelIsCapped(t *testing.T) {
	long := `"` + strings.Repeat("x", 2*MaxResultRunes) + `"`
	res := newResult(&sdk.CallToolResult{StructuredContent: long})
	if n := utf8.RuneCountInString(res.ForModel().Text); n > MaxResultRunes+50 {
		t.Errorf("the model reads %d characters", n)
	}
	if len(res.Structured) != len(long) {
		t.Errorf("the structured content was cut to %d bytes", len(res.Structured))
	}
}

func texts(blocks ...string) []sdk.Content {
	var content []sdk.Content
	for _, text := range blocks {
		content = append(content, &sdk.TextContent{Text: text})
	}
	return content
}
