package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/wire"
)

// Where a message that is too large ends nobody knows, so what follows it isn't taken for another one.
func TestNothingIsReadBehindWhatIsTooLarge(t *testing.T) {
	const limit = 16
	text := "data: " + strings.Repeat("x", 2*limit) + "\n\n" + strings.Repeat("data: 1\n\n", 1000)
	events, lines := wire.NewEvents(strings.NewReader(text), limit), wire.NewLines(strings.NewReader(text), limit)
	for name, next := range map[string]func() error{
		"events": func() error { _, err := events.Next(); return err },
		"lines":  func() error { _, err := lines.Next(); return err },
	} {
		for i := range 3 {
			var tooLarge *wire.TooLargeError
			if err := next(); !errors.As(err, &tooLarge) {
				t.Errorf("%s, attempt %d: err %v", name, i+1, err)
			}
		}
	}
}
