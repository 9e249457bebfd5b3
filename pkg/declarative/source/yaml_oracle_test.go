package source_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/plait-dev/plait/internal/cputime"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// tree is a document as both parsers can say it: text for scalars, []any for lists, []any of pairs for maps.
type pair struct{ Key, Value any }

func ours(p source.Place) any {
	switch p.Node().Kind() {
	case source.List:
		list := []any{}
		for _, item := range p.Items() {
			list = append(list, ours(item))
		}
		return list
	case source.Map:
		pairs := []pair{}
		for _, e := range p.Entries() {
			pairs = append(pairs, pair{e.Key(), ours(e)})
		}
		return pairs
	default:
		return p.Node().Text()
	}
}

func theirs(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return theirs(n.Content[0])
	case yaml.AliasNode:
		return theirs(n.Alias)
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, theirs(c))
		}
		return list
	case yaml.MappingNode:
		pairs := []pair{}
		for i := 0; i < len(n.Content); i += 2 {
			pairs = append(pairs, pair{theirs(n.Content[i]), theirs(n.Content[i+1])})
		}
		return pairs
	default:
		return n.Value
	}
}

// different finds what the two parsers read differently on purpose: merge keys (resolved here), line breaks of YAML 1.1,
// and within brackets question marks and colons before brackets, which YAML 1.2 reads in its own way.
var different = regexp.MustCompile("<<|[?\u0085\u2028\u2029\ufeff]|:[,\\[\\]{}]")

