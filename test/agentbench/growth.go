package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// flatness is how much more a turn of ours may cost behind a long history than behind a short one. A run looks at the
// history once, when it begins, and copies it once, when its first turn adds to it; its other turns do neither.
const flatness = 1.25

// growthSides are long runs and runs of one turn with a call, behind few messages and behind many: in this order.
func growthSides(ctx context.Context, few, many int) ([]benchkit.Side, error) {
	var sides []benchkit.Side
	for _, turns := range []int{longRun - 1, 1} {
		for _, history := range []int{few, many} {
			run, err := ours(script{history: history, turns: turns, calls: 1}, false)
			if err != nil {
				return nil, err
			}
			sides = append(sides, func() error { return run(ctx) })
		}
	}
	return sides, nil
}

// turnsAlone is what a turn costs without what a run costs to begin with, its first turn and its answer included.
func turnsAlone(long, one []benchkit.Cost) []benchkit.Cost {
	alone := make([]benchkit.Cost, len(long))
	for i := range long {
		alone[i] = benchkit.Cost{CPU: (long[i].CPU - one[i].CPU) / time.Duration(longRun-2)}
	}
	return alone
}

// benchGrowth tells what the length of the history does to a turn of ours.
func benchGrowth(ctx context.Context, w io.Writer, m benchkit.Meter) (missed []string, err error) {
	few, many := histories()[0], histories()[len(histories())-1]
	sides, err := growthSides(ctx, few, many)
	if err != nil {
		return nil, err
	}
	costs, err := m.Measure(sides...)
	if err != nil {
		return nil, err
	}
	short, long := turnsAlone(costs[0], costs[2]), turnsAlone(costs[1], costs[3])
	ratio := benchkit.Ratio(long, short)
	_, err = fmt.Fprintf(w, "\nWithout what a run costs to begin with, its first turn included, a turn of ours takes %s behind %d message and %s behind %d: %.2f times as much.\n",
		benchkit.Micros(benchkit.Median(short).CPU), few, benchkit.Micros(benchkit.Median(long).CPU), many, ratio)
	return tooMuchGrowth(ratio), err
}

func tooMuchGrowth(ratio float64) []string {
	if ratio <= flatness {
		return nil
	}
	return []string{fmt.Sprintf("growth: a turn costs %.2f times as much behind many messages, at most %.2f", ratio, flatness)}
}
