package source_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/internal/cputime"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

func TestCoreSchema(t *testing.T) {
	tests := map[source.Kind][]string{
		source.Null:   {"null", "Null", "NULL", "~"},
		source.Bool:   {"true", "True", "TRUE", "false", "False", "FALSE"},
		source.Int:    {"0", "7", "-7", "+7", "017", "0o17", "0x1F", "99999999999999999999"},
		source.Float:  {"1.5", "-1.5", ".5", "1.", "1e3", "1.5E-3", ".inf", "-.Inf", ".NaN", "+.5"},
		source.String: {"yes", "no", "on", "off", "y", "nULL", "tRUE", "0b1", "0o8", "0xG", "190:20:30", "1_000", "2026-01-01", "2026-01-01T00:00:00Z", "1.2.3", ".", "+", "e3", "inf", "nan"},
	}
	for want, texts := range tests {
		for _, text := range texts {
			root := parse(t, "- "+text+"\n- \""+text+"\"\n- !!str "+text+"\n")
			if got := root.Item(0).Node().Kind(); got != want {
				t.Errorf("%s is %s, want %s", text, got, want)
			}
			for i := 1; i < 3; i++ {
				if got := root.Item(i).Node(); got.Kind() != source.String || got.Text() != text {
					t.Errorf("item %d: %q is %s, want a string", i, got.Text(), got.Kind())
				}
			}
		}
	}
}

func TestTags(t *testing.T) {
	root := parse(t, "[!!int \"7\", !!float 7, !!bool \"true\", !!null \"\", ! 7, !!map {a: b}, !!seq [a]]")
	want := []source.Kind{source.Int, source.Float, source.Bool, source.Null, source.String, source.Map, source.List}
	for i, p := range root.Items() {
		if p.Node().Kind() != want[i] {
			t.Errorf("item %d is %s, want %s", i, p.Node().Kind(), want[i])
		}
	}
	for _, text := range []string{"!!int x", "!!bool 1", "!!map [a]", "!!seq {a: b}", "!!timestamp 2026-01-01", "!custom x", "!!null x"} {
		if _, found := source.Parse("x", []byte("a: "+text+"\n")); len(found) != 1 || found[0].Code != diag.BadValue || found[0].Path != "a" {
			t.Errorf("%s: %v", text, found)
		}
	}
}

func TestJSONMeansWhatJSONSays(t *testing.T) {
	root := parse(t, `{"a\/b": "\ud83d\ude00\u2028\/\b", "c": "`+"\u2028\u0085\u007f"+`", "d":[1,-0,1E2], "e":{"f":null}}`)
	if got := root.Field("a/b").Node().Text(); got != "\U0001f600\u2028/\b" {
		t.Errorf("got %q", got)
	}
	if got := root.Field("c").Node().Text(); got != "\u2028\u0085\u007f" {
		t.Errorf("got %q", got)
	}
	for i, want := range []source.Kind{source.Int, source.Int, source.Float} {
		if got := root.Field("d").Item(i).Node().Kind(); got != want {
			t.Errorf("item %d is %s", i, got)
		}
	}
}

