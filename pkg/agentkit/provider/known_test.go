package provider_test

import (
	"context"
	"math"
	"net/http"
	"slices"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// demanding is a wire that keeps the settings that it is asked to encode, and whose answers use six tokens of input.
type demanding struct {
	echo

	demands bool
	got     *core.Generate
}

func (w demanding) Traits() provider.Traits {
	t := w.echo.Traits()
	t.LimitDemanded = w.demands
	return t
}

func (w demanding) Encode(ctx context.Context, req *core.Request, d *provider.Draft) error {
	*w.got = req.Generate
	return w.echo.Encode(ctx, req, d)
}

func (w demanding) Decoder() provider.Decoder { return spender{} }

// spender tells, with its last event, what the answer used.
type spender struct{ decoder }

func (spender) Event(_, data []byte, out *provider.Out) error {
	if string(data) == `{"done":true}` {
		out.Done(core.StopEnd, core.Usage{Input: 6, Output: 2})
		return nil
	}
	return decoder{}.Event(nil, data, out)
}

func TestRequestsAreKeptWithinWhatIsKnown(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, "text/event-stream", done) })
	entry := catalog.Entry{ID: "m-1", MaxOutput: 100, Efforts: []string{"none", "low", "high"}}
	narrow := entry
	narrow.ContextWindow = 120
	for _, c := range []struct {
		name    string
		known   catalog.Found
		demands bool
		asked   core.Generate
		want    core.Generate
		told    []string
	}{
		{"nothing is known", catalog.Found{}, true, core.Generate{MaxOutputTokens: 9, Thinking: "max"}, core.Generate{MaxOutputTokens: 9, Thinking: "max"}, nil},
		{"all fits", catalog.Found{How: catalog.Exact, Entry: entry}, false, core.Generate{MaxOutputTokens: 100, Thinking: "high"},
			core.Generate{MaxOutputTokens: 100, Thinking: "high"}, nil},
		{"too much", catalog.Found{How: catalog.Exact, Entry: entry}, false, core.Generate{MaxOutputTokens: 101, Thinking: "max"},
			core.Generate{MaxOutputTokens: 100, Thinking: "high"}, []string{
				"101 output tokens: the model m writes at most 100, which is sent", `thinking "max": the model m doesn't have it; high is sent`}},
		{"another word for none", catalog.Found{How: catalog.Exact, Entry: entry}, false, core.Generate{Thinking: "off"}, core.Generate{Thinking: "none"}, nil},
		{"a limit isn't sent unasked", catalog.Found{How: catalog.Exact, Entry: entry}, false, core.Generate{}, core.Generate{}, nil},
		{"a limit that is demanded", catalog.Found{How: catalog.Exact, Entry: entry}, true, core.Generate{}, core.Generate{MaxOutputTokens: 100}, nil},
		{"a prompt has to fit, too", catalog.Found{How: catalog.Exact, Entry: narrow}, true, core.Generate{}, core.Generate{MaxOutputTokens: 60}, nil},
		{"a sibling", catalog.Found{How: catalog.Sibling, Asked: "m-2", Entry: entry}, false, core.Generate{}, core.Generate{},
			[]string{"the model m-2 isn't in the catalog: what is known of m-1, its nearest sibling, is taken for it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sent core.Generate
			m := newModel(t, demanding{echo{provider.FramingSSE}, c.demands, &sent}, provider.Options{BaseURL: server.URL, Known: c.known})
			req := &core.Request{Generate: c.asked}
			got, err := core.Collect(m.Stream(t.Context(), req))
			if err != nil || sent.MaxOutputTokens != c.want.MaxOutputTokens || sent.Thinking != c.want.Thinking || !slices.Equal(got.Warnings, c.told) {
				t.Errorf("sent %+v, want %+v; told %q, err %v", sent, c.want, got.Warnings, err)
			}
			if req.Generate.MaxOutputTokens != c.asked.MaxOutputTokens || req.Generate.Thinking != c.asked.Thinking {
				t.Errorf("the caller's request became %+v", req.Generate)
			}
		})
	}
}

func TestAnAnswerTellsWhatItCost(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, "text/event-stream", done) })
	known := catalog.Found{Entry: catalog.Entry{Tariff: cost.Tariff{Prices: cost.Prices{Input: 1000, Output: 100}}}}
	for _, c := range []struct {
		known catalog.Found
		want  float64
	}{{known, (6*1000 + 2*100) / 1e6}, {catalog.Found{}, 0}} {
		m := newModel(t, demanding{echo: echo{provider.FramingSSE}, got: &core.Generate{}}, provider.Options{BaseURL: server.URL, Known: c.known})
		if got, err := ask(t, m); err != nil || math.Abs(got.Usage.Cost-c.want) > 1e-12 || m.Known().Tariff != c.known.Tariff {
			t.Errorf("cost %v, want %v, err %v", got.Usage.Cost, c.want, err)
		}
	}
}
