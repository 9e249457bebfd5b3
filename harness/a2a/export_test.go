package a2a

import (
	"log/slog"

	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

// NewMethods are the methods without a transport.
func NewMethods(cfg Config) a2asrv.RequestHandler {
	return &handler{runs: cfg.Runs, outlines: cfg.Outlines, log: slog.New(slog.DiscardHandler)}
}
