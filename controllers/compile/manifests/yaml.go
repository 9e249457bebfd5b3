package manifests

import (
	"strings"

	"sigs.k8s.io/yaml"
)

// yaml reads a file of YAML documents, as kubectl does.
func (r *reading) yaml(path string, text []byte) {
	for _, d := range r.split(path, string(text)) {
		data, err := yaml.YAMLToJSONStrict([]byte(d.text))
		if err != nil {
			r.wrongf(d.at, "%v", err)
			continue
		}
		r.json(d.at, data)
	}
}

// document is the text of one YAML document, behind as many empty lines as there are lines before it: so the parser
// counts lines as the file does.
type document struct {
	at   place
	text string
}

// split parts a file at the lines that part documents. The parser itself would read the first document and keep silent
// about the rest.
func (r *reading) split(path, text string) []document {
	var all []document
	var lines []string
	before, start := 0, 0 // lines before these, and the first line with content, 0 until there is one
	end := func() {
		if start > 0 {
			padding := strings.Repeat("\n", before)
			all = append(all, document{place{path, start}, padding + strings.Join(lines, "\n") + "\n"})
		}
		lines, start = nil, 0
	}
	for i, line := range strings.Split(text, "\n") {
		rest, marker := cutMarker(line)
		if marker {
			if rest != "" && rest[0] != '#' {
				r.wrongf(place{path, i + 1}, "begin a document on the line after its ---")
			}
			end()
			before = i + 1
			continue
		}
		if content := strings.TrimSpace(line); start == 0 && content != "" && content[0] != '#' {
			start = i + 1
		}
		lines = append(lines, line)
	}
	end()
	return all
}

// cutMarker says whether a line parts two documents, and what stands behind the marker.
func cutMarker(line string) (rest string, marker bool) {
	for _, m := range []string{"---", "..."} {
		if rest, ok := strings.CutPrefix(line, m); ok && (rest == "" || strings.ContainsRune(" \t\r", rune(rest[0]))) {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}
