package wiretest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// visible returns how many events it takes until the caller has something in hands.
func (v *vendor) visible(t *testing.T, events [][]byte) int {
	for n := range events {
		v.streams(events[:n+1], nil)
		for _, err := range v.model(t, false).Stream(t.Context(), hello()) {
			if err == nil {
				return n + 1
			}
		}
	}
	t.Fatal("no event gave anything")
	return 0
}

// testFirstDelta: the caller has the first piece before the vendor sends the second. A wire that waits for more never
// gets it.
func testFirstDelta(t *testing.T, v *vendor) {
	events := v.dialect.Stream(answers()[0])
	n := v.visible(t, events)
	got := make(chan struct{})
	v.streams(events[:n], func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-got:
		case <-r.Context().Done():
			return
		}
		for _, e := range events[n:] {
			_, _ = w.Write(e)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	first := true
	for _, err := range v.model(t, false).Stream(ctx, hello()) {
		if err != nil {
			t.Fatal(err)
		}
		if first {
			close(got)
		}
		first = false
	}
}

// testLeaving: whoever cancels, or doesn't want to hear more, closes the socket.
func testLeaving(t *testing.T, v *vendor) {
	events := v.dialect.Stream(answers()[0])
	n := v.visible(t, events)
	for _, cancels := range []bool{true, false} {
		closed := make(chan struct{})
		v.streams(events[:n], func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			close(closed)
		})
		ctx, cancel := context.WithCancel(t.Context())
		guard := time.AfterFunc(patience, v.server.CloseClientConnections)
		var last error
		for _, err := range v.model(t, false).Stream(ctx, hello()) {
			if last = err; !cancels {
				break
			}
			cancel()
		}
		guard.Stop()
		if cancels && !errors.Is(last, context.Canceled) || !cancels && last != nil {
			t.Errorf("cancelled %v: the last error is %v", cancels, last)
		}
		select {
		case <-closed:
		case <-time.After(patience):
			v.server.CloseClientConnections()
			t.Errorf("cancelled %v: the socket stayed open", cancels)
		}
		cancel()
	}
}

// testUnreachable: a vendor that isn't there is worth another try.
func testUnreachable(t *testing.T, v *vendor) {
	v.answer = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	_, err := v.ask(t, v.model(t, false), hello())
	if !core.Transient(err) {
		t.Errorf("err = %v", err)
	}
}
