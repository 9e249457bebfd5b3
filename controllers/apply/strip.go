package apply

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// patience is how long nothing has to come back that was taken out. Who puts it back sooner is a program that would do so for
// ever, and each time pods would be replaced.
const patience = time.Minute

// strip takes out of the pods of a Deployment what somebody else has put there: a variable, a volume, a container, a label.
// A revision is everything that decides how they behave, and server-side apply leaves alone what it doesn't own.
//
// What admission adds to what is written here stays: it is nobody's, and would come back. So does what a program puts back at
// once. Annotations stay, too: kubectl restarts pods with one.
func (a *Applier) strip(ctx context.Context, have, want client.Object) (client.Object, error) {
	d, ok := have.(*appsv1.Deployment)
	if !ok {
		return have, nil
	}
	added, err := additions(d.ManagedFields)
	if err != nil || !lastStrip(d).allows(added) {
		return have, err
	}
	data, err := stripPatch(d, want.(*appsv1.Deployment), added)
	if err != nil {
		return nil, err
	}
	stripped := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace, Name: d.Name}}
	err = a.Client.Patch(ctx, stripped, client.RawPatch(types.JSONPatchType, data), client.FieldOwner(FieldOwner))
	if apierrors.IsConflict(err) { // the cache is behind, and what it hears next leads back here
		return have, nil
	}
	return stripped, err
}

// stripPatch puts the pods that are wanted in the place of those that there are, and notes whose additions are lost.
func stripPatch(have, want *appsv1.Deployment, added []addition) ([]byte, error) {
	note := stripNote{Generation: have.Generation}
	for _, a := range added {
		note.Managers = append(note.Managers, a.manager)
	}
	text, err := json.Marshal(note)
	if err != nil {
		return nil, err
	}
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	pod := want.Spec.Template
	return json.Marshal([]operation{
		{"replace", "/metadata/resourceVersion", have.ResourceVersion},
		{"add", "/metadata/annotations/" + strings.ReplaceAll(AnnotationStripped, "/", "~1"), string(text)},
		{"replace", "/spec/template/metadata/labels", pod.Labels},
		{"replace", "/spec/template/spec", pod.Spec},
	})
}

// stripNote is the value of [AnnotationStripped].
type stripNote struct {
	// Generation is that of the Deployment that had the additions, so that no two notes are the same.
	Generation int64 `json:"generation"`
	// Managers are those who lost them, by their names as field managers.
	Managers []string `json:"managers"`

	// at is when it was written, by the clock of the API server.
	at time.Time
}

// lastStrip is the note of the last time that a Deployment was stripped; an empty one for never.
func lastStrip(d *appsv1.Deployment) stripNote {
	var note stripNote
	if json.Unmarshal([]byte(d.Annotations[AnnotationStripped]), &note) != nil { // somebody has written something else
		return stripNote{}
	}
	for _, entry := range d.ManagedFields { // the note is all that isn't written by an apply
		if entry.Manager == FieldOwner && entry.Operation == metav1.ManagedFieldsOperationUpdate && entry.Time != nil {
			note.at = entry.Time.Time
		}
	}
	return note
}

// allows says whether one of the additions may be taken out: it isn't that of a program that puts it back.
func (n stripNote) allows(added []addition) bool {
	return slices.ContainsFunc(added, func(a addition) bool {
		return !slices.Contains(n.Managers, a.manager) || a.at.Sub(n.at) >= patience
	})
}
