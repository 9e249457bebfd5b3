package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// File is what one SDK made of one scenario.
type File struct {
	Provenance Provenance `json:"provenance"`
	Request    Request    `json:"request"`
	Answer     Answer     `json:"answer"`
	Damage     []Damage   `json:"damage"`
}

// Provenance says what the file was made with and from.
type Provenance struct {
	Module   string `json:"module"`
	Version  string `json:"version"` // as the program was built
	Scenario string `json:"scenario"`
	Stream   string `json:"stream"`
}

// Request is what was sent.
type Request struct {
	Method string            `json:"method"`
	Path   string            `json:"path"` // and query
	Header map[string]string `json:"header"`
	Body   string            `json:"body"` // its very bytes
}

// Path is the place of a file below a directory.
func Path(dir, vendor, scenario string) string { return filepath.Join(dir, vendor, scenario+".json") }

// Read reads a file.
func Read(dir, vendor, scenario string) (File, error) {
	var f File
	data, err := os.ReadFile(Path(dir, vendor, scenario))
	if err != nil {
		return f, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return f, fmt.Errorf("%s: %w", Path(dir, vendor, scenario), err)
	}
	return f, nil
}

// Write writes a file.
func Write(dir, vendor, scenario string, f File) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return err
	}
	path := Path(dir, vendor, scenario)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}
