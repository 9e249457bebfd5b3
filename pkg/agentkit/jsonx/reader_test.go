package jsonx_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// event is what the tests read.
type event struct {
	Kind  string
	N     int64
	OK    bool
	Args  string
	Names []string
	Left  string
}

func read(data string) (event, error) {
	var e event
	r := jsonx.NewReader([]byte(data))
	for o := r.Object(); o.Next(); {
		switch string(o.Key()) {
		case "type":
			e.Kind = r.Text()
		case "n":
			e.N = r.Int()
		case "ok":
			e.OK = r.Bool()
		case "args":
			e.Args = string(r.Raw())
		case "names":
			for a := r.Array(); a.Next(); {
				e.Names = append(e.Names, string(r.AppendText([]byte("+"))))
			}
		case "deep":
			for o := r.Object(); o.Next(); {
				e.Left += string(o.Key()) + string(r.Peek())
			}
		}
	}
	return e, r.End()
}

func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       event
	}{
		{"values", `{"type":"a","n":-9007199254740993,"ok":true}`, event{Kind: "a", N: -9007199254740993, OK: true}},
		{"unknown members are passed over", `{"x":{"type":"no"},"type":"a","y":[[]]}`, event{Kind: "a"}},
		{"members that weren't read are passed over", `{"deep":{"a":{"b":[1]},"c":2},"ok":false}`, event{Left: "a{c2"}},
		{"raw bytes stay as they are", `{"args": {"z" : 2.50, "a":"<\u0026>"} }`, event{Args: `{"z" : 2.50, "a":"<\u0026>"}`}},
		{"elements", ` { "names" : [ "a" , "\"b\"", null ] , "n" : 0 } `, event{Names: []string{"+a", `+"b"`, "+"}}},
		{"null is nothing", `{"type":null,"n":null,"ok":null,"names":null,"deep":null}`, event{}},
		{"empty", `{}`, event{}},
		{"escapes", `{"type":"\u00e9\ud83d\ude00\n\/\\\ud83d-\ude00\ud83d\u0041\b\f\r\t\uABcd"}`,
			event{Kind: "é😀\n/\\\uFFFD-\uFFFD\uFFFDA\b\f\r\t\uabcd"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(c.text)
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("err %v, event (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestReaderIsStrict(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":1}`:                      "byte 8: a string is expected, not '1'",
		`{"type":{}}`:                     "byte 8: a string is expected, not '{'",
		`{"n":"1"}`:                       `byte 5: a number is expected, not '"'`,
		`{"n":1.5}`:                       "byte 8: an integer of 64 bits is expected, not 1.5",
		`{"n":1e2}`:                       "byte 8: an integer of 64 bits is expected, not 1e2",
		`{"n":9223372036854775808}`:       "byte 24: an integer of 64 bits is expected, not 9223372036854775808",
		`{"ok":0}`:                        "byte 6: true or false is expected, not '0'",
		`{"names":{}}`:                    "byte 9: an array is expected, not '{'",
		`[]`:                              "byte 0: an object is expected, not '['",
		``:                                "byte 0: the text ends where an object is expected",
		`{"type":"a"} x`:                  "byte 13: the end of the text is expected, not 'x'",
		`{"type":"a","type":"b"}`:         `byte 12: the key "type" is given twice in one object`,
		`{"type":"a","x":{"y":1,"y":2}}`:  `byte 23: the key "y" is given twice in one object`,
		`{"type":"a"`:                     `byte 11: the text ends where "," or "}" is expected`,
		`{"names":["a"`:                   `byte 13: the text ends where "," or "]" is expected`,
		`{"names":["a",]}`:                "byte 14: a string is expected, not ']'",
		"{\"type\":\"\xff\"}":             "byte 9: a string isn't UTF-8",
		`{"x":nope}`:                      "byte 5: true, false or null is expected, not 'n'",
		`{"x":` + nested(jsonx.MaxDepth):  "byte 104: arrays and objects are nested more than 100 deep",
		`{"args":` + nested(99) + `,"z"}`: `byte 210: ":" is expected, not '}'`,
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestAReaderStopsAtItsFirstError(t *testing.T) {
	r := jsonx.NewReader([]byte(`{"a":1,"b":"x"}`))
	o := r.Object()
	if !o.Next() || r.Text() != "" || o.Next() || r.Int() != 0 || r.Raw() != nil || r.Peek() != 0 {
		t.Error("the reader went on behind an error")
	}
	if err := r.End(); err == nil || err.Error() != "byte 5: a string is expected, not '1'" {
		t.Errorf("err = %v", err)
	}
}

func TestAReaderNoticesWrongUse(t *testing.T) {
	r := jsonx.NewReader([]byte(`{"a":[1,2],"b":1}`))
	o := r.Object()
	o.Next()
	a := r.Array()
	a.Next()
	if o.Next() || r.End() == nil {
		t.Error("leaving a walk before its end went unnoticed")
	}
	r = jsonx.NewReader([]byte(`1`))
	if r.Int(); r.Int() != 0 || r.End() == nil {
		t.Error("reading twice went unnoticed")
	}
}

func TestReadingCostsNoAllocation(t *testing.T) {
	data := []byte(`{"type":"x","index":3,"delta":{"text":"hello \"you\"","more":[1,2,{"a":null}]}}`)
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		r := jsonx.NewReader(data)
		for o := r.Object(); o.Next(); {
			if string(o.Key()) == "delta" {
				for o := r.Object(); o.Next(); {
					if string(o.Key()) == "text" {
						buf = r.AppendText(buf[:0])
					}
				}
			}
		}
		if r.End() != nil {
			t.Error("no event")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzReaderAgreesWithCheck(f *testing.F) {
	f.Add(`{"type":"\ud83d","n":1,"names":["a"],"deep":{"x":{}},"args":[]}`)
	f.Add(`{"a":[{}],"a":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		r := jsonx.NewReader([]byte(text))
		walk(r)
		got, want := r.End(), jsonx.Check([]byte(text))
		if (got == nil) != (want == nil) {
			t.Errorf("%q: reader %v, check %v", text, got, want)
		}
	})
}

// walk reads all of a value, each string against the meaning that encoding/json sees.
func walk(r *jsonx.Reader) {
	switch r.Peek() {
	case '{':
		for o := r.Object(); o.Next(); {
			walk(r)
		}
	case '[':
		for a := r.Array(); a.Next(); {
			walk(r)
		}
	case '"':
		r.Text()
	default:
		r.Skip()
	}
}

func FuzzTextMeansTheSame(f *testing.F) {
	f.Add(`"a\n\ud83d\ude00\ud83dx"`)
	f.Fuzz(func(t *testing.T, text string) {
		if jsonx.Check([]byte(text)) != nil || text == "" || text[0] != '"' {
			return
		}
		r := jsonx.NewReader([]byte(text))
		got := r.Text()
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil || got != want {
			t.Errorf("%s: %q, encoding/json %q %v", text, got, want, err)
		}
	})
}
