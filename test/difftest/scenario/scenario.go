package scenario

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Scenario is a request, and the name of what is answered.
type Scenario struct {
	Name string

	System       string
	Messages     []Message
	Tools        []Tool
	MaxTokens    int
	Temperature  *float64
	TopP         *float64
	Seed         *int64
	Stop         []string
	Thinking     string // a level, see core.Generate
	OutputSchema json.RawMessage

	// Whole asks for an answer in one piece.
	Whole bool

	// Answer names the file with each vendor's answer.
	Answer string
}

// Model is the model that is asked. No vendor has one of that name, so nobody knows what it can't take.
const Model = "model-x"

// Role says whose message it is.
type Role string

// The roles. A message of results holds those of one turn.
const (
	User    Role = "user"
	Writer  Role = "model"
	Results Role = "results"
)

// Message is what one side says.
type Message struct {
	Role  Role
	Parts []Part
}

// Part is one of its fields.
type Part struct {
	Text     string    `json:",omitempty"`
	Image    *Image    `json:",omitempty"`
	Thinking *Thinking `json:",omitempty"`
	Call     *Call     `json:",omitempty"`
	Result   *Result   `json:",omitempty"`
}

// Image is a picture.
type Image struct {
	MediaType string
	Data      []byte
}

// Thinking is reasoning as a vendor gave it. Item is the id of its item, where a vendor has such.
type Thinking struct {
	Text, Signature, Item string
	Redacted              bool
}

// Call is a call of a tool with the bytes of its arguments. Signature and Item belong to vendors that have such.
type Call struct{ ID, Name, Args, Signature, Item string }

// Result is what a call gave.
type Result struct {
	ID, Name, Text string
	Failed         bool
	Images         []Image
}

// Tool is a tool with the bytes of its schema.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Sum is the digest of the whole request.
func (s Scenario) Sum() string {
	text, err := json.Marshal(s) //nolint:musttag // nobody reads it
	if err != nil {
		panic(fmt.Sprintf("scenario %s: %v", s.Name, err)) //nolint:forbidigo // a schema in all.go isn't JSON
	}
	return sum(text)
}

//go:embed streams
var streams embed.FS

// Reply returns a vendor's answer to the scenario.
func (s Scenario) Reply(vendor string) (Reply, error) {
	r := Reply{Kind: "text/event-stream"}
	ext := ".sse"
	switch {
	case s.Whole:
		r.Kind, ext = "application/json", ".json"
	case vendor == "ollama":
		r.Kind, ext = "application/x-ndjson", ".ndjson"
	}
	body, err := streams.ReadFile("streams/" + vendor + "/" + s.Answer + ext)
	if err != nil {
		return r, fmt.Errorf("scenario %s has no answer of %s: %w", s.Name, vendor, err)
	}
	r.Body = body
	return r, nil
}

// Reply is an answer with status 200.
type Reply struct {
	Kind string // the content type
	Body []byte
}

// Sum is the digest of the answer's bytes.
func (r Reply) Sum() string { return sum(r.Body) }

func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(digest[:])
}
