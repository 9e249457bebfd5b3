package openai_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func FuzzStream(f *testing.F) { wiretest.FuzzStream(f, dialectOf(f, "openai")) }

// The blocks of this vendor's reasoning are strung together.
func FuzzStreamWithDetails(f *testing.F) { wiretest.FuzzStream(f, dialectOf(f, "openrouter")) }

func FuzzWhole(f *testing.F) { wiretest.FuzzWhole(f, dialectOf(f, "openai")) }

func dialectOf(f *testing.F, profile string) wiretest.Dialect {
	p, err := openai.ProfileNamed(profile)
	if err != nil {
		f.Fatal(err)
	}
	return vendor{p}.dialect()
}
