package deltas_test

import (
	"runtime"
	"testing"

	"github.com/plait-dev/plait/test/deltas"
)

// sides are both readers of an answer.
func sides(t testing.TB, a deltas.Answer) map[string]deltas.Reader {
	t.Helper()
	ours, err := deltas.Ours(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]deltas.Reader{"ours": ours, "plain": deltas.Plain(t.Context(), a)}
}

// cost is what one reading allocates.
func cost(t testing.TB, read deltas.Reader) (bytes, allocs float64) {
	const runs = 10
	var before, after runtime.MemStats
	for n := range runs + 1 {
		if n == 1 { // the first one has what is made once
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		if _, _, err := read(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / runs, float64(after.Mallocs-before.Mallocs) / runs
}

// Both sides read the same, else what is compared isn't the same.
func TestBothSidesReadTheAnswer(t *testing.T) {
	for _, whole := range []bool{false, true} {
		want := deltas.Count
		if whole {
			want = 1
		}
		for _, a := range deltas.Answers(whole) {
			for name, read := range sides(t, a) {
				pieces, length, err := read()
				if err != nil || pieces != want || length != deltas.Length() {
					t.Errorf("%s, %s, whole %v: %d pieces of %d bytes, err %v; want %d of %d", a.Vendor, name, whole, pieces, length, err, want, deltas.Length())
				}
			}
		}
	}
}

// A plain decoder that is honest sees when an answer is cut, too.
func TestThePlainDecoderSeesACut(t *testing.T) {
	for _, a := range deltas.Answers(false) {
		a.Body = a.Body[:len(a.Body)/2]
		for name, read := range sides(t, a) {
			if _, _, err := read(); err == nil {
				t.Errorf("%s, %s: half an answer is taken for one", a.Vendor, name)
			}
		}
	}
}

// A wire allocates less than half of what the plain decoder does in a stream. Of an answer in one piece all have the text, once
// as it comes and once decoded, and there a wire's limits of time and size are some forty allocations; with the race detector there is
// one more copy of it.
func TestAWireAllocatesLess(t *testing.T) {
	for _, whole := range []bool{false, true} {
		most, more := 0.5, 0.0
		if whole {
			most, more = 1.6, 80
		}
		for _, a := range deltas.Answers(whole) {
			both := sides(t, a)
			bytes, allocs := cost(t, both["ours"])
			plainBytes, plainAllocs := cost(t, both["plain"])
			t.Logf("%s, whole %v: %.0f bytes, %.2f of plain; %.0f allocations, %.2f of plain", a.Vendor, whole,
				bytes, bytes/plainBytes, allocs, allocs/plainAllocs)
			if bytes > most*plainBytes || allocs > most*plainAllocs+more {
				t.Errorf("%s, whole %v: %.0f bytes and %.0f allocations, the plain decoder %.0f and %.0f", a.Vendor, whole, bytes, allocs, plainBytes, plainAllocs)
			}
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	for _, a := range deltas.Answers(false) {
		for name, read := range sides(b, a) {
			b.Run(a.Vendor+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := read(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
