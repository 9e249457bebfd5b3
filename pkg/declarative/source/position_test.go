package source_test

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// parse reads a text that nothing is wrong with.
func parse(t *testing.T, text string) source.Place {
	t.Helper()
	f, found := source.Parse("x.yaml", []byte(text))
	if len(found) > 0 {
		t.Fatalf("findings: %v", found)
	}
	return f.Root()
}

// Each text holds the character ◆ once in the value of the key v, written out or as the escape that the test names. Its
// place in the decoded text must lead to its place in the file.
func TestPositionsWithinScalars(t *testing.T) {
	tests := map[string]struct {
		text    string
		written string // how ◆ is written; "" for itself
	}{
		"plain":                         {text: "v: ab ◆ cd\n"},
		"plain, wide characters before": {text: "k: {ключ: 列, v: é列😀◆}\n"},
		"plain, second line":            {text: "v: ab\n   cd\n  ef ◆\n"},
		"plain, after an empty line":    {text: "v: ab\n\n\n  c◆d\n"},
		"plain, CRLF":                   {text: "v: ab\r\n  cd\r\n\r\n  e◆\r\n"},
		"plain in a flow map":           {text: "{a: b, v: x y◆z, c: d}"},
		"plain over lines in brackets":  {text: "l: [a, {v: b\n c\n   ◆d}]\n"},
		"plain behind an anchor":        {text: "v: &a ◆b\n"},
		"plain behind a tag":            {text: "v: !!str ◆b\n"},
		"single quotes":                 {text: "v: 'ab ◆'\n"},
		"single, escaped quote before":  {text: "v: 'it''s ''◆'\n"},
		"single, second line":           {text: "v: 'ab  \n\n   cd◆'\n"},
		"double quotes":                 {text: "v: \"ab ◆\"\n"},
		"double, escapes before":        {text: "v: \"\\t\\\"\\x41\\u00e9\\U0001F600\\ud83d\\ude00\\/◆\"\n"},
		"double, itself escaped":        {text: "v: \"a\\t\\u25c6b\"\n", written: `\u25c6`},
		"double, escaped line break":    {text: "v: \"ab\\\n   cd ◆\"\n"},
		"double, folded":                {text: "v: \"ab\n  cd\n\n  ◆\"\n"},
		"literal":                       {text: "v: |\n  ab\n  cd ◆\n"},
		"literal, more indented":        {text: "v: |\n  ab\n\n     c◆d\n  ef\n"},
		"literal with indicator":        {text: "v: |2-\n    ab\n  c◆\n"},
		"literal with comment":          {text: "v: | # not text\n  ab\n  c◆\n"},
		"literal, tab inside":           {text: "v: |\n  a\tb◆\n"},
		"literal, CRLF":                 {text: "v: |\r\n  ab\r\n  c◆\r\n"},
		"literal in a list":             {text: "l:\n  - v: |\n      ab\n      ◆\n"},
		"folded":                        {text: "v: >\n  ab\n  cd ◆\n"},
		"folded, empty lines":           {text: "v: >-\n  ab\n\n\n  cd\n  e◆\n"},
		"folded, more indented":         {text: "v: >\n  ab\n    cd ◆\n  ef\n"},
		"JSON":                          {text: `{"a": "\ud83d\ude00", "v": "x\n\ud83d\ude00◆"}`},
		"byte order mark":               {text: "\ufeffv: ◆\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			written := tt.written
			if written == "" {
				written = "◆"
			}
			p, ok := find(parse(t, tt.text), "v")
			if !ok {
				t.Fatal("there is no v")
			}
			i := strings.Index(p.Node().Text(), "◆")
			if i < 0 {
				t.Fatalf("no ◆ in %q", p.Node().Text())
			}
			i = len([]rune(p.Node().Text()[:i]))
			if want, got := position(tt.text, written), p.Within(i, i+1); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// find looks for a key in a tree.
func find(p source.Place, key string) (source.Place, bool) {
	if p.Key() == key {
		return p, true
	}
	for _, child := range append(p.Items(), p.Entries()...) {
		if found, ok := find(child, key); ok {
			return found, true
		}
	}
	return source.Place{}, false
}

// position finds the only occurrence of a text in a file.
func position(text, part string) diag.Pos {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	before, _, _ := strings.Cut(text, part)
	line := before[strings.LastIndex(before, "\n")+1:]
	column := len([]rune(line)) + 1
	return diag.Pos{Line: strings.Count(before, "\n") + 1, Column: column, EndColumn: column + len([]rune(part))}
}

func TestWithin(t *testing.T) {
	p := parse(t, "v: |\n  ab\n  cd\n").Field("v")
	tests := map[string]struct {
		start, end int
		want       diag.Pos
	}{
		"one character":            {1, 2, diag.Pos{Line: 2, Column: 4, EndColumn: 5}},
		"cut at the end of a line": {1, 5, diag.Pos{Line: 2, Column: 4, EndColumn: 5}},
		"the line break":           {2, 3, diag.Pos{Line: 2, Column: 5, EndColumn: 6}},
		"empty":                    {3, 3, diag.Pos{Line: 3, Column: 3, EndColumn: 4}},
		"behind the text":          {5, 5, diag.Pos{Line: 3, Column: 5, EndColumn: 6}},
		"behind the last break":    {6, 6, diag.Pos{Line: 4, Column: 1, EndColumn: 2}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := p.Within(tt.start, tt.end); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestPositionsOfValues(t *testing.T) {
	text := `a: plain text # comment
"b c": 'quoted'
d: {e: [1, 2], f: }
g:
  h: 1
i: |
  literal
j:
  - k
`
	root := parse(t, text)
	tests := map[string]struct {
		got  diag.Pos
		want diag.Pos
	}{
		"plain":              {root.Field("a").Pos(), diag.Pos{Line: 1, Column: 4, EndColumn: 14}},
		"quoted key":         {root.Field("b c").KeyPos(), diag.Pos{Line: 2, Column: 1, EndColumn: 6}},
		"quoted":             {root.Field("b c").Pos(), diag.Pos{Line: 2, Column: 8, EndColumn: 16}},
		"flow map":           {root.Field("d").Pos(), diag.Pos{Line: 3, Column: 4, EndColumn: 5}},
		"flow list":          {root.Field("d").Field("e").Pos(), diag.Pos{Line: 3, Column: 8, EndColumn: 9}},
		"item":               {root.Field("d").Field("e").Item(1).Pos(), diag.Pos{Line: 3, Column: 12, EndColumn: 13}},
		"hole, at its key":   {root.Field("d").Field("f").Pos(), diag.Pos{Line: 3, Column: 16, EndColumn: 17}},
		"block map":          {root.Field("g").Pos(), diag.Pos{Line: 5, Column: 3, EndColumn: 4}},
		"literal":            {root.Field("i").Pos(), diag.Pos{Line: 6, Column: 4, EndColumn: 5}},
		"block list":         {root.Field("j").Pos(), diag.Pos{Line: 9, Column: 3, EndColumn: 4}},
		"absent: its parent": {root.Field("g").Field("x").Pos(), diag.Pos{Line: 5, Column: 3, EndColumn: 4}},
		"root":               {root.Pos(), diag.Pos{Line: 1, Column: 1, EndColumn: 2}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %+v, want %+v", tt.got, tt.want)
			}
		})
	}
}

func TestPositionOfADocumentThatIsAHole(t *testing.T) {
	if got, want := parse(t, "&a\n").Pos(), (diag.Pos{Line: 1, Column: 1, EndColumn: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestColumnsOfLongLines(t *testing.T) {
	text := `{"pad": "` + strings.Repeat("é😀", 3000) + `", "v": "◆"}`
	if got, want := parse(t, text).Field("v").Within(0, 1), position(text, "◆"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPathsAndPointers(t *testing.T) {
	root := parse(t, `
agents:
  - name: triage
    nodes: [{id: classify, routes: [{when: x}]}, {id: "a/b~c"}]
    labels: {plain: 1, "a.b/c~d": 2}
  - {}
`)
	agents := root.Field("agents")
	nodes, labels := agents.Item(0).Field("nodes"), agents.Item(0).Field("labels")
	tests := map[string]struct {
		p       source.Place
		pointer string
	}{
		"": {root, ""},
		"agents[triage].nodes[classify].routes[0].when": {nodes.Item(0).Field("routes").Item(0).Field("when"), "/agents/0/nodes/0/routes/0/when"},
		"agents[triage].nodes[1]":                       {nodes.Item(1), "/agents/0/nodes/1"},
		"agents[1].name":                                {agents.Item(1).Field("name"), "/agents/1/name"},
		"agents[triage].labels.plain":                   {labels.Entry("plain"), "/agents/0/labels/plain"},
		`agents[triage].labels["a.b/c~d"]`:              {labels.Entry("a.b/c~d"), "/agents/0/labels/a.b~1c~0d"},
		"agents[7]":                                     {agents.Item(7), "/agents/7"},
	}
	for path, tt := range tests {
		if got := tt.p.Path(); got != path {
			t.Errorf("path %q, want %q", got, path)
		}
		if got := tt.p.Pointer(); got != tt.pointer {
			t.Errorf("%s: pointer %q, want %q", path, got, tt.pointer)
		}
		if found := root.Find(path); tt.p.Exists() && found.Pointer() != tt.pointer {
			t.Errorf("Find(%q) leads to %q", path, found.Pointer())
		}
	}
	if got := root.Find("agents[triage].nodes[gone].type").Path(); got != "agents[triage].nodes" {
		t.Errorf("what is missing is looked for at %q", got)
	}
}

func TestUnplaced(t *testing.T) {
	f, found := source.ParseUnplaced([]byte(`{"a": {"b": 1, "b": 2}}`))
	if len(found) != 1 || !found[0].IsZero() || found[0].Path != "a" {
		t.Errorf("findings: %+v", found)
	}
	p := f.Root().Field("a").Field("b")
	if !p.Pos().IsZero() || p.Where() != "a.b" {
		t.Errorf("position %+v, where %q", p.Pos(), p.Where())
	}
}
