package expr_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// One program is evaluated by many goroutines while others compile in the same environment, errors included, of which
// cel-go shares some between all evaluations.
func TestConcurrentUse(t *testing.T) {
	const workers, rounds = 16, 50
	scope := scopeOf(t, expr.CelNode)
	act := &expr.Activation{
		Input: m{"items": l{m{"n": int64(1)}, m{"n": int64(2)}}, "big": int64(1 << 62), "s": "abc"},
		State: expr.StateMap{"b": int64(1), "a": int64(2)},
		Vars:  m{"text": "hello"},
	}
	text := `{'sum': input.items.map(i, default(i.n, 0)), 'keys': state.map(k, k), 'text': regex.replace(vars.text, 'l', 'L'),
		'const': {'x': 1, 'y': [1, 2]}.map(k, k)}`
	want := m{"sum": l{int64(1), int64(2)}, "keys": l{"a", "b"}, "text": "heLLo", "const": l{"x", "y"}}
	p := compile(t, scope.WithVar("text", expr.Type{}), text, expr.Any)
	failing := []*expr.Program{
		compile(t, scope, `timestamp(input.big)`, expr.Any),
		compile(t, scope, `input.s.contains(input.big)`, expr.Any),
		compile(t, scope, `input.s in input.big`, expr.Any),
	}
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			for range rounds {
				got, err := p.Eval(t.Context(), act)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%v\n%s", err, diff)
					return
				}
				if _, err := failing[i%len(failing)].Eval(t.Context(), act); err == nil {
					t.Error("an error is wanted")
				}
			}
		})
		wg.Go(func() {
			for n := range rounds / 5 {
				name := fmt.Sprintf("v%d", n)
				s := scope.WithVar("text", expr.Type{}).WithVar(name, expr.Type{})
				if _, problems := s.Compile(source(fmt.Sprintf("vars.%s + %d", name, n)), expr.Any); problems != nil {
					t.Error(problems)
				}
				if _, problems := s.Compile(source("vars.nope + nope"), expr.Any); len(problems) != 2 {
					t.Error(problems)
				}
			}
		})
	}
	wg.Wait()
}
