package wires_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

func TestEveryNameMakesAModel(t *testing.T) {
	for _, name := range wires.Names() {
		m, err := wires.New(name, provider.Options{Model: "x", BaseURL: "http://127.0.0.1:1"})
		if err != nil || m.Name() != "x" {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if !slices.Contains(wires.Names(), "anthropic") {
		t.Errorf("names %v", wires.Names())
	}
}

func TestAnUnknownNameIsToldWhatThereIs(t *testing.T) {
	_, err := wires.New("acme", provider.Options{Model: "x"})
	want := `the provider "acme" isn't in this release; it has ` + strings.Join(wires.Names(), ", ")
	if err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
}
