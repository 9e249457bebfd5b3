package source_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// object starts to read a text as a map with the field v.
func object(t *testing.T, text string) (source.Object, *source.Report) {
	t.Helper()
	f, found := source.Parse("x.yaml", []byte(text))
	if f == nil {
		t.Fatalf("findings: %v", found)
	}
	r := source.NewReport(found)
	o, _ := r.Object(f.Root(), "a thing", []string{"v"}, nil)
	return o, r
}

// findings lists what a report says, one line each: column, code, message, hint.
func findings(r *source.Report) []string {
	var all []string
	for _, d := range r.List() {
		all = append(all, strings.TrimSuffix(fmt.Sprintf("%d %s: %s; %s", d.Column, d.Code, d.Message, d.Hint), "; "))
	}
	return all
}

func TestFieldsOfAnObject(t *testing.T) {
	text := func(o source.Object) any { return o.String("v") }
	nonEmpty := func(o source.Object) any { return o.NonEmpty("v") }
	flag := func(o source.Object) any { return o.Bool("v") }
	number := func(o source.Object) any { return o.Int("v", 1) }
	ratio := func(o source.Object) any { return o.Float("v", 0, 1) }
	open := func(o source.Object) any { return o.Float("v", 0, math.Inf(1)) }
	span := func(o source.Object) any { return o.Duration("v") }
	word := func(o source.Object) any { return o.Enum("v", "fast", "slow") }
	texts := func(o source.Object) any { return o.Strings("v") }
	value := func(o source.Object) any { return o.JSON("v") }
	half, yes := 0.5, true

	tests := map[string]struct {
		text  string
		read  func(source.Object) any
		want  any
		finds string
	}{
		"text":                    {"v: a b", text, "a b", ""},
		"text, absent":            {"{}", text, "", ""},
		"text, quoted number":     {"v: '7'", text, "7", ""},
		"text, number":            {"v: 7", text, "", `4 wrong-type: "v" is an integer; expected a string; put it in quotes: "7"`},
		"text, boolean":           {"v: true", text, "", `4 wrong-type: "v" is a boolean; expected a string; put it in quotes: "true"`},
		"text, hole":              {"v:", text, "", `1 wrong-type: "v" has no value; expected a string; give it a value, or remove it`},
		"text, null":              {"v: null", text, "", `4 wrong-type: "v" has no value; expected a string; give it a value, or remove it`},
		"text, list":              {"v: [a]", text, "", `4 wrong-type: "v" is a list; expected a string`},
		"text, empty":             {"v: ''", nonEmpty, "", `4 missing-field: "v" is empty`},
		"text, not empty":         {"v: a", nonEmpty, "a", ""},
		"text, absent is fine":    {"{}", nonEmpty, "", ""},
		"flag":                    {"v: true", flag, &yes, ""},
		"flag, absent":            {"{}", flag, (*bool)(nil), ""},
		"flag, YAML 1.1":          {"v: yes", flag, (*bool)(nil), `4 wrong-type: "v" is a string; expected true or false`},
		"integer":                 {"v: 0x1F", number, int64(31), ""},
		"integer, octal":          {"v: 0o17", number, int64(15), ""},
		"integer, leading zero":   {"v: 017", number, int64(17), ""},
		"integer, as a float":     {"v: 3.0", number, int64(3), ""},
		"integer, exponent":       {"v: 1e3", number, int64(1000), ""},
		"integer, fraction":       {"v: 1.5", number, int64(0), `4 wrong-type: "v" is 1.5; expected an integer`},
		"integer, too small":      {"v: 0", number, int64(0), `4 bad-value: "v" is 0; it must be at least 1`},
		"integer, too large":      {"v: 9007199254740993", number, int64(0), `4 bad-value: "v" is 9007199254740993; numbers are finite and between -2^53 and 2^53`},
		"integer, largest":        {"v: 9007199254740992", number, int64(1) << 53, ""},
		"integer, text":           {"v: '7'", number, int64(0), `4 wrong-type: "v" is a string; expected an integer`},
		"number":                  {"v: .5", ratio, &half, ""},
		"number, absent":          {"{}", ratio, (*float64)(nil), ""},
		"number, out of bounds":   {"v: 1.5", ratio, (*float64)(nil), `4 bad-value: "v" is 1.5; it must be between 0 and 1`},
		"number, below the least": {"v: -1", open, (*float64)(nil), `4 bad-value: "v" is -1; it must be at least 0`},
		"number, infinite":        {"v: .inf", open, (*float64)(nil), `4 bad-value: "v" is .inf; numbers are finite and between -2^53 and 2^53`},
		"duration":                {"v: 90s", span, 90 * time.Second, ""},
		"duration, absent":        {"{}", span, time.Duration(0), ""},
		"duration, no unit":       {"v: 30", span, time.Duration(0), `4 wrong-type: "v" is an integer; expected a duration such as "30s" or "1h30m"; write the unit: "30s"`},
		"duration, negative":      {"v: -1s", span, time.Duration(0), `4 bad-value: "-1s" isn't positive; expected a duration such as "30s" or "1h30m"`},
		"duration, words":         {"v: soon", span, time.Duration(0), `4 bad-value: "soon" is no duration; expected a duration such as "30s" or "1h30m"; the units are ms, s, m and h`},
		"duration, empty":         {"v: ''", span, time.Duration(0), `4 bad-value: "" is no duration; expected a duration such as "30s" or "1h30m"; the units are ms, s, m and h`},
		"word":                    {"v: slow", word, "slow", ""},
		"word, misspelt":          {"v: solw", word, "", `4 bad-value: "v" is "solw"; expected fast or slow; did you mean "slow"?`},
		"word, number":            {"v: 1", word, "", `4 wrong-type: "v" is an integer; expected fast or slow`},
		"texts":                   {"v: [a, b]", texts, []string{"a", "b"}, ""},
		"texts, empty":            {"v: []", texts, []string(nil), ""},
		"texts, one alone":        {"v: a", texts, []string(nil), `4 wrong-type: "v" is a string; expected a list of strings; a list of one is [a]`},
		"texts, a number":         {"v: [a, 1]", texts, []string{"a"}, `8 wrong-type: an item of "v" is an integer; expected a string; put it in quotes: "1"`},
		"texts, an empty one":     {"v: ['']", texts, []string(nil), `5 missing-field: an item of "v" is empty`},
		"JSON":                    {"v: {a: [1, 1.5, x, true, null, -0.0], b: 0x10}", value, map[string]any{"a": []any{1.0, 1.5, "x", true, nil, 0.0}, "b": 16.0}, ""},
		"JSON, absent":            {"{}", value, nil, ""},
		"JSON, bad number":        {"v: {a: [.nan]}", value, nil, `9 bad-value: an item of "a" is .nan; numbers are finite and between -2^53 and 2^53`},
		"JSON, cut text":          {"v: {a: f(b, c)}", value, nil, `8 syntax: "f(b" is cut off at the comma: within brackets a comma ends a value without quotes; put the whole value in quotes: "f(b, c)"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o, r := object(t, tt.text)
			if diff := cmp.Diff(tt.want, tt.read(o)); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.finds, strings.Join(findings(r), "\n")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestObjectReportsUnknownFields(t *testing.T) {
	f, _ := source.Parse("x.yaml", []byte("{modl: a, size: 1, colour: red, x: y}"))
	r := source.NewReport(nil)
	r.Object(f.Root(), "a thing", []string{"model", "mode"}, func(field string) string {
		if field == "colour" {
			return "colour is a field of paints"
		}
		return ""
	})
	want := []string{
		`2 unknown-field: "modl" is no field of a thing; did you mean "model"?`,
		`11 unknown-field: "size" is no field of a thing; its fields are model, mode`,
		`20 unknown-field: "colour" is no field of a thing; colour is a field of paints`,
		`33 unknown-field: "x" is no field of a thing; its fields are model, mode`,
	}
	if diff := cmp.Diff(want, findings(r)); diff != "" {
		t.Error(diff)
	}
}

func TestObjectOfSomethingElse(t *testing.T) {
	f, _ := source.Parse("x.yaml", []byte("[a, {b: }]"))
	r := source.NewReport(nil)
	if _, ok := r.Object(f.Root().Item(0), "an edge", []string{"b"}, nil); ok {
		t.Error("a string is an object")
	}
	o, ok := r.Object(f.Root().Item(1).Field("b"), "an edge", nil, nil)
	if ok || o.Has("x") || o.Require("an edge", "x") {
		t.Error("a hole is an object")
	}
	want := []string{
		`2 wrong-type: an item is a string; expected an edge (a map)`,
		`6 wrong-type: "b" has no value; expected an edge (a map); give it a value, or remove it`,
	}
	if diff := cmp.Diff(want, findings(r)); diff != "" {
		t.Error(diff)
	}
}

func TestRequire(t *testing.T) {
	o, r := object(t, "v: 1")
	if !o.Require("a thing", "v") || o.Require("a thing", "v", "w", "x") {
		t.Error("what is there and what isn't is mixed up")
	}
	if o.Require("a thing", "y") {
		t.Error("a broken object has what it needs")
	}
	if diff := cmp.Diff([]string{`1 missing-field: a thing needs the field "w"`}, findings(r)); diff != "" {
		t.Error(diff)
	}
}

func TestListsAndMaps(t *testing.T) {
	o, r := object(t, "v: {a: 1, b: 2}")
	var keys []string
	for _, e := range o.Map("v", "a map of numbers") {
		keys = append(keys, e.Key())
	}
	if diff := cmp.Diff([]string{"a", "b"}, keys); diff != "" {
		t.Error(diff)
	}
	if got := o.List("v", "a list of things"); got != nil {
		t.Errorf("items: %v", got)
	}
	if diff := cmp.Diff([]string{`4 wrong-type: "v" is a map; expected a list of things; each item of a list starts with a dash: - …`}, findings(r)); diff != "" {
		t.Error(diff)
	}
	if o.Map("w", "a map") != nil || o.List("w", "a list") != nil {
		t.Error("an absent field has entries")
	}
}

func TestReportSaysThingsOnce(t *testing.T) {
	f, _ := source.Parse("x.yaml", []byte("{a: &x {m: 1}, b: *x, c: {m: 1}}"))
	r := source.NewReport(nil)
	for _, e := range f.Root().Entries() {
		r.Value(e.Field("m"), diag.WrongType, "m is wrong", "")
		r.Value(e.Field("m"), diag.BadValue, "that follows from the first", "")
	}
	if got := r.List(); len(got) != 2 || got[0].Path != "a.m" || got[1].Path != "c.m" {
		t.Errorf("findings: %v", got)
	}
}

func TestWarningsBreakNothing(t *testing.T) {
	f, _ := source.Parse("x.yaml", []byte("{a: 1}"))
	r, p := source.NewReport(nil), f.Root().Field("a")
	r.Value(p, diag.NoDefault, "careful", "")
	r.Key(p, diag.NoDefault, "careful with the key, too", "")
	if r.Broken(p) || r.BrokenBelow(f.Root()) {
		t.Error("a warning broke the value")
	}
	r.Value(p, diag.BadValue, "wrong", "")
	if !r.Broken(p) || !r.BrokenBelow(f.Root()) || r.Broken(f.Root()) {
		t.Error("an error breaks the value itself, and what it is in from below")
	}
	next := r.Next()
	if len(next.List()) != 0 || !next.Broken(p) {
		t.Error("the next report starts without findings and knows what is broken")
	}
	next.Break(f.Root())
	if r.Broken(f.Root()) {
		t.Error("the next report changed the first")
	}
}

func TestReportIsBounded(t *testing.T) {
	f, _ := source.Parse("x.yaml", []byte("["+strings.Repeat("a, ", 5000)+"]"))
	r := source.NewReport(nil)
	for _, item := range f.Root().Items() {
		r.Value(item, diag.BadValue, "wrong", "")
	}
	if n := len(r.List()); n != 1000 {
		t.Errorf("%d findings", n)
	}
}

func TestFindingsWithoutPositionDifferByPointer(t *testing.T) {
	f, _ := source.ParseUnplaced([]byte(`{"a": 1, "b": 1}`))
	r := source.NewReport(nil)
	for _, e := range f.Root().Entries() {
		r.Value(e, diag.BadValue, "wrong", "")
	}
	if n := len(r.List()); n != 2 {
		t.Errorf("%d findings", n)
	}
}
