package workflow

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A fifo gives what was put in, in that order, and its room doesn't grow with what has gone through it.
func TestFifo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q fifo[int]
		var want []int
		most := 0
		for i := range rapid.IntRange(0, 300).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1, 2, 3, 4:
				q.push(i)
				want = append(want, i)
			case 5:
				q.drop(func(v int) bool { return v%3 == 0 })
				want = slices.DeleteFunc(want, func(v int) bool { return v%3 == 0 })
			default:
				if len(want) == 0 {
					continue
				}
				if got := q.pop(); got != want[0] {
					t.Fatalf("got %d, want %d", got, want[0])
				}
				want = want[1:]
			}
			most = max(most, len(want))
			if q.len() != len(want) || !slices.Equal(q.all(), want) {
				t.Fatalf("holds %v, want %v", q.all(), want)
			}
		}
		if limit := max(8, 8*most); cap(q.list) > limit {
			t.Fatalf("room for %d, and there never were more than %d", cap(q.list), most)
		}
	})
}

// The ready queue gives what was triggered first, whatever the order in which it was added.
func TestReadyQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q readyQueue
		var want []*activation
		for _, trigger := range rapid.SliceOfDistinct(rapid.IntRange(1, 1000), rapid.ID).Draw(t, "triggers") {
			a := &activation{trigger: trigger}
			q.add(a)
			want = append(want, a)
			slices.SortFunc(want, func(a, b *activation) int { return a.trigger - b.trigger })
			switch rapid.IntRange(0, 3).Draw(t, "then") {
			case 0:
				if got := q.pop(); got != want[0] {
					t.Fatalf("got %d, want %d", got.trigger, want[0].trigger)
				}
				want = want[1:]
			case 1:
				i := rapid.IntRange(0, len(want)-1).Draw(t, "removed")
				if !q.remove(want[i]) || q.remove(want[i]) {
					t.Fatalf("%d was removed never, or twice", want[i].trigger)
				}
				want = slices.Delete(want, i, i+1)
			}
			if !slices.Equal(q.all(), want) {
				t.Fatal("the order differs")
			}
		}
	})
}

// Paths are what putting them together would give, and stay so.
func TestPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p paths
		made, want := []string{""}, []string{""}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			around := rapid.IntRange(0, len(made)-1).Draw(t, "around")
			if made[around] != "" && rapid.Bool().Draw(t, "inner") && !strings.HasSuffix(made[around], "/") {
				attempt := rapid.IntRange(1, 3).Draw(t, "attempt")
				made = append(made, p.inner(made[around], attempt))
				want = append(want, want[around]+[]string{"/", "~2/", "~3/"}[attempt-1])
				continue
			}
			name := rapid.SampledFrom([]string{"", "a@", "review@"}).Draw(t, "name")
			made = append(made, p.of(made[around], name, 12))
			want = append(want, want[around]+name+"12")
		}
		if diff := cmp.Diff(want, made); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The paths of a deep graph take room for what is new at each depth.
func TestPaths_share_what_they_have_in_common(t *testing.T) {
	var p paths
	path := ""
	for range 500 {
		path = p.inner(p.of(path, "nested@", 1), 1)
	}
	if n := p.text.Len(); n > 2*len(path) {
		t.Errorf("the last piece holds %d bytes, the path has %d", n, len(path))
	}
}
