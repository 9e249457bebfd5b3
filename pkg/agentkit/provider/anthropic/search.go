package anthropic

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// The blocks of a search for tools: what the model looks for, and which tools the vendor found. Both are kept and sent again
// where they were, so that the vendor shows the model these tools there and its cache stays valid.
const (
	searchBlock = "server_tool_use"
	foundBlock  = "tool_search_tool_result"
)

// keptBlock is a block that goes back as it came, but for the input, which comes in pieces in a stream.
func keptBlock(raw, input []byte) json.RawMessage {
	if len(input) == 0 {
		return raw
	}
	w := jsonx.NewWriter(len(raw) + len(input))
	r := jsonx.NewReader(raw)
	w.BeginObject()
	for o := r.Object(); o.Next(); {
		key := string(o.Key())
		w.Key(key)
		if key == "input" {
			w.Raw(provider.ObjectArgs(string(input)))
			continue
		}
		w.Raw(r.Raw())
	}
	w.EndObject()
	return w.Bytes()
}

// staleSearches returns the ids of the searches that can't be sent again: the vendor refuses what was found when it isn't
// declared any more, and a search without the tool for it.
func (e *encoder) staleSearches(req *core.Request) map[string]bool {
	stale := map[string]bool(nil)
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			t, ok := p.(core.Thinking)
			if !ok {
				continue
			}
			if block := provider.Kept(t); block != nil && !e.current(block, req.Tools) {
				if stale == nil {
					stale = map[string]bool{}
				}
				stale[t.Item] = true
			}
		}
	}
	return stale
}

// current reports whether a block of a search can be sent beside the tools.
func (e *encoder) current(block json.RawMessage, tools []core.Spec) bool {
	if !e.wire.generation.searches() || !slices.ContainsFunc(tools, func(t core.Spec) bool { return t.Deferred }) {
		return false
	}
	for _, name := range found(block) {
		if !slices.ContainsFunc(tools, func(t core.Spec) bool { return t.Name == name }) {
			return false
		}
	}
	return true
}

// found returns the names of the tools that a search found.
func found(block json.RawMessage) (names []string) {
	r := jsonx.NewReader(block)
	for o := r.Object(); o.Next(); {
		if string(o.Key()) != "content" || r.Peek() != '{' {
			continue
		}
		for o := r.Object(); o.Next(); {
			if string(o.Key()) != "tool_references" {
				continue
			}
			for a := r.Array(); a.Next(); {
				for o := r.Object(); o.Next(); {
					if string(o.Key()) == "tool_name" {
						names = append(names, r.Text())
					}
				}
			}
		}
	}
	return names
}

// searched reports whether a block of a search goes back, and tells the caller, once, when one doesn't.
func (e *encoder) searched(t core.Thinking) bool {
	if !e.stale[t.Item] {
		return true
	}
	if !e.told {
		e.Warnf("searches for tools of earlier turns are left out: what they found isn't offered any more")
	}
	e.told = true
	return false
}

// keep sends a block of a search to the transcript.
func (d *decoder) keep(b *openBlock, out *provider.Out) error {
	if b.id == "" {
		return fmt.Errorf("a %s block has no id", b.kind)
	}
	out.Send(provider.Keep(b.id, keptBlock([]byte(b.raw), b.pieces)))
	return nil
}
