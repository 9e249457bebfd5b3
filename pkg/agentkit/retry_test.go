package agentkit_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// failing is a model that says half of its answer and fails, as often as there are errors.
type failing struct {
	core.Model
	errs []error
	at   []time.Duration // when it was asked, from the first time on
	from time.Time
}

func (m *failing) Stream(ctx context.Context, req *core.Request) iter.Seq2[core.Delta, error] {
	if m.from.IsZero() {
		m.from = time.Now()
	}
	m.at = append(m.at, time.Since(m.from))
	if len(m.at) > len(m.errs) {
		return m.Model.Stream(ctx, req)
	}
	return func(yield func(core.Delta, error) bool) {
		if yield(core.Delta{Kind: core.TextDelta, Text: "half"}, nil) {
			yield(core.Delta{}, m.errs[len(m.at)-1])
		}
	}
}

func TestAFailureThatMayPassIsTriedAgain(t *testing.T) {
	overloaded := &core.ProviderError{Status: 529, Class: core.ClassOverloaded, Message: "busy"}
	asks := func(after time.Duration) error {
		return &core.ProviderError{Status: 429, Class: core.ClassRateLimited, Message: "slowly", RetryAfter: after}
	}
	refused := &core.ProviderError{Status: 400, Class: core.ClassBadRequest, Message: "no"}
	top := agentkit.Retry{Attempts: 4, Rand: func() float64 { return 0.5 }}
	short := agentkit.Retry{Attempts: 9, Delay: 4 * time.Second, MaxDelay: 8 * time.Second, Rand: func() float64 { return 1 }}
	for _, c := range []struct {
		name  string
		retry agentkit.Retry
		errs  []error
		at    []time.Duration
		want  error // nil: it succeeds
	}{
		{"nobody asked for it", agentkit.Retry{}, []error{overloaded}, []time.Duration{0}, overloaded},
		{"waits double", top, []error{overloaded, core.ErrCutStream, overloaded},
			[]time.Duration{0, 750 * time.Millisecond, 2250 * time.Millisecond, 5250 * time.Millisecond}, nil},
		{"the last failure is told", top, []error{overloaded, overloaded, overloaded, refused, overloaded},
			[]time.Duration{0, 750 * time.Millisecond, 2250 * time.Millisecond, 5250 * time.Millisecond}, refused},
		{"waits are bounded", short, []error{overloaded, overloaded, overloaded},
			[]time.Duration{0, 4 * time.Second, 12 * time.Second, 20 * time.Second}, nil},
		{"the vendor says when", short, []error{asks(8 * time.Second)}, []time.Duration{0, 8 * time.Second}, nil},
		{"the vendor asks for too much", short, []error{asks(9 * time.Second)}, []time.Duration{0}, asks(9 * time.Second)},
		{"what won't pass isn't tried again", top, []error{refused}, []time.Duration{0}, refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &flakyLog{}
				m := &failing{Model: script(t, faux.Turn{Text: "whole"}), errs: c.errs}
				res, err := newAgent(t, agentkit.Config{Model: m, Retry: c.retry}).
					Run(t.Context(), agentkit.RunInput{Input: "go", Log: log})
				if c.want == nil && (err != nil || res.Text != "whole") || c.want != nil && (err == nil || err.Error() != "agent bot: model faux: "+c.want.Error()) {
					t.Errorf("result %v, err %v", res, err)
				}
				if diff := cmp.Diff(c.at, m.at); diff != "" {
					t.Errorf("asked at (-want +got):\n%s", diff)
				}
				if got := len(notes(log)); got != len(c.at)-1 {
					t.Errorf("%d notes of %d repetitions", got, len(c.at)-1)
				}
			})
		})
	}
}

// notes are those of a log.
func notes(log *flakyLog) []string {
	var all []string
	for _, r := range log.Records() {
		if n, ok := r.(journal.Note); ok {
			all = append(all, n.Code+": "+n.Text)
		}
	}
	return all
}

func TestARetryIsNotedBeforeItIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &flakyLog{}
		m := &failing{Model: script(t, faux.Turn{Text: "x"}), errs: []error{&core.ProviderError{Status: 503, Message: "busy"}}}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("enough"))
		defer cancel()
		retry := agentkit.Retry{Attempts: 2, Delay: time.Minute}
		_, err := newAgent(t, agentkit.Config{Model: m, Retry: retry}).Run(ctx, agentkit.RunInput{Input: "go", Log: log})
		if err == nil || err.Error() != "agent bot: enough" || time.Since(m.from) != time.Second {
			t.Errorf("err = %v after %s", err, time.Since(m.from))
		}
		got := notes(log)
		if len(got) != 1 || !cmp.Equal(got[0][:63], "model-retry: model faux: status 503: busy; it is asked again in") {
			t.Errorf("notes %q", got)
		}
	})
}
