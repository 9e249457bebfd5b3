package a2a_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/run"
)

var update = flag.Bool("update", false, "write the golden files anew")

// answer is what came back over plain HTTP.
type answer struct {
	status int
	header http.Header
	body   string
}

// post sends a request as curl would, with the credential of ann unless a header says otherwise.
func (l *lab) post(t *testing.T, path, body string, header ...string) answer {
	t.Helper()
	return l.do(t, http.MethodPost, path, body, append([]string{"Authorization", "Bearer key-of-ann"}, header...)...)
}

func (l *lab) do(t *testing.T, method, path, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, l.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

const (
	helloREST = `{"message":{"messageId":"m-rest","role":"ROLE_USER","parts":[{"text":"hello"}]}}`
	helloRPC  = `{"jsonrpc":"2.0","id":1,"method":"SendMessage",` +
		`"params":{"message":{"messageId":"m-rpc","role":"ROLE_USER","parts":[{"text":"hello"}]}}}`
)

func TestServer_credentials(t *testing.T) {
	l := newLab(t, "")
	for _, path := range []string{"/", "/message:send", "/message:stream", "/tasks/r_1:cancel", "/nowhere"} {
		for _, header := range []string{"", "Bearer wrong", "Basic a2V5"} {
			got := l.post(t, path, helloRPC, "Authorization", header)
			if got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s with %q: %d %s", path, header, got.status, got.body)
			}
		}
	}
	c := l.client(t, "nobody", protocol.TransportProtocolHTTPJSON)
	if _, err := c.SendMessage(c.as(t.Context()), message("hello")); err == nil {
		t.Error("a client with a wrong key got an answer")
	}
}

func TestServer_versions(t *testing.T) {
	l := newLab(t, "")
	for version, ok := range map[string]bool{"": true, "1.0": true, "1.0.3": true, "0.3": false, "1": false, "2.0": false, "1.01": false} {
		rest := l.post(t, "/message:send", helloREST, "A2A-Version", version)
		rpc := l.post(t, "/", helloRPC, "A2A-Version", version)
		if ok != (rest.status == http.StatusOK) || ok == strings.Contains(rest.body, "VERSION_NOT_SUPPORTED") {
			t.Errorf("REST of version %q: %d %s", version, rest.status, rest.body)
		}
		if ok == strings.Contains(rpc.body, "-32009") || ok != strings.Contains(rpc.body, `"completed"`) && ok != strings.Contains(rpc.body, "COMPLETED") {
			t.Errorf("JSON-RPC of version %q: %s", version, rpc.body)
		}
	}
}

func TestServer_limits_bodies(t *testing.T) {
	l := newLab(t, "", func(_ *run.SupervisorConfig, c *a2a.Config) { c.MaxBody = 1000 })
	long := strings.Replace(helloREST, "hello", strings.Repeat("x", 1000), 1)
	if got := l.post(t, "/message:send", long); got.status != http.StatusRequestEntityTooLarge || !strings.Contains(got.body, "1000 bytes") {
		t.Errorf("a long body: %d %s", got.status, got.body)
	}
	if got := l.post(t, "/message:send", helloREST); got.status != http.StatusOK {
		t.Errorf("a short one: %d %s", got.status, got.body)
	}
}

