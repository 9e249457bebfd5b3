package openai_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func FuzzRepaired(f *testing.F) { wiretest.FuzzRepaired(f, dialectOf(f, "openai")) }

// This vendor wants to see its reasoning again.
func FuzzRepairedWithReasoning(f *testing.F) { wiretest.FuzzRepaired(f, dialectOf(f, "deepseek")) }
