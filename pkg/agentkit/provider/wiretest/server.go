package wiretest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// key is the credential that the suite uses. It must never be seen anywhere but in a header.
const key = "sk-secret-0123456789"

// modelName is the model that the suite asks for.
const modelName = "model-x"

// patience is how long the suite waits for something that has to happen.
const patience = 8 * time.Second

// vendor is a server that answers as it is told.
type vendor struct {
	dialect Dialect
	server  *httptest.Server
	client  *provider.Client
	answer  http.HandlerFunc
	body    []byte // of the last request
}

func newVendor(t testing.TB, d Dialect) *vendor {
	v := &vendor{dialect: d}
	v.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.body, _ = io.ReadAll(r.Body)
		v.answer(w, r)
	}))
	client, err := provider.NewClient(provider.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v.client = client
	t.Cleanup(func() {
		client.CloseIdle()
		v.server.Close()
	})
	return v
}

// model returns the model under test.
func (v *vendor) model(t testing.TB, whole bool) core.Model {
	m, err := v.dialect.New(provider.Options{Model: modelName, BaseURL: v.server.URL, Whole: whole, Client: v.client,
		Credentials: provider.Static(provider.APIKey(key))})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// says makes the server answer with a body in one go.
func (v *vendor) says(status int, contentType string, body []byte) {
	v.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

// streams makes the server send events, flushing each.
func (v *vendor) streams(events [][]byte, then func(w http.ResponseWriter, r *http.Request)) {
	v.answer = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", string(v.dialect.Framing))
		for _, e := range events {
			_, _ = w.Write(e)
			_ = http.NewResponseController(w).Flush()
		}
		if then != nil {
			then(w, r)
		}
	}
}

// ask sends a request and collects the answer.
func (v *vendor) ask(t *testing.T, m core.Model, req *core.Request) (core.Answer, error) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return core.Collect(m.Stream(ctx, req))
}

// hello is a request that any answer may follow.
func hello() *core.Request { return request(core.UserMessage("hello")) }
