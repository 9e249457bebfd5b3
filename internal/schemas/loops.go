package schemas

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxApplied is how many schemas may be applied to one value: far more than schemas that people write need.
const maxApplied = 100_000

// terminates checks that a schema, and each of its parts, is done with a value after so many steps. Steps that go into the
// value, such as from a map to one of its keys, end with the value itself.
func terminates(schema any) error {
	w := &walk{places: map[string]place{}, resources: map[string]string{}, anchors: map[string][]string{}, applied: map[string]int{}}
	w.collect(schema, "", &url.URL{})
	for _, path := range slices.Sorted(maps.Keys(w.places)) {
		if path == "" || w.places[path].refers() {
			if _, err := w.apply(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// place is an object within a schema, and the URI that its references are relative to.
type place struct {
	keywords map[string]any
	base     *url.URL
}

func (p place) refers() bool {
	return p.text("$ref") != "" || p.text("$dynamicRef") != ""
}

func (p place) text(keyword string) string {
	text, _ := p.keywords[keyword].(string)
	return text
}

// walk goes over the places of a schema. Their keys are JSON Pointers (RFC 6901).
type walk struct {
	places    map[string]place
	resources map[string]string   // paths by URI, of what has an $id
	anchors   map[string][]string // paths by URI with fragment, and by the bare name of dynamic ones

	applied map[string]int // schemas that are applied to a value where the one at a path is; 0 while that is being counted
	way     []string
}

// collect takes in all objects: those that are no schemas, such as the values of a default, do no harm.
func (w *walk) collect(value any, path string, base *url.URL) {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			w.collect(element, path+"/"+strconv.Itoa(i), base)
		}
	case map[string]any:
		p := place{value, base}
		w.name(&p, path)
		w.places[path] = p
		for key, element := range value {
			w.collect(element, path+"/"+escape(key), p.base)
		}
	}
}

// name notes what a place can be referred to by.
func (w *walk) name(p *place, path string) {
	if id, err := url.Parse(p.text("$id")); err == nil && id.String() != "" {
		id = p.base.ResolveReference(id)
		anchor := id.Fragment // draft-07
		if anchor == "" {
			p.base = id
		} else {
			w.anchor(id, anchor, path)
		}
	}
	if path == "" || p.text("$id") != "" {
		w.resources[withoutFragment(p.base)] = path
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name := p.text(keyword); name != "" {
			w.anchor(p.base, name, path)
		}
	}
	if name := p.text("$dynamicAnchor"); name != "" {
		w.anchors[name] = append(w.anchors[name], path)
	}
}

func (w *walk) anchor(base *url.URL, name, path string) {
	key := withoutFragment(base) + "#" + name
	w.anchors[key] = append(w.anchors[key], path)
}

// apply counts the schemas that are applied to the value to which the one at a path is applied.
func (w *walk) apply(path string) (int, error) {
	if n, known := w.applied[path]; known {
		if n == 0 {
			return 0, fmt.Errorf("it refers to itself without looking into the value: %s", w.loop(path))
		}
		return n, nil
	}
	w.applied[path] = 0
	w.way = append(w.way, path)
	total := 1
	for _, next := range w.inPlace(path) {
		n, err := w.apply(next)
		if err != nil {
			return 0, err
		}
		if total += n; total > maxApplied {
			return 0, fmt.Errorf("%s applies more than %d schemas to one value", show(path), maxApplied)
		}
	}
	w.way = w.way[:len(w.way)-1]
	w.applied[path] = total
	return total, nil
}

// loop tells the way from a path back to it.
func (w *walk) loop(path string) string {
	var text strings.Builder
	for _, p := range w.way[slices.Index(w.way, path):] {
		text.WriteString(show(p) + " → ")
	}
	return text.String() + show(path)
}

func show(path string) string { return "#" + path }

// inPlace returns the paths of the schemas that the one at a path applies to the same value.
func (w *walk) inPlace(path string) []string {
	p, ok := w.places[path]
	if !ok {
		return nil
	}
	var next []string
	for _, keyword := range []string{"not", "if", "then", "else"} {
		if _, there := p.keywords[keyword].(map[string]any); there {
			next = append(next, path+"/"+keyword)
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := p.keywords[keyword].([]any)
		for i := range list {
			next = append(next, path+"/"+keyword+"/"+strconv.Itoa(i))
		}
	}
	for _, keyword := range []string{"dependentSchemas", "dependencies"} {
		schemas, _ := p.keywords[keyword].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(schemas)) {
			next = append(next, path+"/"+keyword+"/"+escape(key))
		}
	}
	next = append(next, w.targets(p, p.text("$ref"))...)
	if dynamic := p.text("$dynamicRef"); dynamic != "" {
		next = append(next, w.targets(p, dynamic)...)
		_, name, _ := strings.Cut(dynamic, "#")
		next = append(next, w.anchors[name]...)
	}
	return next
}

// targets returns the paths that a reference may lead to: none when it leads nowhere.
func (w *walk) targets(p place, ref string) []string {
	to, err := url.Parse(ref)
	if ref == "" || err != nil {
		return nil
	}
	to = p.base.ResolveReference(to)
	resource, known := w.resources[withoutFragment(to)]
	switch {
	case to.Fragment == "" && known:
		return []string{resource}
	case strings.HasPrefix(to.Fragment, "/") && known:
		return []string{resource + to.Fragment}
	default:
		return w.anchors[withoutFragment(to)+"#"+to.Fragment]
	}
}

func withoutFragment(uri *url.URL) string {
	bare := *uri
	bare.Fragment, bare.RawFragment = "", ""
	return bare.String()
}

func escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
