package workflow

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The table of E3: one cell, one case.
func TestE3_transitions(t *testing.T) {
	all := []status{queued, running, backoff, waiting, done, failed, canceled}
	allowed := map[string]bool{
		"queued running": true, "queued canceled": true,
		"running done": true, "running failed": true, "running backoff": true, "running canceled": true,
		"running waiting": true, "waiting running": true, "waiting canceled": true,
		"backoff running": true, "backoff canceled": true,
	}
	for _, from := range all {
		for _, to := range all {
			cell := from.String() + " " + to.String()
			if got := from.mayBecome(to); got != allowed[cell] {
				t.Errorf("%s: %v", cell, got)
			}
			a := &activation{status: from, path: "a@1", in: &instance{run: &run{}}}
			refused := func() (refused bool) {
				defer func() { refused = recover() != nil }()
				a.become(to)
				return false
			}()
			if refused == allowed[cell] {
				t.Errorf("%s: refused %v", cell, refused)
			}
		}
	}
	for _, s := range all {
		if live := s == queued || s == running || s == backoff || s == waiting; s.live() != live {
			t.Errorf("%s is live: %v", s, s.live())
		}
	}
}

func TestE32_delay_table(t *testing.T) {
	none := 0.0
	half := 0.5
	for _, tc := range []struct {
		name   string
		retry  RetryConfig
		failed int
		u      float64
		want   time.Duration
	}{
		{"the defaults", RetryConfig{Jitter: &none}, 1, 0, time.Second},
		{"doubling", RetryConfig{Jitter: &none}, 4, 0, 8 * time.Second},
		{"the longest", RetryConfig{Jitter: &none}, 40, 0, time.Minute},
		{"a factor below 1", RetryConfig{Jitter: &none, BackoffFactor: 0.5}, 3, 0, 250 * time.Millisecond},
		{"a constant", RetryConfig{Jitter: &none, BackoffFactor: 1}, 7, 0, time.Second},
		{"full jitter down", RetryConfig{}, 1, -1, 0},
		{"full jitter up", RetryConfig{}, 1, 0.5, 1500 * time.Millisecond},
		{"half jitter", RetryConfig{Jitter: &half}, 2, -1, time.Second},
		{"jitter within the longest", RetryConfig{MaxDelay: 3 * time.Second}, 2, 0.99, 3 * time.Second},
		{"no overflow", RetryConfig{Jitter: &none, BackoffFactor: 1e9}, 1000, 0, time.Minute},
	} {
		if got := tc.retry.delay(tc.failed, tc.u); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// The counters of armed joins always say what counting anew would.
func TestE29_counters_of_armed_joins(t *testing.T) {
	a, b, c := testNode("a"), testNode("b"), testNode("c")
	j, k := NewJoinNode("j"), NewJoinNode("k")
	w, err := New("test", append(Chain(Start, a, j, c, k), Edge{From: Start, To: b}, Edge{From: b, To: j}, Edge{From: b, To: k},
		Edge{From: c, To: a, Route: StringRoute("again")}))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := newRun(context.Background(), w, Env{}, nil)
		defer r.close()
		in := r.root
		var live []*activation
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(live) > 0 && rapid.Bool().Draw(t, "end") {
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				ended := live[i]
				live = append(live[:i], live[i+1:]...)
				in.count(ended.node, -1)
				in.fireEdges(ended.node, &outcome{path: ended.path, routes: []string{"again"}})
			} else {
				in.trigger(rapid.IntRange(0, len(w.nodes)-1).Draw(t, "node"), &activation{})
			}
			live = gather(in, live)
			checkCounters(t, in)
			if join := in.quiescent(); join >= 0 {
				in.fire(join)
				live = gather(in, live)
				checkCounters(t, in)
			}
		}
	})
}

func testNode(name string) Node {
	return NewNode(name, func(*Context, any) (Result, error) { return Result{}, nil }, NodeConfig{})
}

// gather adds the activations that became ready, and frees their nodes so that all of them do.
func gather(in *instance, live []*activation) []*activation {
	for in.run.ready.len() > 0 {
		a := in.run.ready.pop()
		in.free(a.node)
		live = append(live, a)
	}
	return live
}

func checkCounters(t *rapid.T, in *instance) {
	total := 0
	for n := range in.nodes {
		total += in.nodes[n].live
	}
	if in.live != total {
		t.Fatalf("%d live, the nodes say %d", in.live, total)
	}
	for _, join := range in.armed {
		want := 0
		for n := range in.nodes {
			if in.wf.graph.Upstream(join).Has(n) {
				want += in.nodes[n].live
			}
		}
		if got := in.nodes[join].join.live; got != want {
			t.Fatalf("%s counts %d live upstream, there are %d", in.wf.graph.ID(join), got, want)
		}
	}
}

func TestE56_common_branch(t *testing.T) {
	for _, tc := range []struct {
		branches []string
		want     string
	}{
		{[]string{"a@1"}, "a@1"},
		{[]string{"a@1", ""}, ""},
		{[]string{"a@1", "ab@1"}, ""},
		{[]string{"a@1", "a@12"}, ""},
		{[]string{"a@1.b@1.c@1", "a@1.b@1.d@1"}, "a@1.b@1"},
		{[]string{"a@1.b@1", "a@1"}, "a@1"},
		{[]string{"a@1", "a@1.b@1", "a@1.c@2.d@1"}, "a@1"},
	} {
		var arrivals []arrival
		for _, b := range tc.branches {
			arrivals = append(arrivals, arrival{branch: b})
		}
		if got := commonBranch(arrivals); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.branches, got, tc.want)
		}
	}
}

type ownError struct{}

func (ownError) Error() string { return "own" }

func TestE31_type_of_an_error(t *testing.T) {
	for want, err := range map[string]error{
		"workflow.ownError":    Terminal(Errorf("code", "outer: %w", ownError{})),
		"error":                fmt.Errorf("outer: %w", fmt.Errorf("inner")),
		"*workflow.PanicError": &PanicError{Value: "x"},
	} {
		if diff := cmp.Diff(want, typeName(err)); diff != "" {
			t.Error(diff)
		}
	}
}

// What a body returned is kept whole: every field of a Result counts as more than an output.
func TestContext_gave(t *testing.T) {
	all := reflect.TypeFor[Result]()
	for i := range all.NumField() {
		want := Result{Output: "x"}
		field := reflect.ValueOf(&want).Elem().Field(i)
		switch field.Kind() {
		case reflect.Interface:
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.Map:
			field.Set(reflect.MakeMap(field.Type()))
		case reflect.Bool:
			field.SetBool(true)
		default:
			t.Fatalf("a field of the kind %s", field.Kind())
		}
		var c Context
		c.give(want, nil)
		if got, err := c.gave(); err != nil || !reflect.DeepEqual(want, got) {
			t.Errorf("%s: want %v, got %v", all.Field(i).Name, want, got)
		}
	}
}
