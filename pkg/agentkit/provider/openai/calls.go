package openai

import (
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// calls are the calls of an answer while their pieces come.
type calls []call

type call struct {
	index   int64
	indexed bool
	id      string
	sent    string // the id that the caller got, once the call began
	held    string // arguments that came before the name
}

// take sends a piece of a call. A call begins when its name is known.
func (all *calls) take(p *piece, out *provider.Out) {
	n := all.find(p)
	if n < 0 {
		n = len(*all)
		*all = append(*all, call{index: p.index, indexed: p.indexed, id: p.id})
	}
	c := &(*all)[n]
	if c.id == "" {
		c.id = p.id
	}
	if c.sent == "" {
		c.held += p.args
		if p.name == "" {
			return
		}
		c.sent = all.fresh(c.id, n)
		out.Send(core.Delta{Kind: core.CallStart, Index: n, ID: c.sent, Name: p.name})
		out.Args(n, c.held)
		return
	}
	out.Args(n, p.args)
}

// find returns the call that a piece belongs to: the newest with its index, unless the piece begins another one (there
// are gateways that give all calls the index 0); without an index, the one with its id; without both, the newest.
func (all *calls) find(p *piece) int {
	for n, c := range slices.Backward(*all) {
		another := p.id != "" && c.id != "" && p.id != c.id
		switch {
		case another:
		case p.indexed && c.indexed:
			if p.index == c.index {
				return n
			}
		case p.id != "", p.name == "":
			return n
		}
	}
	return -1
}

// fresh returns an id for the nth call: the vendor's, if it gave one that no other call of the answer has. It is the same
// whether the answer is streamed or not.
func (all *calls) fresh(id string, n int) string {
	if id == "" || slices.ContainsFunc(*all, func(c call) bool { return c.sent == id }) {
		return fmt.Sprintf("call_%d", n+1)
	}
	return id
}

// named reports whether all calls have begun.
func (all *calls) named() bool {
	return !slices.ContainsFunc(*all, func(c call) bool { return c.sent == "" })
}
