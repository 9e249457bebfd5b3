package workflow_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestE48_results_in_the_order_of_the_list(t *testing.T) {
	l := newLab()
	l.items["w"] = worker{body: "item"}
	l.does("item", func(_ *workflow.Context, input any) (workflow.Result, error) {
		return workflow.Result{Output: fmt.Sprint("did ", input)}, nil
	})
	l.delay = func(path string) time.Duration {
		return map[string]time.Duration{"w@1/1": 3e9, "w@1/2": 1e9, "w@1/3": 2e9}[path]
	}
	got := runNested(t, l, "START -> w", workflow.RunRequest{Input: []any{"a", "b", "c"}})
	if diff := cmp.Diff([]any{"did a", "did b", "did c"}, got.output); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
	want := []string{"completed w@1/2", "completed w@1/3", "completed w@1/1", "completed w@1"}
	if diff := cmp.Diff(want, got.of(workflow.NodeCompleted)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Items that come later are given up, those that come earlier are awaited, and the first in the list is to blame.
func TestE48_the_first_failure_in_the_list_counts(t *testing.T) {
	l := newLab()
	l.items["w"] = worker{body: "item", max: 4}
	l.does("item", func(_ *workflow.Context, input any) (workflow.Result, error) {
		if text, _ := input.(string); text[0] == '!' {
			return workflow.Result{}, errors.New("broken " + text[1:])
		}
		return workflow.Result{Output: input, State: map[string]any{"last": input}}, nil
	})
	l.delay = func(path string) time.Duration {
		return map[string]time.Duration{"w@1/1": 4e9, "w@1/2": 2e9, "w@1/3": 1e9, "w@1/4": 5e9}[path]
	}
	got := runNested(t, l, "START -> w -[ERROR]-> fix", workflow.RunRequest{
		Store: memory.New(), Input: []any{"a", "!b", "!c", "d", "e"},
	})
	kinds := []workflow.EventKind{workflow.NodeCompleted, workflow.NodeFailed, workflow.NodeCanceled}
	want := []string{"failed w@1/3", "canceled w@1/4", "failed w@1/2", "completed w@1/1", "failed w@1", "completed fix@1"}
	if diff := cmp.Diff(want, got.of(kinds...)); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
	failure, _ := l.input("fix@1").(map[string]any)
	if failure["message"] != "item 1: broken b" || failure["path"] != "w@1" {
		t.Errorf("the handler got %v", failure)
	}
}

func TestE48_retry_is_that_of_the_item(t *testing.T) {
	l := newLab()
	l.items["w"] = worker{body: "item"}
	l.does("item", func(ctx *workflow.Context, input any) (workflow.Result, error) {
		if ctx.Path() == "w@1/2" && ctx.Attempt() < 3 {
			return workflow.Result{}, errors.New("not yet")
		}
		return workflow.Result{Output: input}, nil
	})
	l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{Jitter: zero()}}
	got := runNested(t, l, "START -> w", workflow.RunRequest{Input: []any{"a", "b"}})
	if diff := cmp.Diff([]string{"w@1/1", "w@1/2", "w@1/2", "w@1/2"}, slices.Sorted(slices.Values(l.paths()))); diff != "" || got.err != nil {
		t.Errorf("%v (-want +got):\n%s", got.err, diff)
	}
}

func TestE48_an_item_in_backoff_is_given_up(t *testing.T) {
	l := newLab()
	l.items["w"] = worker{body: "item"}
	l.does("item", func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		if ctx.Path() == "w@1/1" {
			return workflow.Result{}, workflow.Terminal(errors.New("broken for good"))
		}
		return workflow.Result{}, errors.New("not yet")
	})
	l.delay = func(path string) time.Duration { return map[string]time.Duration{"w@1/1": time.Second}[path] }
	l.config["w"] = workflow.NodeConfig{Retry: &workflow.RetryConfig{InitialDelay: time.Hour}}
	got := runNested(t, l, "START -> w", workflow.RunRequest{Store: memory.New(), Input: []any{"a", "b"}})
	if diff := cmp.Diff([]string{"canceled w@1/2"}, got.of(workflow.NodeCanceled)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var item *workflow.ItemError
	if !errors.As(got.err, &item) || item.Index != 0 {
		t.Errorf("the run ended with %v", got.err)
	}
}

func TestE48_what_is_no_list_is_refused(t *testing.T) {
	for _, input := range []any{nil, "text", map[string]any{}, true} {
		l := newLab()
		l.items["w"] = worker{body: "item"}
		got := runNested(t, l, "START -> w -[ERROR]-> fix", workflow.RunRequest{Input: input})
		failure, _ := l.input("fix@1").(map[string]any)
		if failure["code"] != "input-schema" || got.err != nil {
			t.Errorf("%v: the handler got %v, %v", input, failure, got.err)
		}
	}
}

func TestE48_cancelling_the_run_cancels_items(t *testing.T) {
	l := newLab()
	l.items["w"] = worker{body: "item", max: 2}
	l.delay = func(path string) time.Duration { return time.Hour }
	got := runNested(t, l, "START -> w; START -> a", workflow.RunRequest{Store: memory.New(), Input: []any{"a", "b", "c"},
		Env: workflow.Env{Limits: workflow.Limits{MaxDuration: time.Second}}})
	want := []string{"canceled a@1", "canceled w@1", "canceled w@1/1", "canceled w@1/2"}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(got.of(workflow.NodeCanceled)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if codeOf(got.err) != workflow.CodeLimit {
		t.Errorf("the run ended with %v", got.err)
	}
}
