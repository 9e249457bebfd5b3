package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// link is one connection below the protocol, and all that has to be given back after it.
type link interface {
	// transport is for one use by the SDK.
	transport() sdk.Transport

	// settle is told that the protocol is up.
	settle()

	// diagnose returns the cause of a failed exchange, which is err unless the link knows better, and whether a server
	// that only speaks an older revision would have failed to connect like this. It may close the link.
	diagnose(err error) (cause error, older bool)

	// ended reports whether the connection is known to be over.
	ended() bool

	// close gives everything back, within a bounded time. It may be called more than once.
	close()
}
