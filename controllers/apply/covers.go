package apply

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// covers says whether an object has everything that is wanted of it. What the API server or anybody else has added isn't
// looked at, unless it stands in a list that has one owner; see [Applier.strip].
func covers(have client.Object, want map[string]any) (bool, error) {
	fields, err := content(have)
	if err != nil {
		return false, err
	}
	fields["apiVersion"], fields["kind"] = want["apiVersion"], want["kind"] // typed objects needn't say what they are
	return containsFields(fields, want, ""), nil
}

// content is an object as it is written, without a status.
func content(obj client.Object) (map[string]any, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	delete(fields, "status")
	return fields, nil
}

// shared are the lists that server-side apply merges by keys, so that several may add to them.
func shared() []string {
	return []string{
		"metadata.ownerReferences",
		"spec.ports",
		"spec.template.spec.containers",
		"spec.template.spec.containers.env",
		"spec.template.spec.containers.ports",
		"spec.template.spec.containers.volumeMounts",
		"spec.template.spec.imagePullSecrets",
		"spec.template.spec.topologySpreadConstraints",
		"spec.template.spec.volumes",
	}
}

func contains(have, want any, path string) bool {
	switch want := want.(type) {
	case nil:
		return true
	case map[string]any:
		have, ok := have.(map[string]any)
		return ok && containsFields(have, want, path)
	case []any:
		have, ok := have.([]any)
		return ok && containsItems(have, want, path)
	default:
		return reflect.DeepEqual(have, want)
	}
}

func containsFields(have, want map[string]any, path string) bool {
	for name, value := range want {
		below := name
		if path != "" {
			below = path + "." + name
		}
		if !contains(have[name], value, below) {
			return false
		}
	}
	return true
}

func containsItems(have, want []any, path string) bool {
	if !slices.Contains(shared(), path) {
		return slices.EqualFunc(have, want, func(h, w any) bool { return contains(h, w, path) })
	}
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h any) bool { return contains(h, w, path) }) {
			return false
		}
	}
	return true
}
