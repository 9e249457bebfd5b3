package openai

import (
	"strconv"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// usage is what a vendor reports. A later report of the same answer replaces an earlier one.
type usage struct {
	seen      bool
	prompt    int64 // with the cached ones
	cached    int64
	written   int64
	output    int64
	reasoning int64
	total     int64
	cost      string
}

// read reads a report, unless there is null in its place. The number of cached tokens stands in one of three places, by
// vendor: in the details of the prompt, or beside it under one of two names.
func (u *usage) read(r *jsonx.Reader) {
	if r.Peek() != '{' {
		r.Skip()
		return
	}
	*u = usage{seen: true}
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "prompt_tokens":
			u.prompt = r.Int()
		case "completion_tokens":
			u.output = r.Int()
		case "total_tokens":
			u.total = r.Int()
		case "prompt_cache_hit_tokens", "cached_tokens":
			u.cached = max(u.cached, r.Int())
		case "prompt_tokens_details", "completion_tokens_details":
			u.details(r)
		case "cost":
			u.cost = string(r.Raw())
		}
	}
}

func (u *usage) details(r *jsonx.Reader) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "cached_tokens":
			u.cached = max(u.cached, r.Int())
		case "cache_write_tokens":
			u.written = r.Int()
		case "reasoning_tokens":
			u.reasoning = r.Int()
		}
	}
}

// core returns the report with each token counted once. Most vendors count reasoning as output; where the total shows that
// it stands beside the output, it is added.
func (u *usage) core(cost bool) core.Usage {
	out := core.Usage{Input: max(0, u.prompt-u.cached-u.written), Output: u.output, CacheRead: u.cached, CacheWrite: u.written}
	if u.reasoning > 0 && u.total == u.prompt+u.output+u.reasoning {
		out.Output += u.reasoning
	}
	if cost {
		out.Cost, _ = strconv.ParseFloat(u.cost, 64) // anything but a number says nothing
	}
	return out
}
