package openai

import (
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// calls are the calls of an answer while their pieces come.
type calls struct {
	ids provider.CallIDs
	all []call
}

type call struct {
	index   int64 // the vendor's
	indexed bool
	id      string
	begun   bool
	out     int    // the index that the caller knows, once the call began
	held    string // arguments that came before the name
}

// take sends a piece of a call. A call begins when its name is known.
func (s *calls) take(p *piece, out *provider.Out) {
	n := s.find(p)
	if n < 0 {
		n = len(s.all)
		s.all = append(s.all, call{index: p.index, indexed: p.indexed})
	}
	c := &s.all[n]
	if c.id == "" {
		c.id = p.id
	}
	if c.begun {
		out.Args(c.out, p.args)
		return
	}
	if c.held += p.args; p.name == "" {
		return
	}
	c.begun = true
	start := core.Delta{Kind: core.CallStart, Name: p.name}
	start.Index, start.ID = s.ids.Next(c.id)
	c.out = start.Index
	out.Send(start)
	out.Args(c.out, c.held)
}

// find returns the call that a piece belongs to: the newest with its index, unless the piece begins another one (there
// are gateways that give all calls the index 0); without an index, the one with its id; without both, the newest.
func (s *calls) find(p *piece) int {
	for n, c := range slices.Backward(s.all) {
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

// complete reports whether all calls have begun.
func (s *calls) complete() bool {
	return !slices.ContainsFunc(s.all, func(c call) bool { return !c.begun })
}
