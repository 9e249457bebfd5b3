package catalog_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

func TestHowModelsAreFound(t *testing.T) {
	c := catalog.New(
		catalog.Entry{Vendor: "acme", ID: "roc-2-3"},
		catalog.Entry{Vendor: "acme", ID: "roc-2", Aliases: []string{"roc-2-0"}},
		catalog.Entry{Vendor: "acme", ID: "roc-10"},
		catalog.Entry{Vendor: "acme", ID: "roc-4-mini"},
		catalog.Entry{Vendor: "other", ID: "roc-3"},
	)
	for _, f := range []struct {
		asked, id string
		how       catalog.How
	}{
		{"roc-2", "roc-2", catalog.Exact},
		{"models/ROC-2-3", "roc-2-3", catalog.Exact},
		{"roc-2-0", "roc-2", catalog.Alias},
		{"roc-2-20260101", "roc-2", catalog.Dated},
		{"roc-2-3@20260101", "roc-2-3", catalog.Dated},
		{"roc-2-2026-01-31", "roc-2", catalog.Dated},
		{"roc-2-preview-09-2026", "roc-2", catalog.Dated},
		{"roc-2-3-latest", "roc-2-3", catalog.Dated},
		{"roc-2-001", "roc-2", catalog.Dated},
		{"roc-2-4", "roc-2-3", catalog.Sibling},
		{"roc-9", "roc-2-3", catalog.Sibling},
		{"roc-11-20270101", "roc-10", catalog.Sibling},
		{"roc-5-mini", "roc-4-mini", catalog.Sibling},
		{"roc-1", "", ""}, // all are newer
		{"roc-3-mini", "", ""},
		{"roc", "", ""},
		{"rok-2", "", ""},
		{"", "", ""},
	} {
		got := c.Find("acme", f.asked)
		if got.ID != f.id || got.How != f.how || got.Known() != (f.how != "") {
			t.Errorf("%q is %q (%s), want %q (%s)", f.asked, got.ID, got.How, f.id, f.how)
		}
		if told := strings.Contains(got.Note(), f.asked+" isn't in the catalog: what is known of "+f.id); told != (f.how == catalog.Sibling) {
			t.Errorf("%q: note %q", f.asked, got.Note())
		}
	}
}

func TestEffortsAreClampedToThoseOfTheModel(t *testing.T) {
	for _, c := range []struct{ have, asked, want string }{
		{"low medium high", "medium", "medium"},
		{"low medium high", "xhigh", "high"},
		{"low medium high", "max", "high"},
		{"low medium high", "minimal", "low"},
		{"low medium high", "none", "low"},
		{"low medium high", "off", "low"},
		{"none low high", "off", "none"},
		{"none low high", "minimal", "low"}, // to think a little isn't not to think
		{"none", "high", "high"},            // there is nothing that it could become
		{"low medium high", "galactic", "galactic"},
		{"", "max", "max"},
	} {
		e := catalog.Entry{Efforts: strings.Fields(c.have)}
		if got := e.Effort(c.asked); got != c.want {
			t.Errorf("%s of %q is %s, want %s", c.asked, c.have, got, c.want)
		}
	}
}

func TestConfigurationsKnowBetter(t *testing.T) {
	listed := catalog.Found{How: catalog.Exact, Entry: catalog.Entry{ContextWindow: 10, MaxOutput: 5,
		Tariff: cost.Tariff{Prices: cost.Prices{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4}, Above: 9, Long: cost.Prices{Input: 8}}}}
	got, err := catalog.Override{ContextWindow: new(int64(20)), MaxOutput: new(int64(7))}.Apply(listed)
	if err != nil || got.ContextWindow != 20 || got.MaxOutput != 7 || got.Tariff != listed.Tariff {
		t.Errorf("limits: %+v, err %v", got, err)
	}
	got, err = catalog.Override{OutputPrice: new(0.5)}.Apply(listed)
	if want := (cost.Tariff{Prices: cost.Prices{Input: 1, Output: 0.5, CacheRead: 3, CacheWrite: 4}}); err != nil || got.Tariff != want {
		t.Errorf("one price: %+v, err %v", got.Tariff, err)
	}
	got, err = catalog.Override{InputPrice: new(3.0), OutputPrice: new(5.0), CacheReadPrice: new(0.0)}.Apply(catalog.Found{})
	if want := (cost.Tariff{Prices: cost.Prices{Input: 3, Output: 5, CacheWrite: 3}}); err != nil || got.Tariff != want {
		t.Errorf("a model that isn't listed: %+v, err %v", got.Tariff, err)
	}
	if got, err = (catalog.Override{InputPrice: new(0.0), OutputPrice: new(0.0)}).Apply(catalog.Found{}); err != nil || !got.Tariff.Known() ||
		got.Tariff.Of(core.Usage{Input: 1e6}) != 0 {
		t.Errorf("free: %+v, %v", got.Tariff, err)
	}
	for _, half := range []catalog.Override{{InputPrice: new(1.0)}, {OutputPrice: new(1.0)}, {CacheReadPrice: new(1.0)}} {
		if _, err := half.Apply(catalog.Found{}); err == nil || !strings.Contains(err.Error(), "input_price and output_price are needed") {
			t.Errorf("%+v: err %v", half, err)
		}
	}
}

