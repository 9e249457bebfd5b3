package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/plait-dev/plait/test/difftest/check"
)

func TestTheCodeToExitWith(t *testing.T) {
	dark := errors.Join(nil, fmt.Errorf("openai: %w", &check.DarkError{Vendor: "openai", Scenario: "text", Why: "it has no reference"}))
	for name, c := range map[string]struct {
		wrong []string
		err   error
		want  int
	}{
		"all is as the ledger says": {nil, nil, 0},
		"something isn't":           {[]string{"stale"}, nil, 1},
		"it can't be found out":     {[]string{"stale"}, errors.New("no"), 2},
		"there is nothing to go by": {nil, dark, 3},
	} {
		if got := code(c.wrong, c.err); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
