package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/cmd/plait/internal/objects"
	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// input is a document, a run file, or an object of plait.dev, that a path names.
type input struct {
	file   string
	key    string // NAME/KEY of the ConfigMap that the document is in, if it is in one
	object string // KIND NAME or KIND NAMESPACE/NAME of an object of plait.dev
	run    bool   // it is a run file
	torn   bool   // it can't be read, and has the looks of an object of plait.dev

	// What the parser says of a document; the tree is nil when it can't be read.
	parsed *source.File
	found  diag.List
}

func (in input) String() string {
	if within := cmp.Or(in.key, in.object); within != "" {
		return fmt.Sprintf("%s (%s)", in.file, within)
	}
	return in.file
}

// collector finds the inputs below paths. Files are told apart by what they hold, never by their names.
type collector struct {
	streams Streams
	texts   sources
	inputs  []input
	objects []objects.Object
	again   int // how many files were named twice
}

// collect takes in what a path names: a file, - for standard input, or a folder with what is below it.
func (c *collector) collect(path string) error {
	if path == "-" {
		return c.file(path, true)
	}
	before := len(c.inputs) + len(c.objects) + c.again
	err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case file == path && !entry.IsDir():
			return c.file(file, true)
		case entry.IsDir() && file != path && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)):
			return c.file(file, false)
		}
		return nil
	})
	if err == nil && len(c.inputs)+len(c.objects)+c.again == before {
		return fmt.Errorf("%s: there is no document, run file or manifest of a cluster in this folder", path)
	}
	return err
}

// file takes in what a file holds. One that was named is a document whatever it holds, so that it is said what is wrong
// with it.
func (c *collector) file(path string, named bool) error {
	if _, twice := c.texts[path]; twice {
		if path == "-" {
			return errors.New("- stands twice among the files, and standard input can be read once")
		}
		c.again++
		return nil
	}
	data, err := readInput(c.streams.In, path)
	if err != nil {
		return err
	}
	c.texts[path] = data
	before, objectsBefore := len(c.inputs), len(c.objects)
	parts := source.ParseStream(path, data)
	for _, part := range parts {
		if part.File != nil {
			c.value(part.File.Root(), part)
		} else if named || looksLikeInput(part.Text) || objectLine.Match(part.Text) {
			c.inputs = append(c.inputs, input{file: path, found: part.Found, torn: objectLine.Match(part.Text)})
		}
	}
	bare := slices.ContainsFunc(c.inputs[before:], func(in input) bool { return in.key == "" && in.object == "" && in.parsed != nil })
	if named && len(c.inputs) == before && len(c.objects) == objectsBefore || bare && len(parts) > 1 { // the parser says that a file holds one
		c.inputs = c.inputs[:before]
		f, found := source.Parse(path, data)
		c.inputs = append(c.inputs, input{file: path, parsed: f, found: found})
	}
	return nil
}

// value takes in a document of a stream, or what a manifest holds.
func (c *collector) value(p source.Place, part source.Part) {
	in := input{file: part.File.Name(), parsed: part.File, found: part.Found}
	switch kind := p.Field("kind").Node().Text(); {
	case isDocument(p):
		c.inputs = append(c.inputs, in)
	case kind == project.Kind:
		in.run = true
		c.inputs = append(c.inputs, in)
	default:
		for _, o := range objects.Of(p) {
			c.object(o, part.Found)
		}
	}
}

// object takes in an object of a cluster, and the documents in it.
func (c *collector) object(o objects.Object, found diag.List) {
	c.objects = append(c.objects, o)
	switch {
	case o.Kind == "ConfigMap":
		c.configMap(o.At)
	case o.Ours():
		c.inputs = append(c.inputs, input{file: o.At.File(), object: o.Label(), found: found})
	}
}

func (c *collector) configMap(p source.Place) {
	name := p.Field("metadata").Field("name").Node().Text()
	for _, e := range p.Field("data").Entries() {
		if e.Node().Kind() != source.String || !looksLikeInput([]byte(e.Node().Text())) {
			continue
		}
		f, found := source.ParseWithin(e)
		if f != nil && !isDocument(f.Root()) {
			continue
		}
		c.inputs = append(c.inputs, input{file: p.File(), key: name + "/" + e.Key(), parsed: f, found: found})
	}
}

// isDocument reports whether a value says that it is a document, of whatever version.
func isDocument(p source.Place) bool {
	version, kind := p.Field("apiVersion").Node().Text(), p.Field("kind").Node().Text()
	format, _, _ := strings.Cut(declarative.APIVersion, "/")
	return kind == declarative.Kind || strings.HasPrefix(version, format+"/")
}

// The lines by which a text that can't be read says what it wants to be. The expressions are never written to.
var (
	kindLine   = regexp.MustCompile(kindOf(`AgentSystem|RunConfig`))
	objectLine = regexp.MustCompile(kindOf(`AgentTemplate|Harness|ModelConfig|RemoteMCPServer`))
)

func kindOf(kinds string) string {
	return fmt.Sprintf(`(?m)^\s*\{?\s*["']?kind["']?\s*:\s*["']?(%[1]s)\b|["']kind["']\s*:\s*["'](%[1]s)["']`, kinds)
}

func looksLikeInput(text []byte) bool {
	return kindLine.Match(text) || strings.Contains(string(text), "apiVersion: "+declarative.APIVersion)
}
