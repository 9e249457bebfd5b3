package openai_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func FuzzRepaired(f *testing.F) { fuzzRepaired(f, "openai") }

// This vendor wants to see its reasoning again.
func FuzzRepairedWithReasoning(f *testing.F) { fuzzRepaired(f, "deepseek") }

func fuzzRepaired(f *testing.F, profile string) {
	p, err := openai.ProfileNamed(profile)
	if err != nil {
		f.Fatal(err)
	}
	wiretest.FuzzRepaired(f, vendor{p}.dialect())
}
