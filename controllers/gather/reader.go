package gather

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// The kinds of objects that are used.
const (
	KindConfigMap       = "ConfigMap"
	KindModelConfig     = "ModelConfig"
	KindRemoteMCPServer = "RemoteMCPServer"
	KindSecret          = "Secret"
	KindService         = "Service"
)

// Source is where objects are read from.
type Source struct {
	// Cached reads the cache, Live the API server.
	Cached, Live client.Reader
	// Installation makes the HMACs of Secrets.
	Installation *Installation
	// Foreign says whether an object was made by somebody else than this controller. Services of its own aren't listed:
	// they serve agents, not tools, and each of them would otherwise concern every template.
	Foreign func(client.Object) bool
}

// Reader makes a reader for one pass over a user. It reads every ConfigMap and Secret at most once, so that all parts of
// the pass see the same.
func (s *Source) Reader(namespace string, uses *Uses) *Reader {
	return &Reader{
		source: s, namespace: namespace, uses: uses,
		configMaps: map[string]*corev1.ConfigMap{}, secrets: map[string]*corev1.Secret{},
	}
}

// Reader is the [compile.Reader] of one pass. It belongs to one goroutine.
type Reader struct {
	source     *Source
	namespace  string
	uses       *Uses
	configMaps map[string]*corev1.ConfigMap // nil: it isn't there
	secrets    map[string]*corev1.Secret
}

var _ compile.Reader = (*Reader)(nil)

// ModelConfig implements [compile.Reader].
func (r *Reader) ModelConfig(ctx context.Context, name string) (*v1alpha1.ModelConfig, error) {
	r.uses.Touch(Ref{KindModelConfig, name})
	return get(ctx, r.source.Cached, r.key(name), &v1alpha1.ModelConfig{})
}

// Servers implements [compile.Reader].
func (r *Reader) Servers(ctx context.Context) (map[string]*v1alpha1.RemoteMCPServer, error) {
	r.uses.Touch(Ref{Kind: KindRemoteMCPServer})
	var list v1alpha1.RemoteMCPServerList
	if err := r.source.Cached.List(ctx, &list, r.all()...); err != nil {
		return nil, err
	}
	servers := make(map[string]*v1alpha1.RemoteMCPServer, len(list.Items))
	for i := range list.Items {
		servers[list.Items[i].Name] = &list.Items[i]
	}
	return servers, nil
}

// Services implements [compile.Reader].
func (r *Reader) Services(ctx context.Context) ([]string, error) {
	r.uses.Touch(Ref{Kind: KindService})
	var list corev1.ServiceList
	if err := r.source.Cached.List(ctx, &list, r.all()...); err != nil {
		return nil, err
	}
	names := []string{} // nil would say that they aren't known
	for i := range list.Items {
		if r.source.Foreign(&list.Items[i]) {
			names = append(names, list.Items[i].Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Text implements [compile.Reader].
func (r *Reader) Text(ctx context.Context, ref v1alpha1.KeyReference) (text compile.Text, object, ok bool, err error) {
	cm, err := once(ctx, r, r.configMaps, Ref{KindConfigMap, ref.Name}, &corev1.ConfigMap{})
	if cm == nil || err != nil {
		return compile.Text{}, false, false, err
	}
	content, ok := cm.Data[ref.Key]
	return compile.Text{Text: content, UID: cm.UID}, true, ok, nil
}

// Secret implements [compile.Reader].
func (r *Reader) Secret(ctx context.Context, ref v1alpha1.KeyReference) (secret compile.Secret, object, ok bool, err error) {
	s, err := once(ctx, r, r.secrets, Ref{KindSecret, ref.Name}, &corev1.Secret{})
	if s == nil || err != nil {
		return compile.Secret{}, false, false, err
	}
	if _, ok := s.Data[ref.Key]; !ok {
		return compile.Secret{}, true, false, nil
	}
	mac, err := r.source.Installation.Fingerprint(ctx, s, ref.Key)
	if err != nil {
		return compile.Secret{}, true, true, err
	}
	return compile.Secret{HMAC: mac, UID: s.UID}, true, true, nil
}

// HasSecret implements [compile.Reader].
func (r *Reader) HasSecret(ctx context.Context, name string) (bool, error) {
	s, err := once(ctx, r, r.secrets, Ref{KindSecret, name}, &corev1.Secret{})
	return s != nil, err
}

// all lists the whole namespace. It doesn't wait until the cache knows of what this controller writes: nothing of that is
// looked for.
func (r *Reader) all() []client.ListOption {
	return []client.ListOption{client.InNamespace(r.namespace), client.DisableReadYourWritesConsistency}
}

func (r *Reader) key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: r.namespace, Name: name}
}

// once reads an object from the API server unless it was read before.
func once[T interface {
	comparable
	client.Object
}](ctx context.Context, r *Reader, seen map[string]T, ref Ref, into T) (T, error) {
	if found, ok := seen[ref.Name]; ok {
		return found, nil
	}
	r.uses.Touch(ref)
	found, err := get(ctx, r.source.Live, r.key(ref.Name), into)
	if err == nil {
		seen[ref.Name] = found
	}
	return found, err
}

// get reads an object; nil says that it isn't there.
func get[T client.Object](ctx context.Context, from client.Reader, key client.ObjectKey, into T) (T, error) {
	var none T
	err := from.Get(ctx, key, into)
	switch {
	case apierrors.IsNotFound(err):
		return none, nil
	case err != nil:
		return none, err
	}
	return into, nil
}
