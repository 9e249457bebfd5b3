package main

import (
	"context"
	"fmt"
	"strings"
)

// What the scripted model says and the tool answers, on all sides. Both cost next to nothing, so that what is measured is the
// loop.
const (
	question  = "What is the weather like?"
	toolName  = "look"
	toolText  = "sunny, 21 °C"
	arguments = `{"city":"Berlin"}`
	answer    = "It is sunny in Berlin, with 21 °C."
)

// schema is that of the tool's arguments.
const schema = `{"type":"object","properties":{"city":{"type":"string","description":"The name of a city."}},"required":["city"]}`

// script is a run: a model that asks for the tool in each of its turns, and then answers.
type script struct {
	history int // messages before the question
	turns   int // those with calls
	calls   int // in each of them
}

// modelCalls is how often the model is called in a run.
func (s script) modelCalls() int { return s.turns + 1 }

// pieces are the answer as it is streamed, piecesOfArguments the arguments.
func pieces() []string { return strings.SplitAfter(answer, " ") }

func piecesOfArguments() []string { return []string{arguments[:6], arguments[6:10], arguments[10:]} }

// said are the messages before the question: what the person said and the agent answered, in turns.
func (s script) said() []string {
	all := make([]string, s.history)
	for i := range all {
		all[i] = fmt.Sprintf("Message %d: a sentence or two, as they are said in chats, about nothing that matters.", i)
	}
	return all
}

func callID(n int) string { return fmt.Sprintf("call_%d", n) }

// ids are those of the calls of a turn. They come again in each turn.
func (s script) ids() []string {
	all := make([]string, s.calls)
	for i := range all {
		all[i] = callID(i)
	}
	return all
}

// talk is a run that can be repeated. It fails when the script wasn't followed.
type talk func(ctx context.Context) error

// ended is the error of a run that didn't follow the script.
func (s script) ended(text string, tools int) error {
	if text != answer || tools != s.turns*s.calls {
		return fmt.Errorf("the answer is %q after %d calls of the tool, not %d", text, tools, s.turns*s.calls)
	}
	return nil
}
