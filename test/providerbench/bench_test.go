package main

import (
	"testing"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
	"github.com/plait-dev/plait/test/deltas"
)

// All sides read the same, else what is compared isn't the same.
func TestAllReadTheAnswer(t *testing.T) {
	for _, whole := range []bool{false, true} {
		want := deltas.Count
		if whole {
			want = 1
		}
		for _, a := range deltas.Answers(whole) {
			all, err := readers(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			for i, read := range all {
				for range 2 { // a reading leaves nothing behind that the next one sees
					if pieces, length, err := read(); err != nil || pieces != want || length != deltas.Length() {
						t.Errorf("%s, whole %v, side %d: %d pieces of %d bytes, err %v", a.Vendor, whole, i, pieces, length, err)
					}
				}
			}
		}
	}
}

// Either goal is missed on its own.
func TestMisses(t *testing.T) {
	cost := func(cpu time.Duration, bytes float64) []benchkit.Cost {
		return []benchkit.Cost{{CPU: cpu, Bytes: bytes}}
	}
	for _, c := range []struct {
		cpu   time.Duration
		bytes float64
		want  int
	}{{120, 120, 0}, {121, 120, 1}, {120, 121, 1}, {200, 200, 2}} {
		r := row{vendor: "acme", costs: [][]benchkit.Cost{cost(c.cpu, c.bytes), cost(100, 100), cost(1, 1)}}
		if got := r.misses("a delta"); len(got) != c.want {
			t.Errorf("%v of CPU time and %v bytes: %q, want %d", c.cpu, c.bytes, got, c.want)
		}
	}
}
