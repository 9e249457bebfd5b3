package journal_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

func TestEncodeValue(t *testing.T) {
	for want, v := range map[string]any{
		`null`:                    nil,
		`true`:                    true,
		`2`:                       int64(2),
		`2.0`:                     2.0,
		`-0.0`:                    math.Copysign(0, -1),
		`0.0`:                     0.0,
		`-9223372036854775808`:    int64(math.MinInt64),
		`18446744073709551615`:    uint64(math.MaxUint64),
		`100000000000000000000.0`: 1e20,
		`1e+21`:                   1e21,
		`0.000001`:                1e-6,
		`1e-07`:                   1e-7,
		`"<a href=\"x\">&</a>"`:   `<a href="x">&</a>`,
		`"\\ / \n\r\t\u0000\u001f` + "\x7f\u2028\"": "\\ / \n\r\t\x00\x1f\x7f\u2028",
		`"ä€😀"`:                       "ä€😀",
		`"a` + "\uFFFD\uFFFD" + `b"`:  "a\xff\xfeb",
		`"` + "\uFFFD" + `"`:          "\uFFFD",
		`[]`:                          []any{},
		`[1,[null]]`:                  []any{int64(1), []any{nil}},
		`{}`:                          map[string]any{},
		`{"A":1,"a":2,"b":[],"ä":{}}`: map[string]any{"b": []any{}, "a": int64(2), "ä": map[string]any{}, "A": int64(1)},
	} {
		got, err := journal.EncodeValue(v)
		if err != nil || string(got) != want {
			t.Errorf("encode %#v: %s, %v; want %s", v, got, err, want)
		}
	}
}

func TestEncodeValueErrors(t *testing.T) {
	deep := any("x")
	for range journal.MaxDepth + 1 {
		deep = []any{deep}
	}
	cyclic := map[string]any{}
	cyclic["self"] = cyclic
	for want, v := range map[string]any{
		"items[3].price: NaN is not a number that JSON can hold": map[string]any{"items": []any{nil, nil, nil,
			map[string]any{"price": math.NaN()}}},
		"+Inf is not a number that JSON can hold": math.Inf(1),
		"[0][1]: int is not a JSON value":         []any{[]any{nil, 1}},
		"a: []string is not a JSON value":         map[string]any{"a": []string{}},
		"nested more than 128 levels deep":        deep,
		"a.\xff: the key is not UTF-8":            map[string]any{"a": map[string]any{"\xff": nil}},
		"self.self.self":                          cyclic,
	} {
		_, err := journal.EncodeValue(v)
		var value *journal.ValueError
		if !errors.As(err, &value) || !strings.Contains(err.Error(), want) {
			t.Errorf("encode %T: got %v, want …%s…", v, err, want)
		}
	}
}

func TestDecodeValue(t *testing.T) {
	for text, want := range map[string]any{
		` null `:                         nil,
		`2`:                              int64(2),
		`-0`:                             int64(0),
		`2.0`:                            2.0,
		`2e0`:                            2.0,
		`1E+2`:                           100.0,
		`9223372036854775807`:            int64(math.MaxInt64),
		`9223372036854775808`:            uint64(math.MaxInt64 + 1),
		"[ 1 ,\t2\r\n]":                  []any{int64(1), int64(2)},
		`{"a":{"a":[]}, "b" : false}`:    map[string]any{"a": map[string]any{"a": []any{}}, "b": false},
		`"\u00e4\uD83D\uDE00\/\b\f\"\\"`: "ä😀/\b\f\"\\",
		`"\ud83dx"`:                      "\uFFFDx",
		`"\ude00\ud83d"`:                 "\uFFFD\uFFFD",
		`"\ud83d\u0041"`:                 "\uFFFDA",
	} {
		got, err := journal.DecodeValue([]byte(text))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("decode %s: %v\n%s", text, err, diff)
		}
	}
}

func TestDecodeValueErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                               "byte 0: found the end of the text, expected a value",
		`nul`:                            "byte 0: found 'n', expected a value",
		`True`:                           "expected a value",
		`1 2`:                            "byte 2: found '2', expected the end of the text",
		`{"a":1} {}`:                     "expected the end of the text",
		`{"a":[{"b":1,"b":2}]}`:          "a[0].b: the key occurs twice",
		`{"a":1,}`:                       "expected a key",
		`{"a" 1}`:                        "a: byte 5: found '1', expected a colon",
		`{"a":1 "b":2}`:                  "expected a comma or the end of the object",
		`{"a":1`:                         "found the end of the text",
		`{a:1}`:                          "expected a key",
		`[1,]`:                           "[1]: byte 3: found ']', expected a value",
		`[1 2]`:                          "expected a comma or the end of the array",
		`[`:                              "found the end of the text",
		`01`:                             "leading zeros",
		`-`:                              "expected a number",
		`+1`:                             "expected a value",
		`.5`:                             "expected a value",
		`1.`:                             "expected a digit",
		`1e`:                             "expected a digit",
		`1e+`:                            "expected a digit",
		`NaN`:                            "expected a value",
		`[0,1e999]`:                      "[1]: 1e999 is too large for a double",
		`{"n":18446744073709551616}`:     "n: 18446744073709551616 is too large for an integer of 64 bits",
		`{"n":-9223372036854775809}`:     "n: -9223372036854775809 is too large",
		`"a`:                             "expected the end of the string",
		`"\`:                             "expected an escape sequence",
		`"\x"`:                           "expected an escape sequence",
		`"\u12"`:                         "expected an escape sequence",
		`"\u12g4"`:                       "expected an escape sequence",
		`"\u+123"`:                       "expected an escape sequence",
		"\"a\nb\"":                       "no control character in a string",
		"\"\\t\n\"":                      "no control character in a string",
		"\"\xff\"":                       "not UTF-8",
		"\ufeff1":                        "expected a value",
		strings.Repeat("[", 129):         "nested more than 128 levels deep",
		strings.Repeat(`{"a":`, 100_000): "nested more than 128 levels deep",
	} {
		v, err := journal.DecodeValue([]byte(text))
		var value *journal.ValueError
		if !errors.As(err, &value) || !strings.Contains(err.Error(), want) {
			t.Errorf("decode %.40q: got %v, %v; want …%s…", text, v, err, want)
		}
	}
}

func TestDepthIsTheSameEverywhere(t *testing.T) {
	text := strings.Repeat("[", journal.MaxDepth) + strings.Repeat("]", journal.MaxDepth)
	v, err := journal.DecodeValue([]byte(text))
	if err != nil {
		t.Fatalf("decode %d levels: %v", journal.MaxDepth, err)
	}
	if _, err := journal.Normalize(v); err != nil {
		t.Errorf("normalize %d levels: %v", journal.MaxDepth, err)
	}
	if got, err := journal.EncodeValue(v); err != nil || string(got) != text {
		t.Errorf("encode %d levels: %v", journal.MaxDepth, err)
	}
	more := []any{v}
	if _, err := journal.Normalize(more); err == nil {
		t.Error("normalize takes one level more")
	}
	if _, err := journal.EncodeValue(more); err == nil {
		t.Error("encode takes one level more")
	}
}

// normalValues draws normal values.
func normalValues() *rapid.Generator[any] {
	scalars := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.String().AsAny(),
		rapid.Int64().AsAny(),
		rapid.Uint64Range(math.MaxInt64+1, math.MaxUint64).AsAny(),
		rapid.Float64().AsAny(),
		rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.Int32().Draw(t, "whole")) }).AsAny(),
	)
	value := scalars
	for range 3 {
		inner := value
		value = rapid.OneOf(scalars,
			rapid.SliceOfN(inner, 0, 5).AsAny(),
			rapid.MapOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"$blob", "$$blob", "len"})), inner, 0, 5).AsAny())
	}
	return value
}

func TestValuesSurviveARoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := normalValues().Draw(t, "value")
		text, err := journal.EncodeValue(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := journal.DecodeValue(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, got); diff != "" || !journal.Equal(v, got) {
			t.Fatalf("%s\n%s", text, diff)
		}
		again, err := journal.EncodeValue(got)
		if err != nil || string(again) != string(text) {
			t.Fatalf("encoded again: %s, %v; want %s", again, err, text)
		}
	})
}

func TestEqual(t *testing.T) {
	same := storetest.Values()
	distinct := []any{nil, false, true, "", "a", int64(0), int64(1), 1.0, uint64(math.MaxUint64), []any{}, []any{nil},
		[]any{int64(1)}, []any{1.0}, map[string]any{}, map[string]any{"a": nil}, map[string]any{"b": nil},
		map[string]any{"a": int64(1)}, map[string]any{"a": 1.0}, same}
	for i, a := range distinct {
		for j, b := range distinct {
			if got := journal.Equal(a, b); got != (i == j) {
				t.Errorf("Equal(%#v, %#v) = %v", a, b, got)
			}
		}
	}
	if !journal.Equal(same, storetest.Values()) {
		t.Error("equal values in different memory are not equal")
	}
	if journal.Equal([]string{}, []string{}) {
		t.Error("what isn't normal equals nothing")
	}
}
