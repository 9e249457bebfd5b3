package mcp

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// A length that a server declares is its word. What is allocated follows what arrives.
func TestADeclaredLengthBuysNoMemory(t *testing.T) {
	const declared = 64 << 20
	trip := &roundTripper{
		life: context.Background(), limit: 2 * declared, origin: "http://h:80", probe: linger,
		next: roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: http.StatusOK, ContentLength: declared, Body: io.NopCloser(strings.NewReader("{")),
				Header: http.Header{"Content-Type": {"application/json"}},
			}, nil
		}),
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://h/mcp", strings.NewReader(`{"id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	resp, err := trip.RoundTrip(req)
	runtime.ReadMemStats(&after)
	if err == nil {
		_ = resp.Body.Close()
		t.Error("half a message was taken for a whole one")
	}
	// The sum of all that was allocated: what is garbage again counts as well.
	if got := after.TotalAlloc - before.TotalAlloc; got > declared/16 {
		t.Errorf("%d bytes were allocated for one that arrived", got)
	}
}
