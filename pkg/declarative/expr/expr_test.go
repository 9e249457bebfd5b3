package expr_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/expr"
)

// theEnv is shared by all tests, as it is by all parts of a process.
var theEnv = sync.OnceValues(expr.NewEnv)

func newEnv(t testing.TB) *expr.Env {
	t.Helper()
	env, err := theEnv()
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func scopeOf(t testing.TB, p expr.Place) *expr.Scope {
	t.Helper()
	return newEnv(t).Scope(p)
}

func source(text string) expr.Source { return expr.NewSource(text, "agents[a].nodes[n].output") }

func compile(t testing.TB, s *expr.Scope, text string, want expr.Kind) *expr.Program {
	t.Helper()
	p, problems := s.Compile(source(text), want)
	if problems != nil {
		t.Fatalf("%s does not compile: %+v", text, problems)
	}
	return p
}

// evaluate evaluates text twice, by the optimized plan and by the plain one, and wants the same of both.
func evaluate(t testing.TB, s *expr.Scope, text string, want expr.Kind, act *expr.Activation) (any, error) {
	t.Helper()
	plain, problems := s.CompilePlain(source(text), want)
	if problems != nil {
		t.Fatalf("%s does not compile: %+v", text, problems)
	}
	got, err := compile(t, s, text, want).Eval(t.Context(), act)
	plainGot, plainErr := plain.Eval(t.Context(), act)
	if diff := cmp.Diff(plainGot, got); diff != "" {
		t.Errorf("%s: the optimized plan gives another result (-plain +optimized):\n%s", text, diff)
	}
	if errorText(plainErr) != errorText(err) {
		t.Errorf("%s: the optimized plan gives error %q, the plain one %q", text, errorText(err), errorText(plainErr))
	}
	return got, err
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// evalCase is an expression with its result, or with a part of its error.
type evalCase struct {
	name, text string
	want       any
	wantErr    string
}

func runEvalCases(t *testing.T, s *expr.Scope, act *expr.Activation, cases []evalCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := evaluate(t, s, c.text, expr.Any, act)
			if c.wantErr != "" {
				wantEvalError(t, err, c.wantErr)
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", c.text, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func wantEvalError(t *testing.T, err error, part string) {
	t.Helper()
	var e *expr.EvalError
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, an *expr.EvalError with %q is wanted", err, part)
	}
	if !strings.Contains(e.Error(), part) || !strings.HasPrefix(e.Error(), "agents[a].nodes[n].output: ") {
		t.Errorf("error is %q, it should begin with the path and contain %q", e.Error(), part)
	}
}

// problemsOf returns the problems of a text that must not compile.
func problemsOf(t testing.TB, s *expr.Scope, text string, want expr.Kind) []expr.Problem {
	t.Helper()
	_, problems := s.Compile(source(text), want)
	if len(problems) == 0 {
		t.Fatalf("%s compiles, a problem is wanted", text)
	}
	return problems
}

type m = map[string]any
type l = []any