// What is listed makes sense: it is found by its own name alone, says where it was read, and holds no slip of a digit that
// its other numbers give away.
func TestTheTables(t *testing.T) {
	c := catalog.Default()
	seen := map[string]bool{}
	for _, e := range c.Entries() {
		for _, name := range append([]string{e.ID}, e.Aliases...) {
			if key := e.Vendor + "/" + name; seen[key] {
				t.Errorf("%s is listed twice", key)
			} else {
				seen[key] = true
			}
			if f := c.Find(e.Vendor, name); f.ID != e.ID || f.How == catalog.Dated || f.How == catalog.Sibling {
				t.Errorf("%s is found as %s (%s)", name, f.ID, f.How)
			}
		}
		if _, err := time.Parse(time.DateOnly, e.Read); err != nil || e.Source == "" {
			t.Errorf("%s: source %q, read %q", e.ID, e.Source, e.Read)
		}
		u, err := url.Parse(e.Source)
		own := err == nil && slices.Contains([]string{"platform.claude.com", "developers.openai.com"}, u.Host)
		if e.Secondhand == own {
			t.Errorf("%s: secondhand %v, read at %q", e.ID, e.Secondhand, e.Source)
		}
		if e.ContextWindow < 8192 || e.MaxOutput < 0 || e.MaxOutput > e.ContextWindow || !slices.Contains(e.Input, catalog.Text) ||
			!slices.Contains(e.Output, catalog.Text) || e.ID != strings.ToLower(e.ID) {
			t.Errorf("%s: window %d, output %d, %v to %v", e.ID, e.ContextWindow, e.MaxOutput, e.Input, e.Output)
		}
		all, last := catalog.Efforts(), -1
		for _, effort := range e.Efforts {
			at := slices.Index(all, effort)
			if at <= last {
				t.Errorf("%s: efforts %v aren't in their order", e.ID, e.Efforts)
			}
			last = at
		}
		checkPrices(t, &e)
	}
}

func checkPrices(t *testing.T, e *catalog.Entry) {
	p, long := e.Tariff.Prices, e.Tariff.Long
	if !e.Tariff.Known() {
		return
	}
	if p.CacheRead <= 0 || p.CacheRead > p.Input/2 || p.CacheWrite < p.Input || p.CacheWrite > 2*p.Input || p.Output < 4*p.Input ||
		p.Output > 10*p.Input {
		t.Errorf("%s: prices %+v", e.ID, p)
	}
	if (e.Tariff.Above > 0) != (long != cost.Prices{}) || e.Tariff.Above >= e.ContextWindow ||
		e.Tariff.Above > 0 && (long.Input <= p.Input || long.Output <= p.Output || long.CacheRead <= p.CacheRead || long.CacheWrite <= p.CacheWrite) {
		t.Errorf("%s: beyond %d tokens %+v", e.ID, e.Tariff.Above, long)
	}
}

// FuzzFind: any name is found or isn't, and what is found of a family isn't newer than what was asked for.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"claude-sonnet-9", "gpt-6.2-sol-2026-11-17", "models/gemini-4-argon-001", "o3", "", "-", "gpt-99999999999999999999"} {
		f.Add(catalog.OpenAI, name)
		f.Add(catalog.Anthropic, name)
	}
	c := catalog.Default()
	f.Fuzz(func(t *testing.T, vendor, name string) {
		found := c.Find(vendor, name)
		if found.Known() != (found.ID != "") || found.Known() && (found.Asked != name || found.Vendor != vendor) {
			t.Errorf("%s %q: %+v", vendor, name, found)
		}
	})
}
