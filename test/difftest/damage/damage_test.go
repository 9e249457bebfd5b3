package damage_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/damage"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// text is the scenario with the name text.
func text(t *testing.T) scenario.Scenario {
	t.Helper()
	for _, s := range scenario.All() {
		if s.Name == "text" {
			return s
		}
	}
	t.Fatal("there is no scenario with the name text")
	return scenario.Scenario{}
}

// reader takes the bytes of an answer for its text, and finds those wrong that don't pass.
func reader(passes func(body string) bool) canned.Ask {
	return func(_ context.Context, v *canned.Vendor, _ scenario.Scenario) (reference.Answer, error) {
		body, err := io.ReadAll(v.Body)
		if err == nil && !passes(string(body)) {
			err = errors.New("wrong")
		}
		return reference.Answer{Stop: string(body)}, err
	}
}

// Each way gives the reader something else than the answer, but for where the network cuts it.
func TestEachWayDamages(t *testing.T) {
	s := text(t)
	for _, vendor := range scenario.Vendors() {
		reply, err := s.Reply(vendor)
		if err != nil {
			t.Fatal(err)
		}
		all, err := damage.Try(t.Context(), reader(func(string) bool { return true }), vendor, s, reference.Answer{Stop: string(reply.Body)})
		if err != nil || len(all) != len(damage.Ways(s)) {
			t.Fatalf("%s: %d ways, err %v", vendor, len(all), err)
		}
		for _, d := range all {
			if d.How == "one byte at a time" {
				if d.Outcomes != "1 same" {
					t.Errorf("%s, %s: %s", vendor, d.How, d.Outcomes)
				}
			} else if d.Has(reference.Same) || !d.Has(reference.Other) {
				t.Errorf("%s, %s: %s", vendor, d.How, d.Outcomes)
			}
		}
	}
}

// The outcome is the reader's: a stream that is cut is wrong to one who wants its end, and the last bytes aren't.
func TestAReaderThatWantsTheEnd(t *testing.T) {
	s := text(t)
	reply, err := s.Reply("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	whole := func(body string) bool { return strings.Contains(body, `"message_stop"}`) }
	all, err := damage.Try(t.Context(), reader(whole), "anthropic", s, reference.Answer{Stop: string(reply.Body)})
	if err != nil {
		t.Fatal(err)
	}
	n := len(reply.Body) - len("\n\n")
	for _, d := range all {
		if want := reference.Tell(append(repeat(reference.Failed, n), repeat(reference.Other, 2)...)); d.How == "cut behind each byte" && d.Outcomes != want {
			t.Errorf("%s, want %s", d.Outcomes, want)
		}
		if d.How == "nothing" && d.Outcomes != "1 failed" {
			t.Errorf("%s: %s", d.How, d.Outcomes)
		}
	}
}

func repeat(o reference.Outcome, n int) []reference.Outcome {
	all := make([]reference.Outcome, n)
	for i := range all {
		all[i] = o
	}
	return all
}
