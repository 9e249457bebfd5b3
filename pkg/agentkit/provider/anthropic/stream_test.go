package anthropic_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func FuzzStream(f *testing.F) { wiretest.FuzzStream(f, dialect()) }

func FuzzWhole(f *testing.F) { wiretest.FuzzWhole(f, dialect()) }
