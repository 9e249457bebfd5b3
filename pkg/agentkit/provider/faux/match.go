package faux

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// facts is what rules look at.
type facts struct {
	req     *core.Request
	model   string
	user    string
	results []core.ToolResult // since then
	calls   int               // in the whole transcript
}

func look(req *core.Request, model string) facts {
	f := facts{req: req, model: model}
	for _, m := range req.Messages {
		switch m.Role {
		case core.RoleUser:
			if m.Author == "user" || m.Author == "" { // not what agents said
				f.user, f.results = core.TextOf(m), nil
			}
		case core.RoleTool:
			if r, ok := core.ResultOf(m); ok {
				f.results = append(f.results, r)
			}
		case core.RoleModel:
			f.calls += len(core.CallsOf(m))
		default: // of instructions there is nothing to look at
		}
	}
	return f
}

// turn returns the turn of the rule that answers, and the groups of its expression on the user text.
func (r *rule) turn(f *facts) (t *Turn, groups []string) {
	w := r.When
	if w.Agent != "" && w.Agent != f.req.Agent || w.Model != "" && w.Model != f.model ||
		r.system != nil && !r.system.MatchString(f.req.System) || !r.sawResult(f) {
		return nil, nil
	}
	if r.user != nil {
		if groups = r.user.FindStringSubmatch(f.user); groups == nil {
			return nil, nil
		}
	}
	switch n := f.req.Turn; {
	case r.Reply != nil:
		return r.Reply, groups
	case 1 <= n && n <= len(r.Turns):
		return &r.Turns[n-1], groups
	}
	return nil, nil
}

func (r *rule) sawResult(f *facts) bool {
	if r.When.Tool == "" && r.result == nil {
		return true
	}
	return slices.ContainsFunc(f.results, func(res core.ToolResult) bool {
		return (r.When.Tool == "" || r.When.Tool == res.Name) && (r.result == nil || r.result.MatchString(res.Text))
	})
}

// filler replaces the placeholders of a turn.
func filler(f *facts, groups []string) *strings.Replacer {
	pairs := []string{"{{user}}", f.user}
	if n := len(f.results); n > 0 {
		pairs = append(pairs, "{{result}}", f.results[n-1].Text)
	}
	for i := 1; i < len(groups) && i < 10; i++ {
		pairs = append(pairs, "{{"+strconv.Itoa(i)+"}}", groups[i])
	}
	return strings.NewReplacer(pairs...)
}

// quotedFiller does the same within the strings of a JSON text.
func quotedFiller(f *facts, groups []string) *strings.Replacer {
	g := *f
	g.user = quote(f.user)
	g.results = nil
	for _, r := range f.results {
		r.Text = quote(r.Text)
		g.results = append(g.results, r)
	}
	quoted := make([]string, len(groups))
	for i, text := range groups {
		quoted[i] = quote(text)
	}
	return filler(&g, quoted)
}

// quote returns what stands between the quotes of a JSON string.
func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil || len(b) < 2 {
		return text
	}
	return string(b[1 : len(b)-1])
}

// NoTurnError says that a script has no answer to a request.
type NoTurnError struct {
	// Request says what the request looked like, Rules what the script has.
	Request string
	Rules   []string
}

// Error shows both.
func (e *NoTurnError) Error() string {
	return fmt.Sprintf("the script has no turn for this request: %s; it has %s", e.Request, strings.Join(e.Rules, "; "))
}

func noTurn(rules []rule, f *facts) error {
	e := &NoTurnError{Request: fmt.Sprintf("agent %q, model %q, turn %d, user text %q", f.req.Agent, f.model, f.req.Turn,
		short(f.user))}
	for _, r := range f.results {
		e.Request += fmt.Sprintf(", result of %s %q", r.Name, short(r.Text))
	}
	for _, r := range rules {
		e.Rules = append(e.Rules, r.String())
	}
	return e
}

// String describes a rule: its conditions and how many turns it has.
func (r *rule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (", r.name)
	for _, c := range []struct{ name, value string }{
		{"agent", r.When.Agent}, {"model", r.When.Model}, {"user", r.When.User}, {"system", r.When.System},
		{"tool", r.When.Tool}, {"result", r.When.Result},
	} {
		if c.value != "" {
			fmt.Fprintf(&b, "%s %q, ", c.name, c.value)
		}
	}
	if r.Reply != nil {
		b.WriteString("any turn)")
	} else {
		fmt.Fprintf(&b, "turns 1 to %d)", len(r.Turns))
	}
	return b.String()
}

// short cuts a text for a message.
func short(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
