package journal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
)

// A run may go on from another one, with the temporary state that it had and the message that began it.
func TestARunThatGoesOnFromAnother(t *testing.T) {
	further := journal.Run{ID: "r2", Of: "r", Message: "m1", Temp: map[string]any{"temp:n": int64(1)}}
	entries := append(after(journal.Done{Status: journal.Failed}),
		&journal.Entry{Seq: 4, At: at(3), Run: "r2", Records: []journal.Record{further}},
		&journal.Entry{Seq: 5, At: at(3), Run: "r2", Records: []journal.Record{journal.Done{Status: journal.Failed}}},
		&journal.Entry{Seq: 6, At: at(3), Run: "r3", Records: []journal.Record{journal.Run{ID: "r3", Of: "r2"}}})
	s := fold(t, "s", entries[:4])
	if diff := cmp.Diff(further.Temp, s.Run("r2").Temp); diff != "" {
		t.Errorf("temporary state (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"r3", "r2", "r"}, fold(t, "s", entries).Lineage("r3")); diff != "" {
		t.Errorf("lineage (-want +got):\n%s", diff)
	}
}
