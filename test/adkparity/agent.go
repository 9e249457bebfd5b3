package adkparity

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Agent makes a node an LLM agent under a model that answers from a script.
type Agent struct {
	Instruction string `json:"instruction,omitempty"`
	Global      string `json:"global,omitempty"`
	// Chat shows it the conversation, else it sees its input alone. Turn, in a chat, shows no more than the current turn.
	Chat bool `json:"chat,omitempty"`
	Turn bool `json:"turn,omitempty"`
	// Task is a mode that ADK has for agents that others call; it is for no node of a graph.
	Task bool `json:"task,omitempty"`
	// Key is where in the state its answer goes, Schema the JSON Schema of the answer.
	Key    string         `json:"key,omitempty"`
	Schema map[string]any `json:"schema,omitempty"`
	Tools  []string       `json:"tools,omitempty"`
	// Says are the answers of the model, request by request; what it said last it says to all further ones, too.
	Says []Reply `json:"says,omitempty"`
}

// Reply is one answer of a model: a text, or calls of tools, or a failure. An empty one repeats what the model was asked.
type Reply struct {
	Text   string        `json:"text,omitempty"`
	Thinks string        `json:"thinks,omitempty"`
	Calls  []Call        `json:"calls,omitempty"`
	Fails  bool          `json:"fails,omitempty"`
	Takes  time.Duration `json:"takes,omitempty"`
}

// Call is a call of a tool. All tools take a text named key.
type Call struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args,omitempty"`
}

// Tool is what a tool does: give a result that is made of its name and its arguments, or Gives, or the text of Says; or fail. State is what it
// writes.
type Tool struct {
	Gives map[string]any `json:"gives,omitempty"`
	Says  string         `json:"says,omitempty"`
	Fails bool           `json:"fails,omitempty"`
	Takes time.Duration  `json:"takes,omitempty"`
	State map[string]any `json:"state,omitempty"`
}

// exitLoop is the tool that both engines have: it ends the loop that its agent works in.
const exitLoop = "exit_loop"

// toolSchema is the JSON Schema of the arguments of all tools.
const toolSchema = `{"type":"object","properties":{"key":{"type":"string"}},"required":["key"],"additionalProperties":false}`

// describe is the description of a tool.
func describe(tool string) string { return "The tool " + tool + "." }

// asked notes a request of an agent and gives the answer of its model.
func (s *script) request(ctx context.Context, name string, a Agent, p Prompt) (Reply, error) {
	s.mu.Lock()
	number := len(s.outcome.Prompts[name])
	s.outcome.Prompts[name] = append(s.outcome.Prompts[name], p)
	s.mu.Unlock()
	var r Reply
	if len(a.Says) > 0 {
		r = a.Says[min(number, len(a.Says)-1)]
	}
	if err := pass(ctx, r.Takes+s.schedule(name, number)); err != nil {
		return r, err
	}
	if r.Fails {
		return r, errBroken
	}
	r.Calls = slices.Clone(r.Calls)
	for i := range r.Calls {
		if r.Calls[i].Args == nil {
			r.Calls[i].Args = map[string]any{}
		}
	}
	if r.Text == "" && len(r.Calls) == 0 {
		r.Text = name + "(" + brief(p.last()) + ")"
	}
	return r, nil
}

// use carries out a call of a tool.
func (s *script) use(ctx context.Context, name string, t Tool, args map[string]any) (map[string]any, error) {
	s.mu.Lock()
	s.outcome.Calls[fmt.Sprintf("%s called with %s", name, jsonText(args))]++
	s.mu.Unlock()
	if err := pass(ctx, t.Takes); err != nil {
		return nil, err
	}
	if t.Fails {
		return nil, errBroken
	}
	if t.Gives != nil {
		return t.Gives, nil
	}
	return map[string]any{"found": fmt.Sprintf("%s(%v)", name, args["key"])}, nil
}

// pass lets time pass.
func pass(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
