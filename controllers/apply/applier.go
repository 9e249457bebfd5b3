package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/gather"
	"github.com/plait-dev/plait/controllers/index"
)

// Applier writes what differs. It is safe for concurrent use; two calls for one template at the same time aren't.
type Applier struct {
	// Client writes, and reads from the cache. Live reads from the API server.
	Client client.Client
	Live   client.Reader
}

// Apply brings objects to the state that is wanted of them, takes out of pods what somebody else has added to them, and
// returns the objects as they are then. Either all of them are free
// or ours, or nothing is written and the error is a [TakenError]. Each is noted in uses, so that a change by anybody else
// leads back here.
func (a *Applier) Apply(ctx context.Context, uses *gather.Uses, wanted []client.Object) ([]client.Object, error) {
	found := make([]client.Object, len(wanted))
	for i, want := range wanted {
		uses.Touch(gather.Ref{Kind: kindOf(want), Name: want.GetName()})
		have, err := a.find(ctx, want, empty(want))
		if err != nil {
			return nil, err
		}
		found[i] = have
	}
	for i, want := range wanted {
		have, err := a.apply(ctx, found[i], want)
		if err != nil {
			return nil, err
		}
		if found[i], err = a.strip(ctx, have, want); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Deployment is that of a template on a harness, from the cache; nil if there is none, or it is somebody else's.
func (a *Applier) Deployment(
	ctx context.Context, uses *gather.Uses, t *v1alpha1.AgentTemplate, harness string,
) (*appsv1.Deployment, error) {
	want := &appsv1.Deployment{
		TypeMeta: typeMeta(appsv1.SchemeGroupVersion.String(), "Deployment"), ObjectMeta: meta(t, harness, Name(t.Name, harness)),
	}
	uses.Touch(gather.Ref{Kind: kindOf(want), Name: want.Name})
	have := &appsv1.Deployment{}
	err := a.Client.Get(ctx, client.ObjectKeyFromObject(want), have)
	if err != nil || taken(have, want) != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return have, nil
}

// Store writes the ConfigMap of a revision if it isn't there, and says whether it was written. One that is there is never
// written again: it can't change, and what was noted of its inputs the first time holds.
func (a *Applier) Store(ctx context.Context, uses *gather.Uses, want *corev1.ConfigMap) (created bool, err error) {
	uses.Touch(gather.Ref{Kind: kindOf(want), Name: want.Name})
	have, err := a.find(ctx, want, index.ConfigMapMetadata())
	if have != nil || err != nil {
		return false, err
	}
	data, err := json.Marshal(want)
	if err != nil {
		return false, err
	}
	// It is written as metadata because that is what the cache holds and waits for.
	written := index.ConfigMapMetadata()
	written.Namespace, written.Name = want.Namespace, want.Name
	return true, a.patch(ctx, written, data)
}

// find reads an object into an empty one. Nil says that the name is free. The cache doesn't know what came into being a
// moment ago, so that before a first writing the API server is asked.
func (a *Applier) find(ctx context.Context, want, into client.Object) (client.Object, error) {
	err := a.Client.Get(ctx, client.ObjectKeyFromObject(want), into)
	if apierrors.IsNotFound(err) {
		err = a.Live.Get(ctx, client.ObjectKeyFromObject(want), into)
	}
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if owned := taken(into, want); owned != nil {
		return nil, owned
	}
	return into, nil
}

// apply writes one object unless it has everything already.
func (a *Applier) apply(ctx context.Context, have, want client.Object) (client.Object, error) {
	if err := stamp(want); err != nil {
		return nil, err
	}
	fields, err := content(want)
	if err != nil {
		return nil, err
	}
	if have != nil {
		if same, err := covers(have, fields); err != nil || same {
			return have, err
		}
		fields["metadata"].(map[string]any)["uid"] = string(have.GetUID()) // and no other of that name
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	written := empty(want)
	written.SetNamespace(want.GetNamespace())
	written.SetName(want.GetName())
	return written, a.patch(ctx, written, data)
}

// stamp annotates an object with the hash of what is wanted, by which a field shows up that isn't wanted any more.
func stamp(want client.Object) error {
	data, err := json.Marshal(want)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	annotations := map[string]string{AnnotationApplied: hex.EncodeToString(sum[:])}
	maps.Copy(annotations, want.GetAnnotations())
	want.SetAnnotations(annotations)
	return nil
}

// patch applies data on the server's side and reads the answer into obj.
func (a *Applier) patch(ctx context.Context, obj client.Object, data []byte) error {
	return a.Client.Patch(ctx, obj, client.RawPatch(types.ApplyPatchType, data), client.FieldOwner(FieldOwner), client.ForceOwnership)
}

// empty is an empty object of the same type.
func empty(obj client.Object) client.Object {
	return reflect.New(reflect.TypeOf(obj).Elem()).Interface().(client.Object)
}

func kindOf(obj client.Object) string { return obj.GetObjectKind().GroupVersionKind().Kind }
