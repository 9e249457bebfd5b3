package jsonx_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

func TestCheckSaysWhereAndWhat(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ name, text, want string }{
		{"object", `{"a":[1,-2.5e+3,"x\u00e9\n"],"b":{"a":null},"c":true,"d":false}`, ""},
		{"space around", " \t\r\n{ \"a\" : [ 1 , 2 ] } \n", ""},
		{"scalar", `0`, ""},
		{"the deepest that goes", deep(jsonx.MaxDepth), ""},
		{"same key in two objects", `{"a":{"k":1},"b":{"k":1},"k":[{"k":2},{"k":2}]}`, ""},
		{"keys differ in case", `{"path":1,"Path":2}`, ""},

		{"empty", ``, "byte 0: the text ends where a JSON value is expected"},
		{"cut in an object", `{"a":1`, `byte 6: the text ends where "," or "}" is expected`},
		{"cut in a string", `{"a":"bcd`, "byte 9: the text ends within a string that began at byte 5"},
		{"cut behind a backslash", `"a\`, `byte 3: the text ends where one of "\/bfnrtu behind a backslash is expected`},
		{"cut behind a colon", `{"a":`, "byte 5: the text ends where a JSON value is expected"},
		{"two values", `{} {}`, "byte 3: the end of the text is expected, not '{'"},
		{"trailing comma in an object", `{"a":1,}`, "byte 7: a key in quotes is expected, not '}'"},
		{"trailing comma in an array", `[1,]`, "byte 3: a JSON value is expected, not ']'"},
		{"single quotes", `{'a':1}`, `byte 1: a key in quotes is expected, not '\''`},
		{"no colon", `{"a" 1}`, `byte 5: ":" is expected, not '1'`},
		{"no comma", `[1 2]`, `byte 3: "," or "]" is expected, not '2'`},
		{"Python word", `{"a":True}`, "byte 5: a JSON value is expected, not 'T'"},
		{"half a word", `nul`, "byte 0: true, false or null is expected, not 'n'"},
		{"leading zero", `01`, "byte 1: the end of the text is expected, not '1'"},
		{"no digit behind the point", `1.x`, "byte 2: a digit is expected, not 'x'"},
		{"no digit in the exponent", `1e+`, "byte 3: the text ends where a digit is expected"},
		{"a lone minus", `-`, "byte 1: the text ends where a digit is expected"},
		{"bad escape", `"\x"`, `byte 2: one of "\/bfnrtu behind a backslash is expected, not 'x'`},
		{"bad hex", `"\u12g4"`, `byte 5: four hexadecimal digits behind \u is expected, not 'g'`},
		{"raw newline", "\"a\nb\"", `byte 2: a control character ('\n') stands in a string, it has to be escaped`},
		{"not UTF-8", "\"a\xff\"", "byte 2: a string isn't UTF-8"},
		{"too deep", deep(jsonx.MaxDepth + 1), "byte 100: arrays and objects are nested more than 100 deep"},
		{"key twice", `{"a":1,"b":2,"a":3}`, `byte 13: the key "a" is given twice in one object`},
		{"key twice, spelled differently", `{"a":1,"\u0061":3}`, `byte 7: the key "a" is given twice in one object`},
		{"key twice further in", `{"x":[{"a":1,"a":1}]}`, `byte 13: the key "a" is given twice in one object`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := jsonx.Check([]byte(c.text))
			if c.want == "" {
				if err != nil {
					t.Fatalf("Check(%s) = %v", c.text, err)
				}
				return
			}
			var syntax *jsonx.SyntaxError
			if !errors.As(err, &syntax) || err.Error() != c.want {
				t.Errorf("Check(%s)\n got %v\nwant %s", c.text, err, c.want)
			}
		})
	}
}

func TestMembersKeepOrderAndSpelling(t *testing.T) {
	got, err := jsonx.Members([]byte(` { "z" : 2.50, "a":{"y":1e2, "x":12345678901234567890} , "m":"<&>" } `))
	if err != nil {
		t.Fatal(err)
	}
	want := []jsonx.Member{
		{Key: "z", Value: json.RawMessage(`2.50`)},
		{Key: "a", Value: json.RawMessage(`{"y":1e2, "x":12345678901234567890}`)},
		{Key: "m", Value: json.RawMessage(`"<&>"`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

func TestMembersRefuseWhatIsNoObject(t *testing.T) {
	for text, want := range map[string]string{
		`[1]`:         "byte 0: a JSON object is expected, not an array",
		` "a"`:        "byte 1: a JSON object is expected, not a string",
		`true`:        "byte 0: a JSON object is expected, not a boolean",
		`null`:        "byte 0: a JSON object is expected, not null",
		`7`:           "byte 0: a JSON object is expected, not a number",
		``:            "byte 0: the text ends where a JSON value is expected",
		`[1`:          `byte 2: the text ends where "," or "]" is expected`,
		`{"a":1} x`:   "byte 8: the end of the text is expected, not 'x'",
		`{"a":1,"a":`: `byte 7: the key "a" is given twice in one object`,
	} {
		if _, err := jsonx.Members([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("Members(%s)\n got %v\nwant %s", text, err, want)
		}
	}
}

// FuzzCheck holds the scanner against encoding/json: what Check accepts is valid there, and what is valid there is
// refused only for one of the reasons that the package states.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2,{"b":null}],"c":"\ud83d\ude00"}`, `{"a":1,"a":2}`, `[1e5,-0,0.1]`, `"\u00"`, `{"a"`, "\"\xc3\x28\"", ``,
		strings.Repeat("[", 101) + strings.Repeat("]", 101),
	} {
		f.Add([]byte(seed))
	}
	reasons := []string{"given twice", "isn't UTF-8", "nested more than"}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := jsonx.Check(data)
		if err == nil && !json.Valid(data) {
			t.Fatalf("accepted %q, which is not JSON", data)
		}
		if err != nil && json.Valid(data) {
			for _, r := range reasons {
				if strings.Contains(err.Error(), r) {
					return
				}
			}
			t.Fatalf("refused the JSON %q: %v", data, err)
		}
		members, merr := jsonx.Members(data)
		if merr == nil && err != nil {
			t.Fatalf("Members took what Check refuses: %q", data)
		}
		for _, m := range members {
			if !json.Valid(m.Value) {
				t.Fatalf("member %q of %q has the value %q", m.Key, data, m.Value)
			}
		}
	})
}

func TestAnObjectOfManyKeys(t *testing.T) {
	var b strings.Builder
	const n = 100_000
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":0`, i)
	}
	object := "{" + b.String()[1:]
	if err := jsonx.Check([]byte(object + "}")); err != nil {
		t.Fatal(err)
	}
	for _, twice := range []string{"k3", "k50000"} {
		err := jsonx.Check([]byte(object + `,"` + twice + `":1}`))
		if err == nil || !strings.Contains(err.Error(), `the key "`+twice+`" is given twice`) {
			t.Errorf("%s twice: %v", twice, err)
		}
	}
}
