package apply

import (
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// addition says that somebody else owns fields of a Deployment's pods that aren't ours as well.
type addition struct {
	manager string
	at      time.Time // when the manager wrote last
}

// additions finds them in what the API server knows of whose the fields are. What it and its admission fill in is nobody's.
func additions(managed []metav1.ManagedFieldsEntry) ([]addition, error) {
	var ours fieldSet
	theirs := map[int]fieldSet{} // by the index of the entry
	for i, entry := range managed {
		if entry.FieldsV1 == nil {
			continue
		}
		var set fieldSet
		if err := json.Unmarshal(entry.FieldsV1.GetRawBytes(), &set); err != nil {
			return nil, err
		}
		pod := set["f:spec"]["f:template"]
		if entry.Manager != FieldOwner {
			theirs[i] = pod
		} else if entry.Operation == metav1.ManagedFieldsOperationApply {
			ours = pod
		}
	}
	var added []addition
	for i, entry := range managed {
		pod := theirs[i]
		if pod["f:spec"].exceeds(ours["f:spec"]) || pod["f:metadata"]["f:labels"].exceeds(ours["f:metadata"]["f:labels"]) {
			a := addition{manager: entry.Manager}
			if entry.Time != nil {
				a.at = entry.Time.Time
			}
			added = append(added, a)
		}
	}
	return added, nil
}

// fieldSet is a [metav1.FieldsV1]: fields and items of lists, with what is below each of them.
type fieldSet map[string]fieldSet

// exceeds says whether a set has a field that another one doesn't have.
func (s fieldSet) exceeds(other fieldSet) bool {
	for name, below := range s {
		if name == "." { // stands for the whole, which the other has if we got here
			continue
		}
		if in, has := other[name]; !has || below.exceeds(in) {
			return true
		}
	}
	return false
}
