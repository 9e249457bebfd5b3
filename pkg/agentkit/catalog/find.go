package catalog

import (
	"fmt"
	"slices"
	"strings"
)

// Catalog is a list of models. It is safe for concurrent use.
type Catalog struct{ entries []Entry }

// New returns a catalog of entries; of two with one name the first counts.
func New(entries ...Entry) *Catalog { return &Catalog{entries} }

// Default returns the catalog of this release.
func Default() *Catalog {
	return New(slices.Concat(anthropicModels(), openAIModels(), googleModels(), otherModels())...)
}

// Entries returns all entries. They aren't to be changed.
func (c *Catalog) Entries() []Entry { return c.entries }

// How says by what an entry was found.
type How string

// The ways, in the order in which they are tried.
const (
	Exact   How = "exact"   // by its name
	Alias   How = "alias"   // by another name of it
	Dated   How = "dated"   // the name is that of an entry with a date or a revision behind it
	Sibling How = "sibling" // the name is that of no entry, and this one is the nearest of its family
)

// Found is an entry, and how it was found. The zero Found is that of a model that nothing is known of.
type Found struct {
	Entry

	// Asked is the name that was looked for; ID is that of the entry.
	Asked string
	How   How
}

// Known reports whether anything was found.
func (f *Found) Known() bool { return f.How != "" }

// Note says in words what isn't certain about the entry; empty when it is that of the model itself.
func (f *Found) Note() string {
	if f.How != Sibling {
		return ""
	}
	return fmt.Sprintf("the model %s isn't in the catalog: what is known of %s, its nearest sibling, is taken for it", f.Asked, f.ID)
}

// Find looks for a vendor's model. Case makes no difference, and neither does the path in front of a name, such as models/.
func (c *Catalog) Find(vendor, id string) Found {
	name := strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	for _, by := range []struct {
		how How
		is  func(*Entry) bool
	}{
		{Exact, func(e *Entry) bool { return e.ID == name }},
		{Alias, func(e *Entry) bool { return slices.Contains(e.Aliases, name) }},
		{Dated, func(e *Entry) bool { return dated(name, e.ID) }},
	} {
		for i := range c.entries {
			if e := &c.entries[i]; e.Vendor == vendor && by.is(e) {
				return Found{Entry: *e, Asked: id, How: by.how}
			}
		}
	}
	if e := c.sibling(vendor, name); e != nil {
		return Found{Entry: *e, Asked: id, How: Sibling}
	}
	return Found{}
}

// sibling returns the nearest entry of the same family, which is the words of its name: the newest that isn't newer. What a
// newer one can do is no guess at what an older one could. Without a version in the name there is no telling.
func (c *Catalog) sibling(vendor, name string) (nearest *Entry) {
	asked := parse(name)
	if asked.version == nil {
		return nil
	}
	var found version
	for i := range c.entries {
		e := &c.entries[i]
		v := parse(e.ID)
		if e.Vendor == vendor && v.family == asked.family && v.compare(asked.version) < 0 && v.compare(found) > 0 {
			nearest, found = e, v.version
		}
	}
	return nearest
}
