package a2a

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	a2alog "github.com/a2aproject/a2a-go/v2/log"

	"github.com/plait-dev/plait/harness/auth"
	"github.com/plait-dev/plait/harness/run"
)

// CardPath is where the agent's public card is.
const CardPath = a2asrv.WellKnownAgentCardPath

// heartbeat is how long a stream may be silent.
const heartbeat = 15 * time.Second

// Config describes a server of one agent. Everything but Ready, MaxBody and Logger is required.
type Config struct {
	Agent    Agent
	Runs     *run.Supervisor
	Outlines Outlines
	Auth     auth.Authenticator

	// Ready says whether requests are taken already; nil means always. Before, they are told to come back.
	Ready func() bool

	// MaxBody is the largest body of a request in bytes; default [DefaultMaxBody].
	MaxBody int64

	// Logger gets what goes wrong; nil discards it.
	Logger *slog.Logger
}

// NewHandler makes the handler of an agent's requests: the card, JSON-RPC at the root, and REST below it. The card is
// public; everything else needs a principal. Requests from pages of another origin are refused.
func NewHandler(cfg Config) http.Handler {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	h := &handler{runs: cfg.Runs, outlines: cfg.Outlines, log: cfg.Logger}
	options := []a2asrv.TransportOption{
		a2asrv.WithTransportKeepAlive(heartbeat),
		a2asrv.WithTransportPanicHandler(func(r any) error {
			cfg.Logger.Error("a request made the program panic", "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			return a2a.ErrInternalError
		}),
	}
	methods := http.NewServeMux()
	methods.Handle("POST /{$}", a2asrv.NewJSONRPCHandler(h, options...))
	methods.Handle("/", retryLater(a2asrv.NewRESTHandler(h, options...)))

	mux := http.NewServeMux()
	mux.HandleFunc("GET "+CardPath, cfg.Agent.serveCard)
	mux.Handle("/", whenReady(cfg.Ready, auth.Require(cfg.Auth, limited(cfg.MaxBody, annotated(methods)))))
	return http.NewCrossOriginProtection().Handler(logged(cfg.Logger, mux))
}

// logged gives the library our logger.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(a2alog.AttachLogger(r.Context(), log)))
	})
}

// whenReady tells clients to come back until the agent is ready.
func whenReady(ready func() bool, next http.Handler) http.Handler {
	if ready == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ready() {
			(&refusal{"not-ready", http.StatusServiceUnavailable, 2 * time.Second, "this agent isn't ready yet"}).write(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
