package main

import (
	"context"
	"fmt"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// turnBudget is what a turn of ours may take of CPU time.
const turnBudget = 15 * time.Microsecond

// framework is one of those that are compared.
type framework struct {
	benchkit.Peer

	talk func(s script, streamed bool) (talk, error)
}

// frameworks are all of them, ours first and then the one that ours has to be cheaper than.
func frameworks() []framework {
	return []framework{
		{benchkit.Peer{Name: "ours"}, ours},
		{benchkit.Peer{Name: "fantasy", Module: "charm.land/fantasy"}, ofFantasy},
		{benchkit.Peer{Name: "eino", Module: "github.com/cloudwego/eino"}, ofEino},
		{benchkit.Peer{Name: "ADK", Module: "google.golang.org/adk/v2"}, ofADK},
	}
}

// loopCase is a row of the table of loops. What is told is the cost of a turn, or of a call in a batch.
type loopCase struct {
	name     string
	script   script
	streamed bool
	parts    int // how many turns or calls are in a run
	turn     bool
}

// longRun is the number of turns over which what a run costs once disappears.
const longRun = 40

// histories are the numbers of messages that stand before the question, from few to many.
func histories() []int { return []int{1, 50, 500} }

func loopCases() []loopCase {
	var all []loopCase
	for _, streamed := range []bool{false, true} {
		how := "generate"
		if streamed {
			how = "stream"
		}
		for _, history := range histories() {
			all = append(all, loopCase{name: fmt.Sprintf("%s, %d before", how, history),
				script: script{history: history, turns: longRun - 1, calls: 1}, streamed: streamed, parts: longRun, turn: true})
		}
	}
	for _, history := range histories() {
		all = append(all, loopCase{name: fmt.Sprintf("a run of one answer, %d before", history),
			script: script{history: history}, parts: 1})
	}
	batch := script{history: 1, turns: longRun - 1, calls: 16}
	return append(all, loopCase{name: "a call in a batch of 16", script: batch, parts: batch.turns * batch.calls})
}

// measureLoop measures all frameworks in turns.
func measureLoop(ctx context.Context, m benchkit.Meter, c loopCase) (loopRow, error) {
	var sides []benchkit.Side
	for _, f := range frameworks() {
		run, err := f.talk(c.script, c.streamed)
		if err != nil {
			return loopRow{}, fmt.Errorf("%s: %w", f.Name, err)
		}
		sides = append(sides, func() error {
			if err := run(ctx); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			return nil
		})
	}
	costs, err := m.Measure(sides...)
	if err != nil {
		return loopRow{}, err
	}
	for _, side := range costs {
		for i := range side {
			side[i] = side[i].Per(c.parts)
		}
	}
	return loopRow{c, costs}, nil
}
