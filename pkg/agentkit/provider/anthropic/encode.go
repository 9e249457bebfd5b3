package anthropic

import (
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// encoder writes one request.
type encoder struct {
	*provider.Draft

	wire *wire
	ids  *provider.IDs

	words string // what the settings want said in the system prompt

	stale map[string]bool // searches for tools that can't be sent again, by their ids
	told  bool            // the caller was told that some are left out
}

// mark ends the cached prefix with the block that is being written.
func (e *encoder) mark() {
	if e.wire.cache == CacheOff {
		return
	}
	e.Key("cache_control")
	e.BeginObject()
	e.TextField("type", "ephemeral")
	if e.wire.cache != CacheMinutes {
		e.TextField("ttl", string(e.wire.cache))
	}
	e.EndObject()
}

// system writes the system prompt. The prefix ends behind it.
func (e *encoder) system(texts ...string) {
	texts = slices.DeleteFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
	if len(texts) == 0 {
		return
	}
	e.Key("system")
	e.BeginArray()
	for i, text := range texts {
		e.BeginObject()
		e.TextField("type", "text")
		e.TextField("text", text)
		if i == len(texts)-1 {
			e.mark()
		}
		e.EndObject()
	}
	e.EndArray()
}
