package provider_test

import (
	"math"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

func TestAnAnswerTellsWhatItCost(t *testing.T) {
	m := provider.Priced(says("a"), provider.Prices{Input: 1000, Output: 100, CacheRead: 10, CacheWrite: 1})
	got, err := core.Collect(m.Stream(t.Context(), &core.Request{}))
	if want := (6*1000 + 2*100 + 10 + 1) / 1e6; err != nil || math.Abs(got.Usage.Cost-want) > 1e-12 || m.Name() != "a" {
		t.Errorf("cost %v, want %v, err %v", got.Usage.Cost, want, err)
	}
	silent := &canned{name: "a", deltas: []core.Delta{{Kind: core.Done, Stop: core.StopEnd}}}
	got, err = core.Collect(provider.Priced(silent, provider.Prices{Input: 1}).Stream(t.Context(), &core.Request{}))
	if err != nil || got.Usage != (core.Usage{}) {
		t.Errorf("an unreported usage became %+v, err %v", got.Usage, err)
	}
}
