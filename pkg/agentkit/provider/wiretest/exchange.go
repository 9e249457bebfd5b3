package wiretest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// Reply is what a server answers with.
type Reply struct {
	Status      int // 0: 200
	ContentType string
	Body        string
}

// Exchange is a request as the server got it, and what came of the answer.
type Exchange struct {
	URL    string // path and query
	Header http.Header
	Body   string
	Answer core.Answer
	Err    error
}

// Ask sends a request to a server that gives one reply, for tests of what is peculiar to a wire. The base URL of opts is
// taken as a path on that server.
func Ask(
	t *testing.T, newModel func(provider.Options) (core.Model, error), opts provider.Options, req *core.Request, reply Reply,
) Exchange {
	t.Helper()
	var x Exchange
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		x.URL, x.Header, x.Body = r.URL.String(), r.Header, string(body)
		w.Header().Set("Content-Type", reply.ContentType)
		w.WriteHeader(max(reply.Status, http.StatusOK))
		_, _ = io.WriteString(w, reply.Body)
	}))
	defer server.Close()
	opts.BaseURL = server.URL + opts.BaseURL
	m, err := newModel(opts)
	if err != nil {
		t.Fatal(err)
	}
	x.Answer, x.Err = core.Collect(m.Stream(t.Context(), req))
	return x
}
