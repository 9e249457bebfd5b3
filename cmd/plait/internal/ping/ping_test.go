package ping_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/cmd/plait/internal/ping"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// call asks a model behind an address, and explains what came of it.
func call(t *testing.T, opts provider.ClientOptions, target ping.Target) (ping.Answer, string) {
	t.Helper()
	opts.Proxy = target.Proxy
	client, err := provider.NewClient(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdle)
	m, err := wires.New(target.Provider, wires.Options{Options: provider.Options{
		Model: target.Model, BaseURL: target.BaseURL, Client: client, Credentials: provider.Static(provider.APIKey("sk-0123456789"))}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	answer, err := ping.Call(ctx, m)
	if err == nil {
		return answer, ""
	}
	return answer, ping.Explain(err, target)
}

func says(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const (
	asJSON = "application/json"
	good   = `{"type":"message","content":[{"type":"text","text":"pong"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}`
)

func TestAModelThatAnswers(t *testing.T) {
	server := httptest.NewServer(says(200, asJSON, good))
	defer server.Close()
	got, wrong := call(t, provider.ClientOptions{}, ping.Target{Provider: "anthropic", Model: "m", BaseURL: server.URL})
	if wrong != "" || core.TextOf(core.Message{Parts: got.Parts}) != "pong" || got.Usage.Input != 9 || got.Took <= 0 {
		t.Errorf("%+v, %s", got, wrong)
	}
}

func TestWhatAnAnswerSaysIsWrong(t *testing.T) {
	refusal := func(kind, message string) string {
		return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"}}`
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"a wrong key", says(401, asJSON, refusal("authentication_error", "invalid x-api-key")),
			"the key isn't accepted (status 401): it comes from the variable KEY; it says: invalid x-api-key"},
		{"a key without rights", says(403, asJSON, refusal("permission_error", "not for you")),
			"the key isn't allowed to do this (status 403): it comes from the variable KEY; it says: not for you"},
		{"no such model", says(404, asJSON, refusal("not_found_error", "model: m")), "the vendor doesn't know the model m (status 404)"},
		{"no such path", says(404, "text/plain", "404 page not found"), " doesn't speak the API of the provider anthropic (status 404)"},
		{"another method", says(405, "text/plain", ""), " doesn't speak the API of the provider anthropic (status 405)"},
		{"another API", says(200, asJSON, `{"object":"chat.completion","choices":[]}`), " doesn't speak the API of the provider anthropic (status 200)"},
		{"too many requests", says(429, asJSON, refusal("rate_limit_error", "slow down")), "too many requests at the moment (status 429); it says: slow down"},
		{"no money", says(400, asJSON, refusal("invalid_request_error", "Your credit balance is too low")), "the account has nothing left to spend (status 400)"},
		{"no money, by status", says(402, asJSON, "{}"), "the account has nothing left to spend (status 402)"},
		{"no capacity", says(529, asJSON, refusal("overloaded_error", "Overloaded")), "the vendor is short of capacity (status 529)"},
		{"a page", says(200, "text/html; charset=utf-8", "<!DOCTYPE html><html>Log in</html>"), "a web page came in the place of an answer (status 200)"},
		{"a page with a status", says(404, "text/html", "<html>Not here</html>"), "a web page came in the place of an answer (status 404)"},
		{"a proxy on the way", says(407, "text/plain", ""), "asks for a login (status 407)"},
		{"a failure", says(500, asJSON, refusal("api_error", "oops")), "the call failed (status 500); it says: oops"},
		{"half a stream", says(200, "text/event-stream", "data: {\"type\":\"ping\"}\n\n"), "the answer broke off before its end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.answer)
			defer server.Close()
			target := ping.Target{Provider: "anthropic", Model: "m", BaseURL: server.URL, Key: "variable KEY"}
			if _, got := call(t, provider.ClientOptions{}, target); !strings.Contains(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

func TestServersThatAreNotReached(t *testing.T) {
	plain := httptest.NewServer(says(200, asJSON, good))
	defer plain.Close()
	secret := httptest.NewTLSServer(says(200, asJSON, good))
	defer secret.Close()
	closed := "http://" + freeAddress(t)
	silent := listener(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	gone := listener(t, func(c net.Conn) { _ = c.Close() })
	refusing := httptest.NewServer(says(403, "text/plain", ""))
	defer refusing.Close()
	asking := httptest.NewServer(says(407, "text/plain", ""))
	defer asking.Close()
	unknown := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "llm.invalid", IsNotFound: true}}
	}
	for _, c := range []struct {
		name, baseURL, proxy string
		opts                 provider.ClientOptions
		want                 string
	}{
		{"no such name", "https://llm.invalid", "", provider.ClientOptions{Dial: unknown},
			"the name llm.invalid can't be resolved (DNS): check the base URL https://llm.invalid"},
		{"nobody listens", closed, "", provider.ClientOptions{}, "the connection is refused: nothing listens at " + closed},
		{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), "", provider.ClientOptions{}, "the server doesn't speak TLS"},
		{"TLS by surprise", strings.Replace(secret.URL, "https:", "http:", 1), "", provider.ClientOptions{}, "(status 400)"},
		{"a certificate of nobody", secret.URL, "", provider.ClientOptions{}, "is signed by nobody that this machine trusts"},
		{"no answer", "http://" + silent, "", provider.ClientOptions{FirstByte: 50 * time.Millisecond}, "doesn't answer: the first byte of the answer did not come"},
		{"a closed door", "http://" + gone, "", provider.ClientOptions{}, "closes the connection without an answer"},
		{"no proxy", "https://llm.invalid", closed, provider.ClientOptions{}, "the proxy " + closed + " isn't reached: "},
		{"a proxy that refuses", "https://llm.invalid", refusing.URL, provider.ClientOptions{},
			"the proxy " + refusing.URL + " doesn't let the connection to https://llm.invalid through (status 403)"},
		{"a proxy that asks", "https://llm.invalid", asking.URL, provider.ClientOptions{}, "the proxy " + asking.URL + " asks for a login (status 407)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := ping.Target{Provider: "anthropic", Model: "m", BaseURL: c.baseURL, Proxy: c.proxy}
			if _, got := call(t, c.opts, target); !strings.Contains(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// freeAddress is one at which nobody listens.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// listener accepts connections and leaves them to serve until the test ends.
func listener(t *testing.T, serve func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return l.Addr().String()
}
