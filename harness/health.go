package harness

import (
	"net/http"
	"slices"
	"sync"

	"github.com/plait-dev/plait/harness/internal/answer"
)

// health says whether the process lives and whether it is ready for requests. Readiness latches: once everything that is
// needed was there, a server that goes away later is the business of those who call it.
type health struct {
	revision, config string

	mu      sync.Mutex
	missing []string
	latched bool
	ending  bool
}

func newHealth(revision, config string) *health {
	return &health{revision: revision, config: config, missing: []string{"the MCP servers haven't been connected yet"}}
}

// lack notes what keeps the process from being ready.
func (h *health) lack(missing []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ending {
		h.missing = slices.Clone(missing)
	}
}

// latch makes the process ready.
func (h *health) latch() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ending {
		h.missing, h.latched = nil, true
	}
}

// end makes the process unready for good.
func (h *health) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.missing, h.ending = []string{"the process is about to end"}, true
}

// started reports whether the process has been ready: from then on it takes requests until it ends.
func (h *health) started() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.latched
}

// readiness is the body of /readyz.
type readiness struct {
	Ready    bool     `json:"ready"`
	Missing  []string `json:"missing"`
	Revision string   `json:"revision,omitempty"`
	Config   string   `json:"config"`
}

func (h *health) readiness() readiness {
	h.mu.Lock()
	defer h.mu.Unlock()
	return readiness{
		Ready:    h.latched && !h.ending,
		Missing:  append([]string{}, h.missing...),
		Revision: h.revision,
		Config:   h.config,
	}
}

// handler serves /livez and /readyz.
func (h *health) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		answer.JSON(w, http.StatusOK, map[string]bool{"alive": true})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		r := h.readiness()
		status := http.StatusOK
		if !r.Ready {
			status = http.StatusServiceUnavailable
		}
		answer.JSON(w, status, r)
	})
	return mux
}
