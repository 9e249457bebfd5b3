package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// MaxResultRunes is how many characters of text the content of one result may hold, all blocks together.
const MaxResultRunes = 50_000

// Result is what a tool answered.
type Result struct {
	// Content holds the blocks in the server's order. Their text is at most [MaxResultRunes] long in all; what was cut off
	// is counted where it was cut.
	Content []Block

	// Structured is the structured content in the server's own bytes, or nil. It is not cut; a message's size bounds it.
	Structured json.RawMessage

	// IsError says that the tool failed; Text then says why.
	IsError bool
}

// BlockKind says what a [Block] is.
type BlockKind string

// The kinds of blocks.
const (
	TextBlock     BlockKind = "text"          // Text
	ImageBlock    BlockKind = "image"         // MediaType, Data
	AudioBlock    BlockKind = "audio"         // MediaType, Data
	LinkBlock     BlockKind = "resource_link" // URI, Text (its name and description), MediaType
	ResourceBlock BlockKind = "resource"      // URI, MediaType, and Text or Data
)

// Block is one piece of a result's content. Which fields it has depends on its kind.
type Block struct {
	Kind      BlockKind
	Text      string
	MediaType string
	Data      []byte
	URI       string
}

// Text returns the text blocks, joined without a separator, as ADK does.
func (r Result) Text() string {
	var b strings.Builder
	for _, block := range r.Content {
		if block.Kind == TextBlock {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}

// Output returns what a graph takes for the result: the structured content as a normal value of pkg/journal if there is
// any, else the text. Structured content that no such value can hold, for a number's size, is given as its JSON text.
func (r Result) Output() any {
	if r.Structured == nil {
		return r.Text()
	}
	v, err := journal.DecodeValue(r.Structured)
	if err != nil {
		return string(r.Structured)
	}
	return v
}

// ForModel returns the result as a model reads it. Media that models aren't given here are named; structured content
// stands in for a text that is missing.
func (r Result) ForModel() core.Result {
	out := core.Result{Structured: r.Structured, IsError: r.IsError}
	var texts []string
	for _, b := range r.Content {
		switch {
		case b.Kind == ImageBlock:
			out.Images = append(out.Images, core.ImageData{MediaType: b.MediaType, Data: b.Data})
		case b.Kind == LinkBlock:
			texts = append(texts, fmt.Sprintf("[resource %s: %s]", b.URI, b.Text))
		case len(b.Data) > 0:
			texts = append(texts, fmt.Sprintf("[%s %s, %d bytes, not shown]", b.Kind, b.MediaType, len(b.Data)))
		case b.Text != "":
			texts = append(texts, b.Text)
		}
	}
	if len(texts) == 0 && len(out.Images) == 0 && r.Structured != nil {
		budget := MaxResultRunes
		texts = append(texts, spend(string(r.Structured), &budget))
	}
	out.Text = strings.Join(texts, "\n")
	return out
}

// newResult takes over the SDK's result, spending one budget of characters over all of its blocks.
func newResult(res *sdk.CallToolResult) Result {
	out := Result{Structured: unquoteStructured(res.StructuredContent), IsError: res.IsError}
	budget := MaxResultRunes
	for _, c := range res.Content {
		b := newBlock(c)
		b.Text = spend(b.Text, &budget)
		out.Content = append(out.Content, b)
	}
	return out
}

func newBlock(c sdk.Content) Block {
	switch c := c.(type) {
	case *sdk.TextContent:
		return Block{Kind: TextBlock, Text: c.Text}
	case *sdk.ImageContent:
		return Block{Kind: ImageBlock, MediaType: c.MIMEType, Data: c.Data}
	case *sdk.AudioContent:
		return Block{Kind: AudioBlock, MediaType: c.MIMEType, Data: c.Data}
	case *sdk.ResourceLink:
		text := strings.TrimSpace(c.Name + " " + c.Description)
		return Block{Kind: LinkBlock, URI: c.URI, Text: text, MediaType: c.MIMEType}
	case *sdk.EmbeddedResource:
		if r := c.Resource; r != nil {
			return Block{Kind: ResourceBlock, URI: r.URI, MediaType: r.MIMEType, Text: r.Text, Data: r.Blob}
		}
	}
	return Block{Kind: TextBlock, Text: fmt.Sprintf("[content of type %T, not shown]", c)}
}

// spend takes the runes of text from the budget and cuts off what the budget doesn't cover.
func spend(text string, budget *int) string {
	left := *budget
	for i := range text {
		if left == 0 {
			*budget = 0
			return text[:i] + fmt.Sprintf("\n[%d more characters left out]", len([]rune(text[i:])))
		}
		left--
	}
	*budget = left
	return text
}
