package wiretest

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// want is what has to come out of an answer.
func (d Dialect) want(a Answer) core.Answer {
	if d.Adapt != nil {
		return d.Adapt(a.Answer)
	}
	return a.Answer
}

// answers are those that the wire can carry.
func (d Dialect) answers() []Answer {
	var all []Answer
	for _, a := range answers() {
		if !a.truncated || !d.NoCutArgs {
			all = append(all, a)
		}
	}
	return all
}

// stream returns the bytes of a streamed answer.
func (d Dialect) stream(a Answer) []byte { return bytes.Join(d.Stream(a), nil) }

// testAnswers: streamed or whole, the same message comes out, its bytes unchanged and each token counted once.
func testAnswers(t *testing.T, v *vendor) {
	for _, a := range v.dialect.answers() {
		t.Run(a.name, func(t *testing.T) {
			v.streams(v.dialect.Stream(a), nil)
			got, err := v.ask(t, v.model(t, false), hello())
			if diff := cmp.Diff(v.dialect.want(a), got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("streamed: err %v (-want +got):\n%s", err, diff)
			}
			if a.truncated {
				return // in one piece such arguments can't be said
			}
			for _, asked := range []bool{true, false} {
				v.says(200, "application/json", v.dialect.Whole(a))
				got, err = v.ask(t, v.model(t, asked), hello())
				if diff := cmp.Diff(v.dialect.want(a), got, cmpopts.EquateEmpty()); diff != "" || err != nil {
					t.Errorf("whole (asked for: %v): err %v (-want +got):\n%s", asked, err, diff)
				}
			}
		})
	}
}

// testCuts: a stream that ends early is an error or the complete message, never a shorter success. This goes over a socket
// with one answer; [testCutForms] does it with all.
func testCuts(t *testing.T, v *vendor) {
	a := answers()[1]
	all, m := v.dialect.stream(a), v.model(t, false)
	complete := 0
	for n := range all {
		v.says(200, string(v.dialect.Framing), all[:n])
		got, err := v.ask(t, m, hello())
		if err == nil {
			complete++
			if diff := cmp.Diff(v.dialect.want(a), got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("cut behind %d of %d bytes, a success (-want +got):\n%s", n, len(all), diff)
			}
		} else if !errors.Is(err, core.ErrCutStream) || !core.Transient(err) {
			t.Fatalf("cut behind %d of %d bytes: %v", n, len(all), err)
		}
	}
	if complete > len(all)/2 {
		t.Errorf("%d of %d cuts gave the complete message", complete, len(all))
	}
}

// testUnknownEvents: what a vendor adds later does no harm.
func testUnknownEvents(t *testing.T, v *vendor) {
	for _, a := range v.dialect.answers() {
		var mixed [][]byte
		for _, e := range v.dialect.Stream(a) {
			mixed = append(mixed, v.dialect.Unknown, e)
		}
		v.streams(mixed, nil)
		got, err := v.ask(t, v.model(t, false), hello())
		if diff := cmp.Diff(v.dialect.want(a), got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%s: err %v (-want +got):\n%s", a.name, err, diff)
		}
	}
}

// testStops: each word of the vendor has its reason, and one that nobody knows is reported.
func testStops(t *testing.T, v *vendor) {
	const unheardOf = "gone_fishing"
	words := map[string]core.StopReason{unheardOf: core.StopEnd}
	maps.Copy(words, v.dialect.Stops)
	for word, stop := range words {
		a := answers()[0]
		a.StopWord = word
		for _, whole := range []bool{false, true} {
			v.streams(v.dialect.Stream(a), nil)
			if whole {
				v.says(200, "application/json", v.dialect.Whole(a))
			}
			got, err := v.ask(t, v.model(t, whole), hello())
			warned := strings.Contains(strings.Join(got.Warnings, "\n"), unheardOf)
			if err != nil || got.Stop != stop || warned != (word == unheardOf) {
				t.Errorf("%s (whole %v): stop %q, want %q, warnings %q, err %v", word, whole, got.Stop, stop, got.Warnings, err)
			}
		}
	}
}
