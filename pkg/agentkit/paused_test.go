package agentkit_test

import (
	"errors"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

// A vendor that pauses a long answer goes on with it when it sees what it wrote so far. The run isn't over before.
func TestAnAnswerThatWasPausedGoesOn(t *testing.T) {
	turns := []faux.Turn{{Text: "First I search.", Stop: core.StopPaused}, {Text: "It rains."}}
	model := script(t, turns...)
	log := &flakyLog{}
	res := run(t, agentkit.Config{Model: model}, agentkit.RunInput{Input: "weather?", Log: log})
	if res.Text != "It rains." || res.Stop != core.StopEnd || res.Turns != 2 {
		t.Errorf("the run ended with %+v", res)
	}
	asked := model.last(t).Messages
	if len(asked) != 2 || core.TextOf(asked[1]) != "First I search." {
		t.Errorf("it was sent again as %v", asked)
	}

	// A process that died behind the pause is followed by one that goes on from there.
	model = script(t, turns...)
	progress := []journal.Record{log.Messages()[0]}
	res = run(t, agentkit.Config{Model: model}, agentkit.RunInput{Input: "weather?", Progress: progress})
	if res.Text != "It rains." || res.Turns != 2 {
		t.Errorf("taken up, the run ended with %+v", res)
	}
	if again := model.last(t).Messages; len(again) != 2 || core.TextOf(again[1]) != "First I search." {
		t.Errorf("taken up, it was sent as %v", again)
	}
}

// A vendor that pauses for ever is stopped by the limit of turns.
func TestPausesAreTurns(t *testing.T) {
	more := faux.Turn{Text: "More.", Stop: core.StopPaused}
	a := newAgent(t, agentkit.Config{Model: script(t, more, more, more), Limits: agentkit.Limits{MaxTurns: 2}})
	_, err := a.Run(t.Context(), agentkit.RunInput{Input: "weather?"})
	if limit, ok := errors.AsType[*agentkit.LimitError](err); !ok || limit.Limit != "max_turns" {
		t.Errorf("the run ended with %v", err)
	}
}
