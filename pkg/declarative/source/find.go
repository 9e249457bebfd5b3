package source

import "strings"

// Find returns the place that a path names, see [Place.Path]; when there is no value at the end of the path, the place of
// the last step that has one.
func (p Place) Find(path string) Place {
	for _, child := range p.children() {
		rest, ok := strings.CutPrefix(path, child.Path())
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return child.Find(path)
		}
	}
	return p
}

func (p Place) children() []Place {
	if p.node.Kind() == List {
		return p.Items()
	}
	return p.Entries()
}
