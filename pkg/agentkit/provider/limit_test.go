package provider_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

func TestCallsBeyondTheLimitWait(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		name   string
		limits provider.Limits
		want   []time.Duration // when each of five calls, ten seconds apart at least, is made
	}{
		{"no limit", provider.Limits{}, []time.Duration{0, 10 * second, 20 * second, 30 * second, 40 * second}},
		{"two requests", provider.Limits{Requests: 2}, []time.Duration{0, 10 * second, 60 * second, 70 * second, 120 * second}},
		{"tokens of two answers", provider.Limits{Tokens: 20}, []time.Duration{0, 10 * second, 60 * second, 70 * second, 120 * second}},
		{"an answer may go beyond", provider.Limits{Tokens: 11}, []time.Duration{0, 10 * second, 60 * second, 70 * second, 120 * second}},
		{"the narrower counts", provider.Limits{Requests: 1, Tokens: 100}, []time.Duration{0, 60 * second, 120 * second, 180 * second, 240 * second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, begin := provider.Limit(says("a"), c.limits), time.Now()
				var got []time.Duration
				for range 5 {
					if _, err := core.Collect(m.Stream(t.Context(), &core.Request{})); err != nil {
						t.Fatal(err)
					}
					got = append(got, time.Since(begin))
					time.Sleep(10 * second)
				}
				if diff := cmp.Diff(c.want, got); diff != "" || m.Name() != "a" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := says("a")
		m := provider.Limit(inner, provider.Limits{Requests: 1})
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("enough"))
		defer cancel()
		for range 2 {
			if _, err := core.Collect(m.Stream(ctx, &core.Request{})); err != nil && err.Error() != "enough" {
				t.Error(err)
			}
		}
		if inner.calls != 1 {
			t.Errorf("%d calls", inner.calls)
		}
	})
}