// parseTheirs reads one document, and fails when there are more.
func parseTheirs(text []byte) (any, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var n, second yaml.Node
	if err := d.Decode(&n); err != nil {
		return nil, err
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	return theirs(&n), nil
}

var yamlCases = map[string]string{
	"flat map":                 "a: 1\nb: two\nc: \"three\"\nd: 'four'\n",
	"nested":                   "a:\n  b:\n    c: 1\n  d: 2\ne: 3\n",
	"list of maps":             "- a: 1\n  b: 2\n-   a: 3\n    b: 4\n-\n  a: 5\n",
	"list in list":             "- - 1\n  - 2\n-   - 3\n- - - 4\n",
	"list at the key's column": "a:\n- 1\n- 2\nb:\n  - 3\n",
	"holes":                    "a:\nb:\n  c:\nd:\n-\n- 1\n-\n",
	"comments":                 "# one\na: 1 # two\n\n  # three\nb: # four\n  c: 1\n# five\n",
	"comment in a list":        "a:\n  - 1\n  # between\n  - 2\n# end\n",
	"no final break":           "a: b",
	"CRLF":                     "a: 1\r\nb:\r\n  - c\r\n  - |\r\n    x\r\n    y\r\n",
	"plain over lines":         "a: one\n  two\n\n  three\nb: four\n",
	"plain over lines, root":   "one\ntwo\n\nthree\n",
	"plain with dash below":    "a: one\n  - two\n",
	"plain with punctuation":   "a: x#y\nb: -1\nc: a:b\nd: http://x.y/z?q=1\ne: a - b, c [d] {e}\n",
	"single quotes":            "a: 'it''s'\nb: 'x\n  y\n\n  z'\nc: ''\n",
	"double quotes":            "a: \"x\\ty\\n\\x41\\u00e9\\U0001F600\"\nb: \"x\n  y\n\n  z\"\nc: \"x\\\n   y\"\nd: \"\"\n",
	"double quotes, blanks":    "a: \"  x  \"\nb: \"x  \n   y\"\nc: \"x \\\n   \\  y\"\n",
	"literal":                  "a: |\n  x\n   y\n\n  z\n\nb: |-\n  x\n\nc: |+\n  x\n\nd: 1\n",
	"literal with indicator":   "a: |2\n   x\n  y\nb:\n  - |1\n    z\n",
	"literal, empty":           "a: |\nb: |+\n\nc: >-\n\nd: 1\n",
	"folded":                   "a: >\n  one\n  two\n\n  three\n    four\n    five\n  six\n\n\n  seven\nb: >-\n  x\n  y\n",
	"folded, more blanks":      "a: >\n\n  one\n\n   two\n\n  three\n",
	"block scalar in a list":   "- |\n x\n- >\n  y\n  z\n-\n  |\n  w\n",
	"flow":                     "a: {b: 1, c: [x, 'y', \"z\"], d: {}, e: []}\nf: [ {g: 1}, {h: 2}, ]\n",
	"flow over lines":          "a: {\n  b: 1, # c\n  c:\n    [x,\n     y\n  ]\n}\nd: [\n  e\n]\n",
	"flow, plain over lines":   "a: [x\n  y, z]\n",
	"flow, pairs":              "a: [b: 1, \"c\": 2, d]\n",
	"flow, holes":              "a: {b, c: , \"d\"}\n",
	"flow, no space":           "a: {\"b\":1,\"c\":[2]}\ne: {b:1}\n",
	"anchors":                  "a: &x 1\nb: *x\nc: &y {d: *x}\ne: [*y, *x]\n",
	"anchor on a block":        "a: &x\n  b: 1\nc: *x\nd: &y\n- 1\ne: *y\n",
	"anchor on a key":          "&x a: b\nc: *x\n",
	"anchor on a hole":         "a: &x\nb: *x\n",
	"anchor on a literal":      "a: &x |\n  text\nb: *x\n",
	"alias as a key":           "a: &x b\n*x : c\n",
	"tags":                     "a: !!str 1\nb: !!int \"2\"\nc: !!map {d: 1}\ne: !!seq\n- 1\n",
	"tag and anchor":           "a: !!str &x 1\nb: &y !!str 2\nc: *x\n",
	"document markers":         "---\na: 1\n...\n",
	"text on the marker":       "--- [1, 2]\n",
	"directive":                "%YAML 1.1\n---\na: 1\n",
	"JSON":                     "{\"a\": [1, true, null, \"x\\ty\"], \"b\": {\"c\": -1.5e3}}",
	"keys with blanks":         "a b : 1\n\"c d\": 2\n'e': 3\n",
	"wide":                     "ключ: значение\n列: [表, \"字\"]\n",
	"dashes in text":           "a: --- b\nb: '---'\n",
	"tabs after values":        "a: 1\t\nb:\t2\t# c\n",
	"blank lines with blanks":  "a: 1\n   \nb:\n  \n  c: 1\n",
	"blank first lines":        "\n\n  \na: 1\n",
}

func TestYAMLMeansWhatTheLibraryReads(t *testing.T) {
	for name, text := range yamlCases {
		t.Run(name, func(t *testing.T) {
			want, err := parseTheirs([]byte(text))
			if err != nil {
				t.Fatalf("the library refuses the case: %v", err)
			}
			f, found := source.Parse("x.yaml", []byte(text))
			if len(found) > 0 {
				t.Fatalf("findings: %v", found)
			}
			if diff := cmp.Diff(want, ours(f.Root())); diff != "" {
				t.Errorf("library -, ours +\n%s", diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range yamlCases {
		f.Add([]byte(text))
		f.Add([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var file *source.File
		var found diag.List
		took, failed := cputime.Of(func() { file, found = source.Parse("x.yaml", text) })
		if failed != nil || took > time.Second {
			t.Fatalf("%d bytes took %v of work, %v", len(text), took, failed)
		}
		checkPositions(t, text, found)
		if file == nil {
			if !found.HasErrors() {
				t.Fatal("no tree and nothing said about it")
			}
			return
		}
		checkPlaces(t, text, file.Root())
		want, err := parseTheirs(text)
		if err != nil || len(found) > 0 || different.Match(text) {
			return
		}
		if diff := cmp.Diff(want, ours(file.Root())); diff != "" {
			t.Errorf("library -, ours +\n%s", diff)
		}
	})
}

// checkPositions fails on a finding that lies outside of the file.
func checkPositions(t *testing.T, text []byte, found diag.List) {
	t.Helper()
	for _, d := range found {
		checkPos(t, text, d.Pos)
	}
}

func checkPos(t *testing.T, text []byte, pos diag.Pos) {
	t.Helper()
	if pos.IsZero() {
		return
	}
	clean := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(text), "\ufeff"))
	lines := strings.Split(clean, "\n")
	if pos.Line > len(lines) || pos.Column < 1 || pos.Column > len([]rune(lines[pos.Line-1]))+1 || pos.EndColumn <= pos.Column {
		t.Errorf("%+v lies outside of the file %q", pos, text)
	}
}

// checkPlaces walks all values and asks for the position of every character.
func checkPlaces(t *testing.T, text []byte, p source.Place) {
	t.Helper()
	checkPos(t, text, p.Pos())
	checkPos(t, text, p.KeyPos())
	for _, child := range append(p.Items(), p.Entries()...) {
		checkPlaces(t, text, child)
	}
	if k := p.Node().Kind(); k != source.List && k != source.Map {
		n := len([]rune(p.Node().Text()))
		for i := 0; i <= n; i += max(n/8, 1) {
			checkPos(t, text, p.Within(i, i+1))
		}
	}
}
