package mcp

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// roundTripFunc is a network in one function.
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestNoMoreOfABodyIsReadThanTheLimit(t *testing.T) {
	const limit = 10_000
	for name, tt := range map[string]struct {
		status int
		most   int
	}{
		"a message": {http.StatusOK, limit + 1},
		"a refusal": {http.StatusBadGateway, maxRefusalBytes},
	} {
		t.Run(name, func(t *testing.T) {
			body := &countingReader{r: io.LimitReader(neverEnding('0'), 100*maxRefusalBytes)}
			trip := &roundTripper{
				life: context.Background(), limit: limit, origin: "http://h:80", probe: linger,
				next: roundTripFunc(func(*http.Request) (*http.Response, error) {
					return &http.Response{
						StatusCode: tt.status, ContentLength: -1, Body: io.NopCloser(body),
						Header: http.Header{"Content-Type": {"application/json"}},
					}, nil
				}),
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://h/mcp", strings.NewReader(`{"id":1}`))
			if err != nil {
				t.Fatal(err)
			}
			if resp, err := trip.RoundTrip(req); err == nil {
				_ = resp.Body.Close()
			}
			if body.n > tt.most {
				t.Errorf("%d bytes were read, want %d at most", body.n, tt.most)
			}
		})
	}
}
