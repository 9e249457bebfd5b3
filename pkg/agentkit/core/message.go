package core

import (
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// The vocabulary of messages is the journal's: what is committed is what is sent.
type (
	// Message is one message of a transcript. Stop holds a [StopReason].
	Message = journal.Msg
	// Part is one piece of a message: [Text], [Thinking], [ToolCall], [ToolResult] or [Image], as values.
	Part = journal.Part
	// Text is what is said.
	Text = journal.Text
	// Thinking is a model's reasoning.
	Thinking = journal.Thinking
	// ToolCall is a model's wish to call a tool, with the argument bytes as it wrote them.
	ToolCall = journal.ToolCall
	// ToolResult is what a call gave.
	ToolResult = journal.ToolResult
	// Image refers to a picture by the digest of its bytes.
	Image = journal.Image
	// Usage is what a model call consumed.
	Usage = journal.Usage
	// Role says who speaks.
	Role = journal.Role
)

// The roles.
const (
	RoleUser  = journal.RoleUser
	RoleModel = journal.RoleModel
	RoleTool  = journal.RoleTool
)

// UserMessage returns a message of plain text from a person.
func UserMessage(text string) Message {
	return Message{Role: RoleUser, Author: "user", Parts: []Part{Text{Text: text}}}
}

// TextOf returns the text parts of a message, joined; what the model thought isn't part of it.
func TextOf(m Message) string {
	var texts []string
	for _, p := range m.Parts {
		if t, ok := p.(Text); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "")
}

// CallsOf returns the tool calls of a message in order.
func CallsOf(m Message) []ToolCall {
	var calls []ToolCall
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// ResultOf returns the result in a message of a tool. Such a message holds exactly one.
func ResultOf(m Message) (ToolResult, bool) {
	for _, p := range m.Parts {
		if r, ok := p.(ToolResult); ok {
			return r, true
		}
	}
	return ToolResult{}, false
}
