//go:build unix

package benchkit_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/test/benchkit"
)

func costs(cpu ...time.Duration) []benchkit.Cost {
	var all []benchkit.Cost
	for _, d := range cpu {
		all = append(all, benchkit.Cost{CPU: d, Bytes: float64(10 * d), Allocs: float64(d)})
	}
	return all
}

func TestMedian_takes_the_middle_of_each_number(t *testing.T) {
	want := benchkit.Cost{CPU: 2, Bytes: 20, Allocs: 2}
	if diff := cmp.Diff(want, benchkit.Median(costs(9, 1, 2))); diff != "" {
		t.Error(diff)
	}
}

// The second pair was measured while the machine was slow.
func TestRatio_compares_neighbours(t *testing.T) {
	if got := benchkit.Ratio(costs(1, 50, 2), costs(10, 500, 10)); got != 0.1 {
		t.Errorf("%v", got)
	}
}

func TestMeasure_alternates_and_counts(t *testing.T) {
	var order []string
	var kept []byte
	side := func(name string, bytes int) benchkit.Side {
		return func() error {
			order = append(order, name)
			for begin := time.Now(); time.Since(begin) < time.Millisecond; { // one call makes a sample
				kept = make([]byte, bytes)
			}
			kept = make([]byte, bytes)
			return nil
		}
	}
	got, err := benchkit.Meter{Samples: 2, Each: time.Microsecond}.Measure(side("a", 1<<10), side("b", 1<<20))
	if err != nil || len(kept) != 1<<20 {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "a", "b", "a", "b"}, order); diff != "" { // the first two calibrate
		t.Error(diff)
	}
	for _, costs := range got {
		if len(costs) != 2 {
			t.Errorf("%d samples", len(costs))
		}
	}
	if b := benchkit.Median(got[1]); b.Bytes < 1<<20 || b.Allocs < 1 || b.CPU <= 0 {
		t.Errorf("%+v", b)
	}
}

func TestMeasure_ends_with_an_error(t *testing.T) {
	broken := errors.New("broken")
	if _, err := (benchkit.Meter{Samples: 1}).Measure(func() error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
