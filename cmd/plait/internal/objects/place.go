package objects

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/source"
)

// pathStep matches a step of a path into an object: a field, or the index or name of an item. It is never written to.
var pathStep = regexp.MustCompile(`([A-Za-z][A-Za-z0-9]*)|\[([^\]]*)\]`)

// follow returns the place that a path such as spec.models[fast].modelConfig leads to; when there is nothing at its end,
// the place of the last step that there is.
func follow(p source.Place, path string) source.Place {
	for _, step := range pathStep.FindAllStringSubmatch(path, -1) {
		next := p.Field(step[1])
		if step[1] == "" {
			next = item(p, step[2])
		}
		if !next.Exists() {
			break
		}
		p = next
	}
	return p
}

// item is the item of a list that an index or a name stands for. A tool is called by its server.
func item(list source.Place, name string) source.Place {
	if i, err := strconv.Atoi(name); err == nil {
		return list.Item(i)
	}
	for _, it := range list.Items() {
		if it.Field("name").Node().Text() == name || it.Field("mcp").Field("server").Field("name").Node().Text() == name {
			return it
		}
	}
	return list.Item(len(list.Items()))
}

// place is where a path leads to in an object; the object's name when it leads nowhere.
func (o Object) place(path string) source.Place {
	if key, ok := strings.CutPrefix(path, "data["); ok && o.Kind == kindConfigMap {
		return o.At.Field("data").Entry(strings.TrimSuffix(key, "]"))
	}
	if at := follow(o.At, path); at.Path() != o.At.Path() {
		return at
	}
	return follow(o.At, "metadata.name")
}

// sentence is what the compiler says about an object, cut into its parts.
type sentence struct{ object, path, message string }

// The form of sentences about objects and about keys of ConfigMaps. The expressions are never written to.
var (
	aboutObject = regexp.MustCompile(`(?s)^([A-Z][A-Za-z]+ [a-z0-9][a-z0-9.-]*): (?:((?:spec|metadata)[][\w.-]*): )?(.*)$`)
	aboutKey    = regexp.MustCompile(`(?s)^configmap/([a-z0-9.-]+)/([\w.-]+)(?:: (.*))?$`)
)

// cutSentence finds out what a sentence is about; one about nothing in the files is all message.
func cutSentence(text string) sentence {
	if m := aboutObject.FindStringSubmatch(text); m != nil {
		return sentence{m[1], m[2], m[3]}
	}
	if m := aboutKey.FindStringSubmatch(text); m != nil {
		return sentence{"ConfigMap " + m[1], fmt.Sprintf("data[%s]", m[2]), m[3]}
	}
	return sentence{message: text}
}

// where is the path of the sentence as findings have it.
func (s sentence) where() string {
	kind, name, ok := strings.Cut(s.object, " ")
	switch {
	case !ok:
		return ""
	case s.path == "":
		return fmt.Sprintf("%s[%s]", kind, name)
	}
	return fmt.Sprintf("%s[%s].%s", kind, name, s.path)
}
