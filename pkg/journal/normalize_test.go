package journal_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

type inner struct {
	Rate  float64 `json:"rate"`
	Count int     `json:"count"`
}

type outer struct {
	inner
	Named    inner              `json:"named"`
	Pointer  *inner             `json:"pointer,omitempty"`
	Nil      *inner             `json:"nil"`
	List     []float32          `json:"list"`
	Pair     [2]float64         `json:"pair"`
	ByName   map[string]float64 `json:"by_name"`
	Any      any                `json:"any"`
	AsText   float64            `json:"as_text,string"`
	Untagged float64
	Hidden   float64 `json:"-"`
	private  float64
	At       time.Time `json:"at"`
	Bytes    []byte    `json:"bytes"`
	Amount   cents     `json:"amount"`
}

// cents writes its own JSON, an integer.
type cents float64

func (c cents) MarshalJSON() ([]byte, error) { return json.Marshal(int64(c * 100)) }

// ratio does so through its pointer only.
type ratio struct{ Value float64 }

func (r *ratio) MarshalJSON() ([]byte, error) { return []byte(`{"Value":7}`), nil }

type text string

func TestNormalizeGoValues(t *testing.T) {
	var nilMap map[string]any
	var nilList []any
	var nilPointer *inner
	for name, c := range map[string]struct{ in, want any }{
		"int":                   {2, int64(2)},
		"uint8":                 {uint8(2), int64(2)},
		"small uint64":          {uint64(2), int64(2)},
		"large uint64":          {uint64(math.MaxUint64), uint64(math.MaxUint64)},
		"float32":               {float32(2), 2.0},
		"named string":          {text("a"), "a"},
		"string of bad bytes":   {"a\xff", "a\uFFFD"},
		"key of bad bytes":      {map[string]any{"a\xff": int64(1)}, map[string]any{"a\uFFFD": int64(1)}},
		"nil map":               {nilMap, nil},
		"nil list":              {nilList, nil},
		"nil pointer":           {nilPointer, nil},
		"strings":               {[]string{"a"}, []any{"a"}},
		"ints by name":          {map[string]int{"a": 1}, map[string]any{"a": int64(1)}},
		"ints by number":        {map[int]float64{1: 2}, map[string]any{"1": int64(2)}},
		"ints within":           {[]any{1, map[string]any{"b": 2}}, []any{int64(1), map[string]any{"b": int64(2)}}},
		"bytes":                 {[]byte("hi"), "aGk="},
		"raw JSON":              {json.RawMessage(`{"a":[1,2.0]}`), map[string]any{"a": []any{int64(1), 2.0}}},
		"no raw JSON":           {json.RawMessage(nil), nil},
		"number":                {json.Number("2"), int64(2)},
		"number with a point":   {json.Number("2.0"), 2.0},
		"large whole double":    {struct{ F float64 }{1e20}, map[string]any{"F": 1e20}},
		"own JSON by a pointer": {&ratio{2}, map[string]any{"Value": int64(7)}},
		"own JSON, but a value": {ratio{2}, map[string]any{"Value": 2.0}},
		"own JSON in a slice":   {[]ratio{{2}}, []any{map[string]any{"Value": int64(7)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := journal.Normalize(c.in)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestNormalizeKeepsDoublesOfStructs(t *testing.T) {
	in := outer{
		inner:   inner{Rate: 1, Count: 1},
		Named:   inner{Rate: 2, Count: 2},
		Pointer: &inner{Rate: 3, Count: 3},
		List:    []float32{4},
		Pair:    [2]float64{5, 5.5},
		ByName:  map[string]float64{"a": 6},
		Any:     []any{7, 7.0, inner{Rate: 8}},
		AsText:  9, Untagged: 10, Hidden: 11, private: 12,
		At: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Bytes: []byte{1}, Amount: 2.5,
	}
	want := map[string]any{
		"rate": 1.0, "count": int64(1),
		"named":    map[string]any{"rate": 2.0, "count": int64(2)},
		"pointer":  map[string]any{"rate": 3.0, "count": int64(3)},
		"nil":      nil,
		"list":     []any{4.0},
		"pair":     []any{5.0, 5.5},
		"by_name":  map[string]any{"a": 6.0},
		"any":      []any{int64(7), 7.0, map[string]any{"rate": 8.0, "count": int64(0)}},
		"as_text":  "9",
		"Untagged": 10.0,
		"at":       "2026-11-30T00:00:00Z",
		"bytes":    "AQ==",
		"amount":   int64(250),
	}
	for name, v := range map[string]any{"value": in, "pointer": &in} {
		got, err := journal.Normalize(v)
		if diff := cmp.Diff(any(want), got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestNormalizeErrors(t *testing.T) {
	deep := any("x")
	for range journal.MaxDepth + 1 {
		deep = []any{deep}
	}
	for want, v := range map[string]any{
		"a[1]: NaN is not a number":            map[string]any{"a": []any{0, math.NaN()}},
		"a: chan int has no JSON form":         map[string]any{"a": make(chan int)},
		"[0]: []float64 has no JSON form":      []any{[]float64{math.Inf(1)}},
		"a.b: the key occurs twice":            map[string]any{"a": json.RawMessage(`{"b":1,"b":2}`)},
		"[0]: 18446744073709551616 is too":     []any{json.RawMessage(`18446744073709551616`)},
		"a: 18446744073709551616 is too large": map[string]any{"a": json.Number("18446744073709551616")},
		"nested more than 128 levels deep":     deep,
	} {
		_, err := journal.Normalize(v)
		var value *journal.ValueError
		if !errors.As(err, &value) || !strings.Contains(err.Error(), want) {
			t.Errorf("normalize %T: got %v, want …%s…", v, err, want)
		}
	}
}

func TestNormalizeLeavesItsInputAlone(t *testing.T) {
	in := map[string]any{"list": []any{1, "a"}, "same": map[string]any{"x": int64(1)}}
	got, err := journal.Normalize(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"list": []any{1, "a"}, "same": map[string]any{"x": int64(1)}}, in); diff != "" {
		t.Errorf("the input has changed:\n%s", diff)
	}
	got.(map[string]any)["same"].(map[string]any)["x"] = int64(2)
	if in["same"].(map[string]any)["x"] != int64(2) {
		t.Error("a part that didn't change was copied")
	}
}

func TestNormalizeIsFreeForNormalValues(t *testing.T) {
	var v any = storetest.Values()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := journal.Normalize(v); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func TestNormalizeKeepsNormalValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := normalValues().Draw(t, "value")
		got, err := journal.Normalize(v)
		if diff := cmp.Diff(v, got); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}

func TestOptional(t *testing.T) {
	var absent journal.Optional
	null := journal.Some(nil)
	for name, c := range map[string]struct {
		a, b journal.Optional
		want bool
	}{
		"both absent":     {absent, journal.Optional{}, true},
		"absent and null": {absent, null, false},
		"equal lists":     {journal.Some([]any{1.0}), journal.Some([]any{1.0}), true},
		"other types":     {journal.Some(1.0), journal.Some(int64(1)), false},
	} {
		if got := c.a.Equal(c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if absent.Present() || !null.Present() || absent.Value() != nil {
		t.Error("absent and null are mixed up")
	}
	if v, ok := journal.Some("x").Get(); v != "x" || !ok || journal.Some("x").Value() != "x" {
		t.Error("the value is not what was put in")
	}
}
