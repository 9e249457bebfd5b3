package workflow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plait-dev/plait/pkg/journal"
)

// Part is a part of a run that has bounds of its own: an agent wherever it runs, or one node. What its activations consume
// is counted together, with what the activations below them do.
type Part struct {
	// Name is what errors call it, and Field is the field of the document that holds its limits, see [InField].
	Name, Field string

	// Author is who writes its messages. By that it is found in what earlier processes recorded.
	Author string

	// Node is the node whose activations count, as [Context.Definition] gives it; empty: whatever the author writes.
	Node string

	// Leads says that the author leads a conversation: it is the activation around the author's that counts, with all that
	// others say in it.
	Leads bool

	Limits PartLimits
}

// consumption is what model calls have used, of the run and of its parts.
type consumption struct {
	mu    sync.Mutex
	total journal.Usage
	parts map[Part]*partUse
	at    map[string]*partUse // by the paths of the activations that execute
}

// partUse is what a part has used.
type partUse struct {
	Part
	used journal.Usage
	stint
}

// Definition is the node of the activation as the document of the graph has it: its path without the numbers of
// activations, attempts and items, such as outer/inner for outer@2/inner@1.
func (c *Context) Definition() string { return DefinitionOf(c.Path()) }

// DefinitionOf is the [Context.Definition] of the activation with a path.
func DefinitionOf(path string) string {
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if end := strings.IndexAny(step, "@~"); end >= 0 {
			steps[i] = step[:end]
		} else {
			steps[i] = "" // an item
		}
	}
	return strings.Join(steps, "/")
}

// Spend counts the usage of a model call for the run, and for the parts that the activation belongs to. What it counts
// beside the usage of committed messages is forgotten when the process ends.
func (c *Context) Spend(u journal.Usage) {
	use := &c.run().use
	use.mu.Lock()
	defer use.mu.Unlock()
	use.total = use.total.Add(u)
	for _, p := range use.around(c.Path()) {
		p.used = p.used.Add(u)
	}
}

// AllowModelCall says whether limits leave another model call to the activation. Where it is one of a part that the
// activation belongs to, the error is terminal and has [CodeLimit]; the body returns it. Where it is one of the run the run
// ends, likewise with [CodeLimit]. Limits are looked at before each call, so that what is used can exceed them by one
// call for each agent that works at the same time.
func (c *Context) AllowModelCall() error {
	r := c.run()
	r.use.mu.Lock()
	for _, p := range r.use.around(c.Path()) {
		if is, reached := p.Limits.reached(p.used); reached {
			r.use.mu.Unlock()
			return p.exceeded(is, r.use.is(p, c.Path()))
		}
	}
	_, reached := r.env.Limits.reached(r.use.total)
	r.use.mu.Unlock()
	if !reached {
		return nil
	}
	return c.ask(message{kind: exhausted})
}

// exceeded is the error of a limit that a part has reached. It names the part unless it is what is activated.
func (p *Part) exceeded(is reached, own bool) error {
	of := ""
	if !own {
		of = " of " + p.Name
	}
	err := Terminal(Errorf(CodeLimit, "limit %s%s reached: %s of %s used", is.limit, of, is.used, is.value))
	if p.Field == "" {
		return err
	}
	return InField(err, p.Field+"."+is.limit)
}

// is says that a part is what is activated at a path.
func (u *consumption) is(p *partUse, path string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.at[path] == p
}

// around are the parts that an activation belongs to, the innermost first and each of them once.
func (u *consumption) around(path string) []*partUse {
	var parts []*partUse
	for ; path != ""; path = journal.ParentOf(path) {
		if p := u.at[path]; p != nil && !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	return parts
}

// part finds the use of a part to which an activation belongs. It begins with what is recorded.
func (r *run) part(path string, p Part) *partUse {
	u := &r.use
	if u.parts == nil {
		u.parts, u.at = map[Part]*partUse{}, map[string]*partUse{}
	}
	if u.parts[p] == nil {
		u.parts[p] = r.recordedUse(p, DefinitionOf(path))
	}
	return u.parts[p]
}

// exhaust ends the run because of what its model calls used.
func (r *run) exhaust(m *message, executes bool) {
	if executes {
		r.use.mu.Lock()
		is, _ := r.env.Limits.reached(r.use.total)
		r.use.mu.Unlock()
		r.exceeded(m.ctx.Path(), "limits."+is.limit, fmt.Sprintf("%s is %s, and %s are used", is.limit, is.value, is.used))
	}
	m.reply <- errRunOver
}

// reached is a limit that was reached.
type reached struct{ limit, value, used string }

func (l Limits) reached(used journal.Usage) (reached, bool) {
	return usageReached(l.MaxTokens, l.MaxCostUSD, used)
}

func (l PartLimits) reached(used journal.Usage) (reached, bool) {
	return usageReached(l.MaxTokens, l.MaxCostUSD, used)
}

// usageReached says which of two limits a usage has reached.
func usageReached(maxTokens int64, maxCost float64, used journal.Usage) (reached, bool) {
	switch {
	case maxTokens > 0 && used.Tokens() >= maxTokens:
		return reached{"max_tokens", strconv.FormatInt(maxTokens, 10), strconv.FormatInt(used.Tokens(), 10)}, true
	case maxCost > 0 && used.Cost >= maxCost:
		return reached{"max_cost_usd", dollars(maxCost), dollars(used.Cost)}, true
	}
	return reached{}, false
}

// dollars writes an amount to six places, which are those of prices.
func dollars(v float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 6, 64), "0"), ".")
}
