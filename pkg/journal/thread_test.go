package journal_test

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
)

// The transcript of the test: m1 to m3 on the trunk, then two branches, and a fork from m2.
//
//	m1 - m2 - m3 - a1 (a) - b1 (b) - a2 (a.x@1)
//	      \
//	       f1
func tree() []journal.Record {
	msg := func(id, parent, branch string) journal.Msg {
		return journal.Msg{ID: id, Parent: parent, Branch: branch}
	}
	return []journal.Record{msg("m1", "", ""), msg("m2", "m1", ""), msg("m3", "m2", ""), msg("a1", "m3", "a"),
		msg("b1", "a1", "b"), msg("a2", "b1", "a.x@1"), msg("f1", "m2", "")}
}

func TestThread(t *testing.T) {
	sum := func(id, parent, upto string) journal.Sum { return journal.Sum{ID: id, Parent: parent, Upto: upto} }
	for name, c := range map[string]struct {
		more        []journal.Record
		tip, branch string
		want        string
	}{
		"the trunk":                      {nil, "m3", "", "m1 m2 m3"},
		"the trunk sees all branches":    {nil, "a2", "", "m1 m2 m3 a1 b1 a2"},
		"a branch sees itself and trunk": {nil, "a2", "a", "m1 m2 m3 a1"},
		"a sub-branch sees its origin":   {nil, "a2", "a.x@1", "m1 m2 m3 a1 a2"},
		"a branch doesn't see its like":  {nil, "a2", "a.x@10", "m1 m2 m3 a1"},
		"another branch":                 {nil, "a2", "b", "m1 m2 m3 b1"},
		"a fork":                         {nil, "f1", "", "m1 m2 f1"},
		"nothing":                        {nil, "", "", ""},
		"an unknown message":             {nil, "z", "", ""},
		"a checkpoint of everything":     {list(sum("s1", "m3", "m3")), "s1", "", "s1"},
		"a checkpoint that keeps some":   {list(sum("s1", "m3", "m1")), "s1", "", "s1 m2 m3"},
		"messages after a checkpoint": {
			list(sum("s1", "m3", "m2"), journal.Msg{ID: "n1", Parent: "s1"}),
			"n1",
			"",
			"s1 m3 n1",
		},
		"a checkpoint seen from a branch": {list(sum("s1", "a2", "m2")), "s1", "b", "s1 m3 b1"},
		"the newest of two checkpoints": {
			list(sum("s1", "m3", "m1"), journal.Msg{ID: "n1", Parent: "s1"}, sum("s2", "n1", "m3")),
			"s2",
			"",
			"s2 n1",
		},
		"a checkpoint that keeps one behind": {
			list(sum("s1", "m3", "m1"), journal.Msg{ID: "n1", Parent: "s1"}, sum("s2", "n1", "m2")),
			"s2",
			"",
			"s2 m3 n1",
		},
		"before the checkpoint": {list(sum("s1", "m3", "m2")), "m3", "", "m1 m2 m3"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fold(t, "s", after(list(tree(), c.more)...))
			var ids []string
			for _, n := range s.Thread(c.tip, journal.View{Branch: c.branch}) {
				ids = append(ids, n.ID)
			}
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("the thread is %q, want %q", got, c.want)
			}
		})
	}
}

// Who is in a session of its own sees what is said there, with checkpoints of its own, and nobody else does.
func TestThreadWithin(t *testing.T) {
	isolated := func(path string) journal.Start {
		s := start(path, "START")
		s.Isolated = true
		return s
	}
	said := func(id, parent, path, within string) journal.Msg {
		return journal.Msg{ID: id, Parent: parent, Path: path, Within: within}
	}
	s := fold(t, "s", after(isolated("a@1"), isolated("b@1"), said("m1", "", "", ""), said("a1", "m1", "a@1", "a@1"),
		said("b1", "a1", "b@1", "b@1"), said("m2", "b1", "", ""),
		journal.Sum{ID: "s1", Parent: "m2", Upto: "b1", Within: "b@1"}, said("a2", "s1", "a@1", "a@1"), said("b2", "a2", "b@1", "b@1")))
	for name, c := range map[string]struct {
		view journal.View
		want string
	}{
		"the session":                  {journal.View{}, "m1 m2"},
		"an isolated activation":       {journal.View{Within: "a@1", Runs: []string{"r"}}, "a1 a2"},
		"one of its own checkpoint":    {journal.View{Within: "b@1", Runs: []string{"r"}}, "s1 b2"},
		"a retry sees both runs":       {journal.View{Within: "a@1", Runs: []string{"r2", "r"}}, "a1 a2"},
		"one of that name in another":  {journal.View{Within: "a@1", Runs: []string{"r2"}}, ""},
		"an activation without a word": {journal.View{Within: "c@1", Runs: []string{"r"}}, ""},
	} {
		var ids []string
		for _, n := range s.Thread("b2", c.view) {
			ids = append(ids, n.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: the thread is %q, want %q", name, got, c.want)
		}
	}
}

func TestTip(t *testing.T) {
	s := fold(t, "s", after(list(tree(), journal.Tip{ID: "m3"})...))
	if s.Tip != "m3" {
		t.Errorf("the tip is %s, want m3", s.Tip)
	}
	n := s.Node("b1")
	if n.Parent != "a1" || n.Run != "r" || n.Pos.String() != "3.4" || n.Record.Kind() != journal.KindMsg {
		t.Errorf("the node is %+v", n)
	}
	if s.Node("z") != nil {
		t.Error("there is a node z")
	}
}
