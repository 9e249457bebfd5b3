package journal_test

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
)

// The time of an entry is written without package time's layouts, but as they would.
func TestTimesAreWrittenAsTheirLayoutSays(t *testing.T) {
	zone := time.FixedZone("", 5*3600+1800)
	rapid.Check(t, func(t *rapid.T) {
		second := rapid.Int64Range(-100_000_000_000, 400_000_000_000).Draw(t, "second") // the years -1199 to 14645
		at := time.Unix(second, rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond")).In(zone)
		line, err := journal.EncodeEntry(t.Context(), &journal.Entry{At: at}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var entry struct {
			At string `json:"at"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatal(err)
		}
		if want := at.UTC().Format("2006-01-02T15:04:05.000Z07:00"); entry.At != want {
			t.Fatalf("got %s, want %s", entry.At, want)
		}
	})
}
