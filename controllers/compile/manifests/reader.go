package manifests

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// ReaderOptions say how objects are made up for that aren't in the files.
type ReaderOptions struct {
	// AssumeSecrets takes Secrets that aren't in the files for empty ones that have every key. On a laptop keys come from
	// elsewhere and don't stand in files.
	AssumeSecrets bool
}

// Reader reads the objects of the set for the compiler. Services are unknown if the files have none.
func (s *Set) Reader(opts ReaderOptions) compile.Reader { return reader{s, opts} }

type reader struct {
	set  *Set
	opts ReaderOptions
}

func (r reader) ModelConfig(_ context.Context, name string) (*v1alpha1.ModelConfig, error) {
	return r.set.models[name], nil
}

func (r reader) Servers(context.Context) (map[string]*v1alpha1.RemoteMCPServer, error) {
	return maps.Clone(r.set.servers), nil
}

func (r reader) Services(context.Context) ([]string, error) {
	return slices.Sorted(maps.Keys(r.set.services)), nil
}

func (r reader) Text(_ context.Context, ref v1alpha1.KeyReference) (text compile.Text, object, ok bool, err error) {
	cm := r.set.configMaps[ref.Name]
	if cm == nil {
		return compile.Text{}, false, false, nil
	}
	if _, binary := cm.BinaryData[ref.Key]; binary {
		return compile.Text{}, true, false, fmt.Errorf("ConfigMap %s: the key %s is binary; it must be text", ref.Name, ref.Key)
	}
	value, ok := cm.Data[ref.Key]
	return compile.Text{Text: value, UID: cm.UID}, true, ok, nil
}

func (r reader) Secret(_ context.Context, ref v1alpha1.KeyReference) (secret compile.Secret, object, ok bool, err error) {
	s := r.set.secrets[ref.Name]
	if s == nil {
		return compile.Secret{HMAC: hmacOf(nil)}, r.opts.AssumeSecrets, r.opts.AssumeSecrets, nil
	}
	value, ok := s.Data[ref.Key]
	if text, plain := s.StringData[ref.Key]; plain {
		value, ok = []byte(text), true
	}
	return compile.Secret{HMAC: hmacOf(value), UID: s.UID}, true, ok, nil
}

func (r reader) HasSecret(_ context.Context, name string) (bool, error) {
	return r.opts.AssumeSecrets || r.set.secrets[name] != nil, nil
}

// hmacOf stands for a secret. Its key is empty, because what is compiled of files stays with the person who has them: the
// key of an installation protects revisions that others can read.
func hmacOf(value []byte) string {
	h := hmac.New(sha256.New, nil)
	h.Write(value)
	return hex.EncodeToString(h.Sum(nil))
}
