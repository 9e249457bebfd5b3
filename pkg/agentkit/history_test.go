package agentkit_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// A history is shown as it is and shared by the runs that begin with it: none of them writes into it, or behind it, where the
// caller may have room.
func TestRunsLeaveTheirHistoryAlone(t *testing.T) {
	said := func(n int) core.Message {
		return core.Message{Role: core.RoleModel, Author: "bot", Model: "faux", Parts: []core.Part{
			core.Thinking{Text: "so", Signature: "s"}, core.Text{Text: fmt.Sprint(n)}}}
	}
	transcript := []core.Message{core.UserMessage("1"), said(1), core.UserMessage("2"), core.UserMessage("beyond")}
	want := make([]core.Message, 0, len(transcript))
	for _, m := range transcript {
		m.Parts = append([]core.Part(nil), m.Parts...)
		want = append(want, m)
	}
	model := script(t, faux.Turn{Text: "I look.", Calls: []faux.Call{call("look", `{}`), call("look", `{}`)}},
		faux.Turn{Calls: []faux.Call{call("look", `{}`)}}, faux.Turn{Text: "Done."})
	a := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{says("look", "ok")}})
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			in := agentkit.RunInput{History: transcript[:3], View: session.ViewSession}
			if res, err := a.Run(t.Context(), in); err != nil || res.Text != "Done." {
				t.Errorf("a run ended with %v, err %v", res, err)
			}
		})
	}
	runs.Wait()
	if diff := cmp.Diff(want, transcript); diff != "" {
		t.Errorf("the history now (-before +after):\n%s", diff)
	}
}
