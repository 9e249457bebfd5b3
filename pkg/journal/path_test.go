package journal_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
)

func TestPaths(t *testing.T) {
	for path, want := range map[string]struct{ node, instance, parent string }{
		"START":                    {"START", "", ""},
		"a@1":                      {"a", "", ""},
		"outer@2/inner@1":          {"inner", "outer@2/", "outer@2"},
		"outer@2/START":            {"START", "outer@2/", "outer@2"},
		"w@1/3":                    {"3", "w@1/", "w@1"},
		"d@1~2/child@1":            {"child", "d@1~2/", "d@1"},
		"a@1/d@1~3/child@ID/x@2":   {"x", "a@1/d@1~3/child@ID/", "a@1/d@1~3/child@ID"},
		"a@1~2/b@1/c@1":            {"c", "a@1~2/b@1/", "a@1~2/b@1"},
		"a@1~2/b@1~10/c@1":         {"c", "a@1~2/b@1~10/", "a@1~2/b@1"},
		"answer@1/call_01/START":   {"START", "answer@1/call_01/", "answer@1/call_01"},
		"composite@1/sub_agent@12": {"sub_agent", "composite@1/", "composite@1"},
	} {
		if got := journal.NodeOf(path); got != want.node {
			t.Errorf("node of %s: %s, want %s", path, got, want.node)
		}
		if got := journal.InstanceOf(path); got != want.instance {
			t.Errorf("instance of %s: %s, want %s", path, got, want.instance)
		}
		if got := journal.ParentOf(path); got != want.parent {
			t.Errorf("parent of %s: %s, want %s", path, got, want.parent)
		}
	}
}

func TestPositionsHaveTheOrderOfTheLog(t *testing.T) {
	order := []journal.Pos{{}, {Seq: 1}, {Seq: 1, Index: 1}, {Seq: 2}, {Seq: 10, Index: 3}, {Seq: 10, Index: 12}}
	for i, p := range order {
		for j, q := range order {
			want := min(max(i-j, -1), 1)
			if got := p.Compare(q); got != want {
				t.Errorf("%s to %s: %d, want %d", p, q, got, want)
			}
		}
		if p.IsZero() != (i == 0) {
			t.Errorf("%s is zero: %v", p, p.IsZero())
		}
	}
	if got := order[5].String(); got != "10.12" {
		t.Errorf("the position reads %s", got)
	}
}
