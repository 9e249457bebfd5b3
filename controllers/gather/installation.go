package gather

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// InstallationSecret is the Secret of the controller's namespace that holds the key of the installation.
const InstallationSecret = "plait-installation"

// The key of an installation: where it is in the Secret, and how many bytes it has.
const (
	installationField = "hmac-key"
	installationBytes = 32
)

// Installation is one installation of the controller, with a key of its own by which values of Secrets are told apart
// and not made known. It is safe for concurrent use.
type Installation struct {
	// Live reads from the API server and not from a cache, Writer makes the Secret if it isn't there yet.
	Live   client.Reader
	Writer client.Writer
	// Namespace is that of the controller.
	Namespace string

	mu  sync.Mutex
	key []byte
}

// Fingerprint is the HMAC-SHA-256 of the value of a Secret's key in lower-case hexadecimal digits. Where the value stands
// is part of it: equal values of two Secrets don't look equal.
func (i *Installation) Fingerprint(ctx context.Context, secret *corev1.Secret, key string) (string, error) {
	secretKey, err := i.Key(ctx)
	if err != nil {
		return "", err
	}
	return fingerprint(secretKey, []byte(secret.Namespace), []byte(secret.Name), []byte(key), secret.Data[key]), nil
}

func fingerprint(key []byte, parts ...[]byte) string {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part)))) // so that parts can't run into each other
		mac.Write(part)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// Key returns the key. The first controller of the installation makes it; of several that try at the same time one
// succeeds, and all use its key.
func (i *Installation) Key(ctx context.Context) ([]byte, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.key != nil {
		return i.key, nil
	}
	secret, err := i.find(ctx)
	if apierrors.IsNotFound(err) {
		secret, err = i.create(ctx)
	}
	if err != nil {
		return nil, err
	}
	key := secret.Data[installationField]
	if len(key) != installationBytes {
		return nil, fmt.Errorf("secret %s/%s: %s has %d bytes, expected %d; delete the Secret to have it made anew",
			i.Namespace, InstallationSecret, installationField, len(key), installationBytes)
	}
	i.key = key
	return key, nil
}

func (i *Installation) find(ctx context.Context) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	err := i.Live.Get(ctx, client.ObjectKey{Namespace: i.Namespace, Name: InstallationSecret}, secret)
	return secret, err
}

func (i *Installation) create(ctx context.Context) (*corev1.Secret, error) {
	key := make([]byte, installationBytes)
	_, _ = rand.Read(key) // it never fails
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: i.Namespace, Name: InstallationSecret},
		Data:       map[string][]byte{installationField: key},
	}
	// Waiting for the write to show up in a cache would make a cache of Secrets.
	err := i.Writer.Create(ctx, secret, client.DisableReadYourWritesConsistency)
	if apierrors.IsAlreadyExists(err) { // another replica was faster
		return i.find(ctx)
	}
	return secret, err
}
