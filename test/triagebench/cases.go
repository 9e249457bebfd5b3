package main

import (
	"context"
	"fmt"
)

// message is what a person writes, and the answer that both sides give.
type message struct {
	name, text, answer string
	// mostAllocs is the part of ADK's allocations that ours has needed, rounded up: more is a step back.
	mostAllocs float64
}

// answering gives the answer to a message.
type answering func(ctx context.Context) (string, error)

func (m message) check(answer string, err error) error {
	if err == nil && answer != m.answer {
		err = fmt.Errorf("the answer is %q, not %q", answer, m.answer)
	}
	return err
}

// cases are the three ways through the graph.
func cases() []message {
	return []message{
		{"an invoice: lookup and reply", "I was charged twice, invoice 1042", "Plan: " + plan, 0.5},
		{"a question: a model that looks up", "Which plan am I on?", said, 0.4},
		{"anything else: the fallback", "Hello", "Please rephrase.", 0.6},
	}
}

// What the tool and the model say on both sides. The model asks for the customer, and answers with what it got.
const (
	plan       = "pro"
	said       = "You are on the plan pro."
	lookupName = "lookup_customer"
	writeName  = "write_file"
	callID     = "c1"
	who        = "ada@example.com"
)

// prompt is the instruction that the example's ConfigMap holds.
const prompt = `You answer questions of customers in one or two sentences.
Look the customer up before you answer anything about a plan or an invoice.
Keep a copy of every answer with write_file, below answers/.
`
