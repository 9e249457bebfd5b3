package mcp

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// methodDiscover is the request by which a client finds out whether a server speaks 2026-07-28 or later.
const methodDiscover = "server/discover"

// firstModern is the revision that replaced the handshake by [methodDiscover].
const firstModern = "2026-07-28"

// newestLegacy is what is offered to a server that doesn't answer [methodDiscover].
const newestLegacy = "2025-11-25"

// probe answers server/discover in a server's place when the server says nothing, as older ones do with a request that
// they don't know. The SDK waits for that answer without limit; told "no such method", it goes on with the handshake of
// the older revisions on the same connection. A server that was merely slow to start may take it, or refuse a second
// handshake behind the first question; see [stdioLink.diagnose].
type probe struct {
	limit  time.Duration
	answer chan<- []byte

	mu    sync.Mutex
	timer *time.Timer
	gave  bool // the answer in the server's place
}

// watch looks at an outbound message and starts the clock when it is the probe. It reports whether to look at the next.
func (p *probe) watch(msg []byte) bool {
	var req struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(msg, &req); err != nil || req.Method != methodDiscover {
		return false
	}
	answer := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no answer to %s within %v"}}`+"\n",
		req.ID, methodDiscover, p.limit)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(p.limit, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.gave {
			p.gave = true
			p.answer <- answer // has room for one
		}
	})
	return true
}

// answered reports whether the answer was given in the server's place.
func (p *probe) answered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gave
}

// stop ends the clock. An answer that came too late for it is ignored by the SDK like the server's own.
func (p *probe) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}
