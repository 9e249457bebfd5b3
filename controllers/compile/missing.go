package compile

import (
	"fmt"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// missingKey is a key that isn't there, or the whole object.
func missingKey(by, kind string, ref v1alpha1.KeyReference, object bool) Missing {
	m := Missing{By: by, Kind: kind, Name: ref.Name}
	if object {
		m.Key = ref.Key
	}
	return m
}

// String is a sentence without a final stop.
func (m Missing) String() string {
	if m.Key == "" {
		return fmt.Sprintf("%s: there is no %s %s", m.By, m.Kind, m.Name)
	}
	return fmt.Sprintf("%s: the %s %s has no key %s", m.By, m.Kind, m.Name, m.Key)
}
