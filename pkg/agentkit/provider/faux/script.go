package faux

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// Script is what a scripted model answers. The first rule that matches a request and has a turn for it answers; Turns
// are a rule without conditions behind all others. A script without rules and turns answers every request with a short
// text that says so.
type Script struct {
	Rules []Rule `json:"rules,omitempty"`
	Turns []Turn `json:"turns,omitempty"`
}

// Rule answers the requests that match all of its conditions: with Turns the first turn of an activation by the first
// entry, the second by the second, and none beyond; with Reply every turn in the same way. It has exactly one of both.
type Rule struct {
	When  When   `json:"when,omitzero"`
	Turns []Turn `json:"turns,omitempty"`
	Reply *Turn  `json:"reply,omitempty"`
}

// When holds the conditions of a rule; those that are empty don't count. Expressions are Go regular expressions that
// match anywhere in the text.
type When struct {
	// Agent and Model are the names of the agent that asks and of the model that it asks.
	Agent string `json:"agent,omitempty"`
	Model string `json:"model,omitempty"`
	// User and System are expressions on the text of the newest message of a person and on the system prompt.
	User   string `json:"user,omitempty"`
	System string `json:"system,omitempty"`
	// Tool is the name of a tool that has given a result since that message, Result an expression on the text
	// of such a result.
	Tool   string `json:"tool,omitempty"`
	Result string `json:"result,omitempty"`
}

// Turn is one answer.
type Turn struct {
	Thinking string `json:"thinking,omitempty"`
	// Signature is what the model wants to see again with the thinking.
	Signature string `json:"signature,omitempty"`
	Text      string `json:"text,omitempty"`
	Calls     []Call `json:"calls,omitempty"`

	// Stop is the reason that is reported; the default is tool_use with calls and end without.
	Stop core.StopReason `json:"stop,omitempty"`

	// Usage is what is reported. Without it an estimate is, with an empty one nothing.
	Usage *Usage `json:"usage,omitempty"`

	// Delay passes before the answer begins.
	Delay Duration `json:"delay,omitempty"`

	// Chunk is the number of characters that come at a time, 0 meaning 16.
	Chunk int `json:"chunk,omitempty"`

	Fault *Fault `json:"fault,omitempty"`
}

// Call is a call of a tool. Args is the object of the arguments, whose bytes are sent as they stand; or a string that
// holds the bytes, for arguments that are not well-formed. Without an ID the call gets the next of c1, c2, … that the
// transcript leaves free.
type Call struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

// Usage is a reported consumption, in tokens and US dollars.
type Usage struct {
	Input      int64 `json:"input,omitempty"`
	Output     int64 `json:"output,omitempty"`
	CacheRead  int64 `json:"cache_read,omitempty"`
	CacheWrite int64 `json:"cache_write,omitempty"`

	Cost float64 `json:"cost,omitempty"`
}

// FaultKind says how an answer fails.
type FaultKind string

// The kinds of faults.
const (
	FaultError FaultKind = "error" // the provider reports an error
	FaultCut   FaultKind = "cut"   // the stream ends early, without an error
	FaultHang  FaultKind = "hang"  // nothing comes any more until the context is done
)

// Fault makes an answer fail.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// After is the number of pieces that still come.
	After int `json:"after,omitempty"`
	// Attempts bounds the fault to the first attempts of the activation; 0 means all.
	Attempts int `json:"attempts,omitempty"`
	// Status, Type and Message belong to an error.
	Status  int    `json:"status,omitempty"`
	Type    string `json:"type,omitempty"`
	Message string `json:"message,omitempty"`
}

// Duration is a time in JSON as Go writes it: "50ms".
type Duration time.Duration

// UnmarshalText reads the form of [time.ParseDuration].
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration such as 50ms or 2s", text)
	}
	if v < 0 {
		return fmt.Errorf("the duration %q is negative", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes the form of [time.Duration].
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Parse reads a script from JSON. Unknown fields are errors.
func Parse(data []byte) (Script, error) {
	var s Script
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return Script{}, fmt.Errorf("script: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Script{}, errors.New("script: there is more than one JSON value")
	}
	return s, nil
}

// check returns everything that is wrong with a turn.
func (t *Turn) check(where string) error {
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf(where+": "+format, args...))
	}
	if t.Chunk < 0 {
		wrong("chunk is %d, it can't be negative", t.Chunk)
	}
	for i, c := range t.Calls {
		if c.Name == "" {
			wrong("call %d has no name", i+1)
		}
	}
	if f := t.Fault; f != nil {
		switch f.Kind {
		case FaultError, FaultCut, FaultHang:
		default:
			wrong("fault kind %q: error, cut and hang are allowed", f.Kind)
		}
		if f.Kind != FaultError && (f.Status != 0 || f.Type != "" || f.Message != "") {
			wrong("status, type and message belong to a fault of kind error, this one is %q", f.Kind)
		}
	}
	return errors.Join(errs...)
}

// rule is a rule ready to match.
type rule struct {
	Rule
	name   string // for messages: "rule 3", or "turns"
	user   *regexp.Regexp
	system *regexp.Regexp
	result *regexp.Regexp
}

// compile makes the rules of a script ready and returns everything that is wrong with them.
func (s Script) compile() ([]rule, error) {
	var rules []rule
	var errs []error
	for i, r := range s.Rules {
		c, err := r.compile(fmt.Sprintf("rule %d", i+1))
		rules, errs = append(rules, c), append(errs, err)
	}
	if len(s.Turns) > 0 {
		c, err := Rule{Turns: s.Turns}.compile("turns")
		rules, errs = append(rules, c), append(errs, err)
	}
	return rules, errors.Join(errs...)
}

func (r Rule) compile(name string) (rule, error) {
	c := rule{Rule: r, name: name}
	var errs []error
	expr := func(field, text string) *regexp.Regexp {
		if text == "" {
			return nil
		}
		re, err := regexp.Compile(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", name, field, err))
		}
		return re
	}
	c.user, c.system, c.result = expr("user", r.When.User), expr("system", r.When.System), expr("result", r.When.Result)
	if (len(r.Turns) > 0) == (r.Reply != nil) {
		errs = append(errs, fmt.Errorf("%s: exactly one of turns and reply is needed", name))
	}
	for i := range r.Turns {
		errs = append(errs, r.Turns[i].check(fmt.Sprintf("%s, turn %d", name, i+1)))
	}
	if r.Reply != nil {
		errs = append(errs, r.Reply.check(name+", reply"))
	}
	return c, errors.Join(errs...)
}
