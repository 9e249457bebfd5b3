// Package capture writes references: what the SDKs send for each scenario, and what they read in its answer.
package capture

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/damage"
	"github.com/plait-dev/plait/test/difftest/ref/anthropic"
	"github.com/plait-dev/plait/test/difftest/ref/google"
	"github.com/plait-dev/plait/test/difftest/ref/ollama"
	"github.com/plait-dev/plait/test/difftest/ref/openai"
	"github.com/plait-dev/plait/test/difftest/ref/openairesponses"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// SDK is a vendor's own library.
type SDK struct {
	Module string
	Ask    canned.Ask
}

// SDKs are the libraries by the names of our providers.
func SDKs() map[string]SDK {
	return map[string]SDK{
		"anthropic":        {anthropic.Module, anthropic.Ask},
		"google":           {google.Module, google.Ask},
		"ollama":           {ollama.Module, ollama.Ask},
		"openai":           {openai.Module, openai.Ask},
		"openai-responses": {openairesponses.Module, openairesponses.Ask},
	}
}

// All writes all references into a directory.
func All(ctx context.Context, dir string) error {
	versions, err := versions()
	if err != nil {
		return err
	}
	for vendor, sdk := range SDKs() {
		for _, s := range scenario.All() {
			f, err := one(ctx, vendor, sdk, s)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", s.Name, vendor, err)
			}
			f.Provenance.Module, f.Provenance.Version = sdk.Module, versions[sdk.Module]
			if err := reference.Write(dir, vendor, s.Name, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// versions are those of the modules that this program was built with.
func versions() (map[string]string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, fmt.Errorf("the program doesn't know what it was built with")
	}
	all := map[string]string{}
	for _, dep := range info.Deps {
		all[dep.Path] = dep.Version
	}
	for _, sdk := range SDKs() {
		if all[sdk.Module] == "" {
			return nil, fmt.Errorf("the program doesn't know the version of %s that it was built with", sdk.Module)
		}
	}
	return all, nil
}

func one(ctx context.Context, vendor string, sdk SDK, s scenario.Scenario) (reference.File, error) {
	reply, err := s.Reply(vendor)
	if err != nil {
		return reference.File{}, err
	}
	f := reference.File{Provenance: reference.Provenance{Scenario: s.Sum(), Stream: reply.Sum()}}
	var v canned.Vendor
	v.Says(reply.Kind, reply.Body)
	if f.Answer, err = sdk.Ask(ctx, &v, s); err != nil {
		return f, err
	}
	f.Request = v.Got
	f.Damage, err = damage.Try(ctx, sdk.Ask, vendor, s, f.Answer)
	return f, err
}
