package core_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

type limited struct{ error }

func (limited) Code() string { return "limit-exceeded" }

func TestCodeOf(t *testing.T) {
	plain := errors.New("broken")
	for want, errs := range map[string][]error{
		"":               {nil, plain, fmt.Errorf("outside: %w", plain)},
		"limit-exceeded": {limited{plain}, fmt.Errorf("outside: %w", limited{plain}), errors.Join(plain, limited{plain})},
	} {
		for _, err := range errs {
			if got := core.CodeOf(err); got != want {
				t.Errorf("%v has the code %q, want %q", err, got, want)
			}
		}
	}
}
