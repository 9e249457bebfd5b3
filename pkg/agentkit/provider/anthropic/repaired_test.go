package anthropic_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func FuzzRepaired(f *testing.F) { wiretest.FuzzRepaired(f, dialect()) }
