package wiretest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// failure is an answer that isn't one.
type failure struct {
	name   string
	status int
	kind   string
	body   string
	class  core.ErrorClass
}

func (d Dialect) failures() []failure {
	const asJSON, sse = "application/json", "text/event-stream"
	return []failure{
		{"too many requests", 429, asJSON, `{"error":{"type":"rate_limit_error","message":"slow down"}}`, core.ClassRateLimited},
		{"a key that is echoed", 401, asJSON, `{"error":{"message":"wrong key ` + key + `"}}`, core.ClassAuth},
		{"a gateway's page", 502, "text/html", "<html>Bad Gateway " + key + "</html>", core.ClassUnavailable},
		{"too long", 400, asJSON, `{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}`, core.ClassContext},
		{"not accepted", 400, asJSON, `{"error":{"message":"no"}}`, core.ClassBadRequest},
		{"a redirect", 307, asJSON, `{}`, core.ClassBadRequest},
		{"an error with status 200", 200, asJSON, `{"error":{"message":"rate limit","code":"rate_limit_exceeded"}}`, core.ClassRateLimited},
		{"an error in words with status 200", 200, asJSON, `{"error":"out of memory"}`, core.ClassUnavailable},
		{"a page with status 200", 200, "text/html", "<html>Welcome " + key + "</html>", core.ClassBadAnswer},
		{"an unknown content type", 200, "", "x", core.ClassBadAnswer},
		{"an empty stream", 200, string(d.Framing), "", core.ClassCut},
		{"an empty answer", 200, asJSON, "", core.ClassBadAnswer},
		{"half an answer", 200, asJSON, `{"id":"x"`, core.ClassBadAnswer},
		{"no JSON in an event", 200, sse, "data: x\n\ndata: {}\n\n", core.ClassBadAnswer},
	}
}

// testFailures: what isn't an answer is an error that says of which kind, and that holds no secret.
func testFailures(t *testing.T, v *vendor) {
	for _, f := range v.dialect.failures() {
		t.Run(f.name, func(t *testing.T) {
			if f.kind == "text/event-stream" && string(v.dialect.Framing) != f.kind {
				t.Skip("another framing")
			}
			v.answer = func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{f.kind}
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(f.status)
				_, _ = w.Write([]byte(f.body))
			}
			_, err := v.ask(t, v.model(t, false), hello())
			var pe *core.ProviderError
			if !errors.As(err, &pe) || pe.Class != f.class || pe.Status != f.status {
				t.Fatalf("err %v (%+v), want class %s", err, pe, f.class)
			}
			if f.status >= 300 && pe.RetryAfter != 7*time.Second {
				t.Errorf("retry after %s", pe.RetryAfter)
			}
			if strings.Contains(fmt.Sprintf("%+v %s", pe, err), key) {
				t.Errorf("the credential stands in %v", err)
			}
		})
	}
}

// testOverloaded: an error event ends the answer, wherever it comes.
func testOverloaded(t *testing.T, v *vendor) {
	a := answers()[1]
	events := v.dialect.Stream(a)
	for n := range len(events) - 1 {
		v.streams(append(events[:n:n], v.dialect.Overloaded), nil)
		_, err := v.ask(t, v.model(t, false), hello())
		var pe *core.ProviderError
		if !errors.As(err, &pe) || pe.Class != core.ClassOverloaded && pe.Class != core.ClassUnavailable || !core.Transient(err) {
			t.Errorf("an error behind %d events: %v (%+v)", n, err, pe)
		}
	}
}
