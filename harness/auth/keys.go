package auth

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// reloadAfter is how old the keys may be when they are asked for.
const reloadAfter = time.Second

// Keys are the credentials in a folder: the name of a file is a principal, its content that principal's credential, with
// white space around it left out. Names that begin with a dot are left alone, which is what a mounted Secret is made of. The
// folder is read again while it is in use, so that a key that was added, changed or removed counts within a second or so.
type Keys struct {
	dir string
	log *slog.Logger

	loaded atomic.Pointer[keySet]
	// reading is held by the request that reads the folder; the others go on with what is loaded.
	reading sync.Mutex
}

var _ Authenticator = (*Keys)(nil)

// keySet are the keys as they were at a time.
type keySet struct {
	at   time.Time
	keys []credential
}

// credential is kept as its hash: that makes all of them equally long, so that comparing them tells nothing.
type credential struct {
	principal string
	hash      [sha256.Size]byte
}

// OpenKeys reads a folder of keys. A key that can't be used, and a folder without any, are errors, all of them in one. Once
// it is open such a key is logged and counts as absent. The logger may be nil.
func OpenKeys(dir string, log *slog.Logger) (*Keys, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	k := &Keys{dir: dir, log: log}
	keys, problems, err := readKeys(dir)
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, errors.Join(problems...)
	case len(keys) == 0:
		return nil, fmt.Errorf("the folder %s has no key: put one file into it for each principal, with its credential", dir)
	}
	k.loaded.Store(&keySet{at: time.Now(), keys: keys})
	return k, nil
}

// Principal implements [Authenticator] for the header Authorization: Bearer CREDENTIAL.
func (k *Keys) Principal(r *http.Request) (string, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	hash := sha256.Sum256([]byte(strings.TrimSpace(token)))
	var principal string
	for _, c := range k.current() {
		if subtle.ConstantTimeCompare(hash[:], c.hash[:]) == 1 {
			principal = c.principal
		}
	}
	return principal, principal != ""
}

// current returns the keys, read again if they are too old.
func (k *Keys) current() []credential {
	set := k.loaded.Load()
	if time.Since(set.at) < reloadAfter || !k.reading.TryLock() {
		return set.keys
	}
	defer k.reading.Unlock()
	return k.reload(set.keys).keys
}

func (k *Keys) reload(before []credential) *keySet {
	keys, problems, err := readKeys(k.dir)
	if err != nil {
		k.log.Error("the keys can't be read again; those that were read before count", "error", err)
		keys = before
	}
	for _, problem := range problems {
		k.log.Error("a key can't be used", "error", problem)
	}
	if !slices.Equal(keys, before) {
		k.log.Info("the keys have changed", "principals", principals(keys))
	}
	set := &keySet{at: time.Now(), keys: keys}
	k.loaded.Store(set)
	return set
}

func principals(keys []credential) []string {
	names := make([]string, len(keys))
	for i, c := range keys {
		names[i] = c.principal
	}
	return names
}

// readKeys reads the usable keys of a folder, by their names, and says what is wrong with the others.
func readKeys(dir string) (keys []credential, problems []error, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir) // links within the folder are followed, as a mounted Secret has them
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	for _, file := range files {
		if strings.HasPrefix(file.Name(), ".") {
			continue
		}
		c, err := readKey(root, file.Name())
		if err == nil {
			err = distinct(keys, c)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		keys = append(keys, c)
	}
	return keys, problems, nil
}

func readKey(root *os.Root, name string) (credential, error) {
	text, err := root.ReadFile(name)
	if err != nil {
		return credential{}, err
	}
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
		return credential{}, fmt.Errorf("the key %s in %s is empty", name, root.Name())
	case bytes.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return credential{}, fmt.Errorf("the key %s in %s can't stand in a header: it must consist of ASCII characters without spaces",
			name, root.Name())
	}
	return credential{principal: name, hash: sha256.Sum256(text)}, nil
}

// distinct refuses a key that another principal has: whose request would it be?
func distinct(keys []credential, c credential) error {
	for _, other := range keys {
		if other.hash == c.hash {
			return fmt.Errorf("the keys %s and %s are the same: each principal needs one of its own", other.principal, c.principal)
		}
	}
	return nil
}
