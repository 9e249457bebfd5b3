package openairesponses

import (
	"github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"
)

// encoder writes one request.
type encoder struct {
	oai.Encoder

	wire     *wire
	deferred map[string]bool // the tools that are declared as such
	told     bool            // the caller was told that searches are left out
}
