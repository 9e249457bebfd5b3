package manifests

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// object is one object of a file.
type object struct {
	at    place
	kind  string
	value metav1.Object
}

// newObject makes an empty object of a kind, or nil for one that isn't read here.
func newObject(group, kind string) metav1.Object {
	switch group + "/" + kind {
	case v1alpha1.Group + "/AgentTemplate":
		return &v1alpha1.AgentTemplate{}
	case v1alpha1.Group + "/Harness":
		return &v1alpha1.Harness{}
	case v1alpha1.Group + "/ModelConfig":
		return &v1alpha1.ModelConfig{}
	case v1alpha1.Group + "/RemoteMCPServer":
		return &v1alpha1.RemoteMCPServer{}
	case "/ConfigMap":
		return &corev1.ConfigMap{}
	case "/Secret":
		return &corev1.Secret{}
	case "/Service":
		return &corev1.Service{}
	}
	return nil
}

// json reads one value: an object, or a list of objects, which holds no lists. Values that are none, such as a document for agents or a file
// with settings, may stand next to objects and are passed over.
func (r *reading) json(at place, data []byte) { r.value(at, data, false) }

func (r *reading) value(at place, data []byte, listed bool) {
	var head struct {
		metav1.TypeMeta

		Items []json.RawMessage `json:"items"`
	}
	if !json.Valid(data) {
		r.wrongf(at, "%v", json.Unmarshal(data, new(any)))
		return
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &head); err != nil {
		return
	}
	gv, err := schema.ParseGroupVersion(head.APIVersion)
	if err != nil || head.Kind == "" || head.APIVersion == "" {
		return
	}
	single := strings.TrimSuffix(head.Kind, "List")
	if head.Kind == "List" && gv.Group == "" || single != head.Kind && newObject(gv.Group, single) != nil {
		if listed {
			r.wrongf(at, "%s: it stands in another list", head.Kind)
			return
		}
		for _, item := range head.Items {
			r.value(at, withType(item, head.APIVersion, single), true)
		}
		return
	}
	value := newObject(gv.Group, head.Kind)
	if value == nil {
		return
	}
	if gv.Group == v1alpha1.Group && gv.Version != v1alpha1.Version {
		r.wrongf(at, "%s: its apiVersion is %s; this program reads %s", head.Kind, head.APIVersion, v1alpha1.GroupVersion())
		return
	}
	r.decode(object{at, head.Kind, value}, data, gv.Group == v1alpha1.Group)
}

// withType gives an item of a list of one kind the type that it may leave to the list.
func withType(item json.RawMessage, apiVersion, kind string) json.RawMessage {
	var fields map[string]any
	if kind == "" || kjson.UnmarshalCaseSensitivePreserveInts(item, &fields) != nil || fields["kind"] != nil || fields == nil {
		return item
	}
	fields["apiVersion"], fields["kind"] = apiVersion, kind
	typed, err := json.Marshal(fields)
	if err != nil {
		return item
	}
	return typed
}

// decode reads an object. In those of plait.dev nothing may be unknown: a field that is spelled wrong would be a setting
// that is silently not there.
func (r *reading) decode(o object, data []byte, strict bool) {
	unknown, err := kjson.UnmarshalStrict(data, o.value)
	if !strict {
		unknown = nil
	}
	name := strings.TrimSpace(o.kind + " " + o.value.GetName())
	if err = errors.Join(slices.Concat([]error{err}, unknown)...); err != nil {
		r.wrongf(o.at, "%s: %s", name, strings.ReplaceAll(err.Error(), "\n", ", "))
		return
	}
	if o.value.GetName() == "" {
		r.wrongf(o.at, "%s: it has no metadata.name", name)
		return
	}
	r.objects = append(r.objects, o)
}
