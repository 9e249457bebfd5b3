package objects

import (
	"maps"
	"slices"
	"strings"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// The kinds that are looked into here.
const (
	kindConfigMap     = "ConfigMap"
	kindAgentTemplate = "AgentTemplate"
	kindServer        = "RemoteMCPServer"
)

// Object is an object of a cluster in one of the files. Its names may be empty.
type Object struct {
	Group, Kind, Namespace, Name string

	At source.Place
}

// String is how sentences call the object.
func (o Object) String() string { return o.Kind + " " + o.Name }

// Label tells the object from those of other namespaces.
func (o Object) Label() string {
	if o.Namespace == "" {
		return o.String()
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// Ours says whether the object is one of plait.dev.
func (o Object) Ours() bool { return o.Group == v1alpha1.Group }

// Of returns the objects that a value of a file is, or lists; none if it is something else.
func Of(p source.Place) []Object {
	return ofType(p, p.Field("apiVersion").Node().Text(), p.Field("kind").Node().Text())
}

// kinds are the kinds that revisions are made of, by API group.
func kinds(group string) []string {
	switch group {
	case v1alpha1.Group:
		return []string{"AgentTemplate", "Harness", "ModelConfig", "RemoteMCPServer"}
	case "":
		return []string{"ConfigMap", "Secret", "Service"}
	}
	return nil
}

func ofType(p source.Place, apiVersion, kind string) []Object {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = ""
	}
	if slices.Contains(kinds(group), kind) {
		meta := p.Field("metadata")
		return []Object{{group, kind, meta.Field("namespace").Node().Text(), meta.Field("name").Node().Text(), p}}
	}
	single, isList := strings.CutSuffix(kind, "List")
	if !isList {
		return nil
	}
	var all []Object
	for _, item := range p.Field("items").Items() {
		if own := item.Field("kind").Node(); own != nil {
			all = append(all, ofType(item, item.Field("apiVersion").Node().Text(), own.Text())...)
		} else if single != "" {
			all = append(all, ofType(item, apiVersion, single)...)
		}
	}
	return all
}

// namespaces are those that objects name, sorted; one without a name when there are none.
func namespaces(objects []Object) []string {
	names := map[string]bool{}
	for _, o := range objects {
		names[o.Namespace] = true
	}
	if len(names) > 1 {
		delete(names, "")
	}
	return slices.Sorted(maps.Keys(names))
}
