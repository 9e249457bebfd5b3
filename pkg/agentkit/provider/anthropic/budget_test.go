//go:build !race

package anthropic

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/internal/cputime"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// The breakpoints of the vendor's cache are set while a request is written. What they cost is the difference to a request
// without them.
func TestBreakpointsCostLessThanAMillisecond(t *testing.T) {
	req := &core.Request{System: "Be brief."}
	for i := range 128 {
		req.Tools = append(req.Tools, core.Spec{Name: fmt.Sprintf("tool_%d", i), InputSchema: []byte(`{"type":"object"}`)})
	}
	for range 500 {
		req.Messages = append(req.Messages, core.UserMessage("hello"),
			core.Message{Role: core.RoleModel, Parts: []core.Part{core.Text{Text: "hello"}}})
	}
	write := func(w *wire) (least time.Duration, marks int) {
		least = time.Hour
		for range 50 {
			d := &provider.Draft{}
			took, err := cputime.Of(func() {
				if err := w.Encode(t.Context(), req, d); err != nil {
					t.Fatal(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			least, marks = min(least, took), strings.Count(string(d.Bytes()), `"cache_control"`)
		}
		return least, marks
	}
	plain, none := write(&wire{model: "m", cache: CacheOff})
	marked, some := write(&wire{model: "m", cache: CacheMinutes})
	t.Logf("without breakpoints %v, with %d of them %v", plain, some, marked)
	if none != 0 || some == 0 || some > 4 {
		t.Errorf("%d and %d breakpoints: the vendor takes up to 4", none, some)
	}
	if marked-plain >= time.Millisecond {
		t.Errorf("breakpoints cost %v", marked-plain)
	}
}