// Over REST "come back later" is a status of its own; JSON-RPC says it in the body; both say when.
func TestServer_asks_to_come_back(t *testing.T) {
	l := newLab(t, "", func(s *run.SupervisorConfig, _ *a2a.Config) { s.MaxRuns = 1 })
	task := l.begin(t, l.ann(t))
	busy := strings.Replace(helloREST, `"role"`, `"contextId":"`+task.ContextID+`","role"`, 1)
	for condition, body := range map[string]string{"too-many-runs": helloREST, "session-busy": busy} {
		got := l.post(t, "/message:send", body)
		if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "1" ||
			!strings.Contains(got.body, `"condition":"`+condition+`"`) || !strings.Contains(got.body, `"code":429`) ||
			!strings.Contains(got.body, `"retryDelay":"1s"`) {
			t.Errorf("%s over REST: %d %v %s", condition, got.status, got.header, got.body)
		}
	}
	got := l.post(t, "/", helloRPC)
	if got.status != http.StatusOK || got.header.Get("Retry-After") != "1" || !strings.Contains(got.body, `"code":-32000`) {
		t.Errorf("over JSON-RPC: %d %v %s", got.status, got.header, got.body)
	}
	l.runs.Refuse()
	got = l.post(t, "/message:send", helloREST)
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "draining") {
		t.Errorf("of a process that drains: %d %v %s", got.status, got.header, got.body)
	}
	if got := l.do(t, http.MethodGet, "/tasks/"+string(task.ID), "", "Authorization", "Bearer key-of-ann"); got.status != http.StatusOK ||
		got.header.Get("Retry-After") != "" {
		t.Errorf("another request: %d %v", got.status, got.header)
	}
}

func TestServer_before_it_is_ready(t *testing.T) {
	ready := false
	l := newLab(t, "", func(_ *run.SupervisorConfig, c *a2a.Config) { c.Ready = func() bool { return ready } })
	if got := l.post(t, "/", helloRPC); got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" {
		t.Errorf("before: %d %v %s", got.status, got.header, got.body)
	}
	if got := l.do(t, http.MethodGet, a2a.CardPath, ""); got.status != http.StatusOK {
		t.Errorf("the card, before: %d", got.status)
	}
	ready = true
	if got := l.post(t, "/", helloRPC); got.status != http.StatusOK || !strings.Contains(got.body, "you say: hello") {
		t.Errorf("after: %d %s", got.status, got.body)
	}
}

// A page of another site must not use the network place of who looks at it.
func TestServer_refuses_other_origins(t *testing.T) {
	l := newLab(t, "")
	if got := l.post(t, "/", helloRPC, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"); got.status != http.StatusForbidden {
		t.Errorf("got %d %s", got.status, got.body)
	}
}

func TestCard(t *testing.T) {
	l := newLab(t, "", func(_ *run.SupervisorConfig, c *a2a.Config) {
		c.Agent = a2a.Agent{Name: "support-triage", Description: "Routes support mail.", Version: "3f9ac1d20b7e",
			URL: "https://agents.example/support-triage", Bearer: true,
			Skills: []a2a.Skill{{ID: "triage", Description: "Routes support mail.", Tags: []string{"team=support"}}}}
	})
	got := l.do(t, http.MethodGet, a2a.CardPath, "")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v", got.status, got.header)
	}
	var card bytes.Buffer
	if err := json.Indent(&card, []byte(got.body), "", "  "); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/card.json"
	if *update {
		if err := os.WriteFile(golden, card.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), card.String()); diff != "" {
		t.Error(diff)
	}
}

// The card leads a client that knows the agent's address alone to it.
func TestCard_leads_to_the_agent(t *testing.T) {
	l := newLab(t, "")
	card, err := agentcard.DefaultResolver.Resolve(t.Context(), l.url)
	if err != nil {
		t.Fatal(err)
	}
	if len(card.SupportedInterfaces) != 2 || !card.Capabilities.Streaming || card.SupportedInterfaces[0].URL != l.url+"/" ||
		card.SupportedInterfaces[1].URL != l.url {
		t.Errorf("the card is %+v", card)
	}
	http.DefaultClient.CloseIdleConnections()
}

// A context without a principal can only come from a server that forgot to ask for one.
func TestMethods_without_a_principal(t *testing.T) {
	l := newLab(t, "")
	methods := a2a.NewMethods(l.config)
	_, send := methods.SendMessage(context.Background(), message("hello"))
	_, get := methods.GetTask(context.Background(), &protocol.GetTaskRequest{ID: "r_1"})
	_, list := methods.ListTasks(context.Background(), &protocol.ListTasksRequest{})
	for name, err := range map[string]error{"send": send, "get": get, "list": list} {
		if !errors.Is(err, protocol.ErrUnauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
