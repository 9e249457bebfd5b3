package compile

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gowebpki/jcs"
	kjson "sigs.k8s.io/json"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

// Bytes are the manifest as it is stored and hashed: JSON in the canonical form of RFC 8785.
func (m *Manifest) Bytes() ([]byte, error) { return canonicalJSON(m) }

// ReadManifest reads what [Manifest.Bytes] wrote, with the hash that names the revision. A field or version that this
// program doesn't know is an error: it would run something else than what was written. The hash is that of the text as
// it is, so that a revision keeps its name when a later program would write it in other words.
func ReadManifest(data []byte) (m *Manifest, hash string, err error) {
	m = &Manifest{}
	unknown, err := kjson.UnmarshalStrict(data, m)
	if err = errors.Join(append([]error{err}, unknown...)...); err != nil {
		return nil, "", fmt.Errorf("manifest of a revision: %w", err)
	}
	if m.Version != ManifestVersion {
		return nil, "", fmt.Errorf("manifest of a revision: its version is %q; this program reads %q", m.Version, ManifestVersion)
	}
	canonical, err := jcs.Transform(data)
	if err != nil {
		return nil, "", fmt.Errorf("manifest of a revision: %w", err)
	}
	return m, adkconfigv1.Digest(canonical), nil
}

// canonicalJSON writes a value in the form of RFC 8785.
func canonicalJSON(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jcs.Transform(data)
}

// digestOf is the hash of a value's canonical form.
func digestOf(v any) (string, error) {
	data, err := canonicalJSON(v)
	return adkconfigv1.Digest(data), err
}
