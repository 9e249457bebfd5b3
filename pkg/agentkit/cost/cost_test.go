package cost_test

import (
	"math"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

func TestEachKindOfTokenHasItsPrice(t *testing.T) {
	p := cost.Prices{Input: 1000, Output: 100, CacheRead: 10, CacheWrite: 1}
	got := p.Of(core.Usage{Input: 6, Output: 2, CacheRead: 3, CacheWrite: 4})
	if want := (6*1000 + 2*100 + 3*10 + 4*1) / 1e6; math.Abs(got-want) > 1e-15 {
		t.Errorf("cost %v, want %v", got, want)
	}
}

// Beyond a length the whole call costs more, and what came from a cache counts as part of the length.
func TestLongPromptsCostMoreInAllTheirTokens(t *testing.T) {
	tariff := cost.Tariff{Prices: cost.Prices{Input: 1, Output: 1}, Above: 100, Long: cost.Prices{Input: 2, Output: 3}}
	for _, c := range []struct {
		name  string
		usage core.Usage
		want  float64
	}{
		{"as long as that", core.Usage{Input: 100, Output: 1000}, 1100},
		{"one token longer", core.Usage{Input: 101, Output: 10}, 232},
		{"longer by its caches", core.Usage{Input: 50, CacheRead: 50, CacheWrite: 1, Output: 1}, 103},
	} {
		if got := tariff.Of(c.usage) * 1e6; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPricesThatNobodyKnows(t *testing.T) {
	var unknown cost.Tariff
	if unknown.Known() || unknown.Of(core.Usage{Input: 1}) != 0 {
		t.Error("the zero tariff has prices")
	}
	if !(cost.Tariff{Prices: cost.Prices{Output: 1}}).Known() {
		t.Error("a price isn't seen")
	}
}