func TestMergeKeys(t *testing.T) {
	root := parse(t, `
a: &a {x: 1, y: 1}
b: &b {y: 2, z: 2}
c: {y: 3, <<: [*a, *b]}
d: {<<: *b, w: 4}
e: {"<<": text}
f: {<<: {v: 5}}
`)
	want := map[string][]string{"c": {"y=3", "x=1", "z=2"}, "d": {"w=4", "y=2", "z=2"}, "e": {"<<=text"}, "f": {"v=5"}}
	for key, entries := range want {
		var got []string
		for _, e := range root.Field(key).Entries() {
			got = append(got, e.Key()+"="+e.Node().Text())
		}
		if diff := cmp.Diff(entries, got); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
}

// faults holds a text for every way in which the parser fails, with the place and the beginning of what it says.
var faults = map[string]struct{ text, want string }{
	"nothing":                       {"", "1:1 the file is empty"},
	"only comments":                 {"# a\n", "2:1 the file is empty"},
	"only a marker":                 {"---\n", "2:1 the file is empty"},
	"UTF-16":                        {"\xff\xfea\x00", "1:1 the file is UTF-16"},
	"Latin-1":                       {"a: caf\xe9\n", "1:7 the byte 0xe9 is not UTF-8"},
	"control character":             {"a:\n  b: \x00\n", "2:6 the control character U+0000"},
	"second document":               {"a: 1\n---\nb: 2\n", "2:1 a second document"},
	"document after its end":        {"a: 1\n...\n---\nb\n", "3:1 a second document"},
	"text after the end":            {"a: 1\n...\nb: 2\n", "3:1 the document ends before this line"},
	"directive":                     {"%TAG ! x\n---\na: 1\n", "1:1 the directive"},
	"tab before a key":              {"a:\n\tb: 1\n", "2:1 a tab indents this line"},
	"tab after blanks":              {"a:\n  b: 1\n \tc: 1\n", "3:2 a tab indents this line"},
	"tab before more text":          {"a: b\n\tc\n", "2:1 a tab indents this line"},
	"tab in a literal":              {"a: |\n\tb\n", "2:1 a tab indents this line"},
	"map in a line":                 {"a: b: c\n", `1:5 ": " in a value`},
	"list in a line":                {"a: - b\n", `1:4 "- " on the line of a key`},
	"complex key":                   {"? a\n: b\n", `1:1 "? " starts a key`},
	"complex key later":             {"a: 1\n? b\n", `2:1 "? " starts a key`},
	"map as a key":                  {"{a: b}: c\n", "1:7 the key before this colon is a map"},
	"list as a key in brackets":     {"{[a]: b}\n", "1:2 a key is a list"},
	"hole as a key":                 {"a:\n  : b\n", `2:3 ":" stands where a value is expected`},
	"key without a space":           {"a: 1\nb:2\n", "2:1 a key and its value are separated"},
	"line without a colon":          {"a: 1\nb\n", `2:1 a line without ": "`},
	"list among keys":               {"a: 1\n- b\n", "2:1 an item of a list among the keys"},
	"key after a list":              {"- a\nb: 1\n", "2:1 the document ends before this line"},
	"too little indented":           {"a:\n    b: 1\n  c: 1\n", "3:3 this line is indented by 2"},
	"too much indented":             {"a: 'x'\n  b: 1\n", "2:3 this line is indented by 2"},
	"colon in continued text":       {"a: b\n  c: d\n", `2:4 ": " on a line that continues the value from 1:4`},
	"text behind a quote":           {"a: 'b' c\n", "1:8 text behind the closing quote"},
	"text behind a bracket":         {"a: [b] c\n", "1:8 text behind the closing bracket"},
	"an empty line before the text": {"a: |\n    \n  b\n", `2:3 an empty line before the text has more spaces`},
	"the same before a comment":     {">\n  \n #0", `2:2 an empty line before the text has more spaces`},
	"text behind the |":             {"a: |b\n", `1:5 "|" and ">" start a text`},
	"open single quote":             {"a: 'b\nc: d\n", "1:4 the quote ' is never closed"},
	"open double quote":             {"a: \"b\nc: d\n", "1:4 the quote \" is never closed"},
	"open bracket":                  {"a: [b\nc: d\n", `1:4 "[" is never closed`},
	"open brace":                    {"a: {b: c\nd: e\n", `1:4 "{" is never closed`},
	"open bracket at the end":       {"a: [b,", `1:4 "[" is never closed`},
	"wrong bracket":                 {"a: [b}\n", `1:6 expected "," or "]"`},
	"missing comma":                 {"{a: 'b' c: d}", `1:9 expected "," or "}"`},
	"comma without an item":         {"[a,,b]", "1:4 a comma with nothing before it"},
	"bracket in text":               {"{a: b[0]}", `1:6 expected "," or "}"`},
	"stray bracket":                 {"a: ]\n", `1:4 "]" closes or separates something`},
	"reserved character":            {"a: @b\n", `1:4 "@" can't start a value`},
	"backtick":                      {"a: `b`\n", "1:4 \"`\" can't start a value"},
	"unknown escape":                {`a: "\d"`, `1:5 \d is no escape`},
	"escape cut short":              {`a: "\u12"`, "1:9 an escape with 4 hexadecimal digits"},
	"half a pair":                   {`a: "\ud83d"`, "1:5 the escape stands for no character"},
	"two first halves":              {`a: "\ud83d\ud83d"`, "1:5 the escape stands for no character"},
	"beyond Unicode":                {`a: "\U00110000"`, "1:5 the escape stands for no character"},
	"backslash at the end":          {`a: "\`, `1:5 \`},
	"unknown anchor":                {"a: *b\n", `1:4 "*b" stands for the anchor`},
	"alias of its own":              {"a: &b [*b]\n", `1:8 "*b" stands for a value that it is part of`},
	"no anchor name":                {"a: & b\n", `1:4 "&" can't stand here`},
	"two tags":                      {"a: !!str !!int 1\n", `1:10 "!!int" can't stand here`},
	"no alias name":                 {"a: *\n", `1:4 "*" is no alias`},
	"alias with a colon":            {"a: &b c\n*b: d\n", `2:1`},
	"merge of text":                 {"a: {<<: b}\n", "1:9 a merge key takes a map"},
	"duplicate key":                 {"a: 1\n\"a\": 2\n", `2:1 "a" stands twice in this map; the first is at 1:1`},
	"duplicate merge key":           {"a: &a {}\nb: {<<: *a, <<: *a}\n", `2:13 "<<" stands twice`},
	"number as a key":               {"7: a\n", "1:1 a key is an integer"},
	"null as a key":                 {"{~: a}\n", "1:2 a key is null"},
	"comma in a call":               {"{a: f(x, 0), b: c}", `1:5 "f(x" is cut off at the comma`},
	"two commas in a call":          {"{a: f(x, 0, g(1, 2)) + 1}", `1:5 "f(x" is cut off at the comma`},
	"comma in a call, in a list":    {"[f(x, 0), b]", `1:2 "f(x" is cut off at the comma`},
	"parenthesis that's never shut": {"a: 1\n{a: (, b}", `2:1`},
}

func TestFaults(t *testing.T) {
	for name, tt := range faults {
		t.Run(name, func(t *testing.T) {
			_, found := source.Parse("x.yaml", []byte(tt.text))
			if len(found) != 1 {
				t.Fatalf("%d findings, want 1: %v", len(found), found)
			}
			got := fmt.Sprintf("%d:%d %s", found[0].Line, found[0].Column, found[0].Message)
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCutTextIsMended(t *testing.T) {
	f, _ := source.Parse("x.yaml", []byte("{a: f(x, g(')', 0)) + 1, b: c}"))
	a := f.Root().Field("a")
	r := source.NewReport(nil)
	if !r.Broken(a) {
		t.Error("the value isn't marked")
	}
	if f.Root().Field("b").Node().Text() != "c" || len(f.Root().Entries()) != 2 {
		t.Errorf("entries: %d", len(f.Root().Entries()))
	}
}

func TestTextWithParenthesesIsLeftAlone(t *testing.T) {
	for _, text := range []string{"{a: ':(', b: c}", "{a: :(, b: c}", "{a: (x), b}", "{a: f(x, b: c}", "[(, b]", "{a: 'f(x', b)}"} {
		if _, found := source.Parse("x.yaml", []byte(text)); len(found) > 0 {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// measure returns what parsing costs: the least CPU time of three times, which what else happens in the process can't
// make shorter.
func measure(t *testing.T, text []byte) (found diag.List, bytes uint64, cpu time.Duration) {
	t.Helper()
	cpu = time.Hour
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		took, err := cputime.Of(func() { _, found = source.Parse("x.yaml", text) })
		if err != nil {
			t.Fatal(err)
		}
		cpu = min(cpu, took)
		runtime.ReadMemStats(&after)
		bytes = after.TotalAlloc - before.TotalAlloc
	}
	return found, bytes, cpu
}

// A hostile file costs little more than its size: memory is bounded, and time is nowhere near quadratic. Bombs, that is,
// small files that mean large values, and files that are nothing but depth are told within a tenth of a second.
func TestBombs(t *testing.T) {
	laughs := "a0: &a0 [" + strings.Repeat("x,", 10) + "]\n"
	for i := 1; i < 9; i++ {
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	merges := "a0: &a0 {k: v}\n"
	for i := 1; i < 400; i++ {
		merges += fmt.Sprintf("a%d: &a%d {<<: [*a%d, *a%d], k%d: v}\n", i, i, i-1, i-1, i)
	}
	fill := func(part string) string { return strings.Repeat(part, source.MaxBytes/len(part)) }
	tests := map[string]struct {
		text string
		want diag.Code // "" when nothing is wrong
	}{
		"aliases":            {laughs, diag.Alias},
		"merge keys":         {merges, diag.Alias},
		"100 deep, flow":     {strings.Repeat("[", 100) + strings.Repeat("]", 100), diag.TooDeep},
		"100 deep, block":    {strings.Repeat("- ", 100) + "a\n", diag.TooDeep},
		"deep by aliases":    {"a: &a " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "\nb: " + strings.Repeat("[", 40) + "*a" + strings.Repeat("]", 40), diag.TooDeep},
		"open brackets":      {fill("["), diag.TooDeep},
		"open braces":        {fill("{a: "), diag.TooDeep},
		"open quotes":        {"a: " + fill("\"\" ")[:source.MaxBytes-8], diag.Syntax},
		"dashes":             {fill("- "), diag.TooDeep},
		"items":              {"[" + fill("a,") + "]", diag.TooLarge},
		"lines":              {fill("- a\n"), diag.TooLarge},
		"anchors":            {fill("&a "), diag.Syntax},
		"tags":               {fill("!a "), diag.Syntax},
		"comments":           {fill("#\n"), diag.Syntax},
		"empty lines":        {fill("\n"), diag.Syntax},
		"colons":             {fill(": "), diag.Syntax},
		"question marks":     {fill("? "), diag.Syntax},
		"one long key":       {fill("a"), ""},
		"one long text":      {"a: " + fill("b ")[:source.MaxBytes-8], ""},
		"one long literal":   {"a: |\n" + fill(" b\n")[:source.MaxBytes-8], ""},
		"blank lines, plain": {"a: b\n" + fill("\n")[:source.MaxBytes-16] + "  c\n", ""},
		"too many bytes":     {fill("a") + "aa", diag.TooLarge},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found, bytes, cpu := measure(t, []byte(tt.text))
			if tt.want == "" && len(found) > 0 || tt.want != "" && (len(found) == 0 || found[0].Code != tt.want) {
				t.Errorf("want %q, got %.200v", tt.want, found)
			}
			if bytes > 50<<20 {
				t.Errorf("%d MiB were allocated", bytes>>20)
			}
			most := 10 * time.Second // tens of milliseconds; quadratic work would take hours
			if tt.want == diag.Alias || tt.want == diag.TooDeep {
				most = 100 * time.Millisecond
			}
			if cpu > most {
				t.Errorf("it took %v of CPU time, at most %v", cpu, most)
			}
			t.Logf("%d KiB, %v", bytes>>10, cpu)
		})
	}
}
