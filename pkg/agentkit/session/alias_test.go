package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// A chat of one agent is shown without being copied. What is put behind it then doesn't write into the transcript.
func TestWhatFollowsASelectionIsNotWrittenIntoTheTranscript(t *testing.T) {
	transcript := []core.Message{user("one"), {Role: core.RoleModel, Author: "me", Parts: []core.Part{text("first")}}, user("two"), user("three")}
	for _, view := range []session.View{session.ViewSession, session.ViewTurn} {
		seen := session.Reader{Agent: "me"}.Select(transcript[:3], view)
		_ = append(seen, user("asked"))
		if core.TextOf(transcript[3]) != "three" {
			t.Errorf("view %s: the transcript now ends with %q", view, core.TextOf(transcript[3]))
		}
	}
}

// The messages of a prompt are those of the turns before, and what is appended leaves them alone.
func TestAppendRepairedMendsOnlyWhatItAppends(t *testing.T) {
	prompt := []core.Message{model(ask("1"))}
	got := session.AppendRepaired(prompt, []core.Message{answer("1"), model(ask("2")), answer("2")}, "m")
	if diff := cmp.Diff([]core.Message{model(ask("1")), model(ask("2")), answer("2")}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Most transcripts are fine as they are. Those aren't copied, whatever their length, and what is appended to them isn't
// written where the transcript goes on.
func TestWhatNeedsNoMendingIsNotCopied(t *testing.T) {
	thinks := model(core.Thinking{Text: "so", Signature: "s"}, ask("1"), ask("2"))
	transcript := []core.Message{user("one"), thinks, answer("1"), answer("2"), user("two"), user("three")}
	got := session.Repair(transcript[:5], "m")
	if &got[0] != &transcript[0] || len(got) != 5 || cap(got) != 5 {
		t.Errorf("%d messages of a slice of %d, which is another one", len(got), cap(got))
	}
	if n := testing.AllocsPerRun(10, func() { session.Repair(transcript, "m") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	got = session.Repair([]core.Message{user("one"), user(""), user("two"), model()}, "m")
	if diff := cmp.Diff([]core.Message{user("one"), user("two")}, got); diff != "" {
		t.Errorf("with something to drop (-want +got):\n%s", diff)
	}
}
