package main

import (
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// Every framework follows the script in every case, else what is compared isn't the same.
func TestAllFollowTheScript(t *testing.T) {
	for _, c := range loopCases() {
		for _, f := range frameworks() {
			run, err := f.talk(c.script, c.streamed)
			if err != nil {
				t.Fatalf("%s, %s: %v", f.Name, c.name, err)
			}
			for range 2 { // a run leaves nothing behind that the next one sees
				if err := run(t.Context()); err != nil {
					t.Errorf("%s, %s: %v", f.Name, c.name, err)
				}
			}
		}
	}
}

// What a turn allocates doesn't depend on the machine: it is about 40 times, and as often behind a long history.
func TestWhatATurnAllocates(t *testing.T) {
	const most = 44
	for _, history := range histories() {
		s := script{history: history, turns: longRun - 1, calls: 1}
		run, err := ours(s, false)
		if err != nil {
			t.Fatal(err)
		}
		got := testing.AllocsPerRun(5, func() {
			if err := run(t.Context()); err != nil {
				t.Error(err)
			}
		}) / longRun
		if got > most {
			t.Errorf("%d messages before: %.1f allocations a turn, at most %d", history, got, most)
		}
	}
}

// A run that is answered at once copies no history, so that it costs as many bytes behind a long one.
func TestARunOfOneAnswerCopiesNoHistory(t *testing.T) {
	bytes := func(history int) uint64 {
		run, err := ours(script{history: history, calls: 1}, false)
		if err != nil {
			t.Fatal(err)
		}
		const runs = 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			if err := run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / runs
	}
	few, many := bytes(1), bytes(500)
	if most := few + few/2; many > most {
		t.Errorf("behind 500 messages a run allocates %d bytes, behind one %d", many, few)
	}
}

func TestEventsAreReadWithoutAllocating(t *testing.T) {
	c := eventCase()
	got := testing.AllocsPerRun(5, func() {
		if err := c.side(); err != nil {
			t.Error(err)
		}
	}) / float64(c.per)
	if got > 0.02 { // the reader and its buffers
		t.Errorf("%.3f allocations an event", got)
	}
}

func TestAMissedGoalIsTold(t *testing.T) {
	costs := func(cpu time.Duration) []benchkit.Cost { return []benchkit.Cost{{CPU: cpu}} }
	slow := loopRow{loopCase{name: "slow", turn: true}, [][]benchkit.Cost{costs(2 * turnBudget), costs(turnBudget)}}
	if missed := slow.misses(); len(missed) != 2 {
		t.Errorf("missed %q", missed)
	}
	if slow.streamed = true; len(slow.misses()) != 1 {
		t.Errorf("a streamed turn is held against the budget alone: %q", slow.misses())
	}
	long, one := costs(time.Duration(2*longRun-2)*time.Microsecond), costs(2*time.Microsecond)
	if got := turnsAlone(long, one)[0].CPU; got != 2*time.Microsecond {
		t.Errorf("a turn alone costs %s", got)
	}
	if tooMuchGrowth(flatness) != nil || tooMuchGrowth(flatness+0.01) == nil {
		t.Error("growth is held against another number than its goal")
	}
}

func TestTheTablesAreWritten(t *testing.T) {
	var out strings.Builder
	m := benchkit.Meter{Samples: 1, Each: time.Millisecond}
	if err := benchWires(t.Context(), &out, regexp.MustCompile("event"), m); err != nil {
		t.Fatal(err)
	}
	if _, err := benchLoops(t.Context(), &out, regexp.MustCompile("one answer, 1 before|growth"), m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| an event of a stream | ", "| a run of one answer, 1 before | ", "fantasy", "Without what a run costs"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q isn't in\n%s", want, out.String())
		}
	}
}
