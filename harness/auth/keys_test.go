package auth_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/harness/auth"
)

// write writes the keys of a folder, by principal.
func write(t *testing.T, dir string, keys map[string]string) {
	t.Helper()
	for name, key := range keys {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// ask returns whose request with that header it is, "" for nobody's.
func ask(k auth.Authenticator, header string) string {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	if header != "" {
		r.Header.Set("Authorization", header)
	}
	principal, ok := k.Principal(r)
	if ok != (principal != "") {
		return "ok without a principal"
	}
	return principal
}

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"ann": "key-of-ann\n", "bob": " key-of-bob ", "..note": "not a key"})
	// A mounted Secret consists of links.
	if err := os.Mkdir(filepath.Join(dir, "..2026_11_30"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "..2026_11_30"), map[string]string{"cyd": "key-of-cyd"})
	for name, target := range map[string]string{"..data": "..2026_11_30", "cyd": "..data/cyd"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	k, err := auth.OpenKeys(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]string{
		"Bearer key-of-ann":  "ann",
		"bearer key-of-bob":  "bob",
		"Bearer key-of-cyd":  "cyd",
		"Bearer  key-of-bob": "bob",
		"Bearer key-of-anna": "",
		"Bearer key-of-an":   "",
		"Bearer ":            "",
		"Bearer":             "",
		"Bearer not a key":   "",
		"Basic key-of-ann":   "",
		"key-of-ann":         "",
		"":                   "",
	} {
		if got := ask(k, header); got != want {
			t.Errorf("%q is the request of %q, want %q", header, got, want)
		}
	}
}

func TestOpenKeys_refuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		keys map[string]string
		want []string
	}{
		{"an empty folder", nil, []string{"has no key"}},
		{"an empty key", map[string]string{"ann": "\n", "bob": "key"}, []string{"the key ann in", "is empty"}},
		{"a key that no header can hold", map[string]string{"ann": "two words", "bob": "kéy"},
			[]string{"the key ann in", "the key bob in", "ASCII"}},
		{"a key that two principals have", map[string]string{"ann": "key", "bob": "key\n"}, []string{"the keys ann and bob are the same"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tc.keys)
			_, err := auth.OpenKeys(dir, nil)
			if err == nil {
				t.Fatal("it was opened")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error doesn't say %q: %v", want, err)
				}
			}
		})
	}
	if _, err := auth.OpenKeys(filepath.Join(t.TempDir(), "nowhere"), nil); err == nil {
		t.Error("a folder that isn't there was opened")
	}
}

// Keys that are added, changed and removed count soon; before, the old ones do.
func TestKeys_reload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, map[string]string{"ann": "one", "bob": "two"})
		k, err := auth.OpenKeys(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		principals := func() []string {
			var got []string
			for _, key := range []string{"one", "two", "three", "four"} {
				got = append(got, ask(k, "Bearer "+key))
			}
			return got
		}
		expect := func(when string, want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, principals()); diff != "" {
				t.Errorf("%s: %s", when, diff)
			}
		}
		expect("at first", "ann", "bob", "", "")

		write(t, dir, map[string]string{"ann": "three", "cyd": "four"})
		if err := os.Remove(filepath.Join(dir, "bob")); err != nil {
			t.Fatal(err)
		}
		expect("at once", "ann", "bob", "", "")
		time.Sleep(time.Second)
		expect("after a second", "", "", "ann", "cyd")

		write(t, dir, map[string]string{"ann": ""})
		time.Sleep(time.Second)
		expect("with a key that can't be used", "", "", "", "cyd")

		if err := os.Rename(dir, dir+".away"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		expect("while the folder is away", "", "", "", "cyd")
	})
}

func TestRequire(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"ann": "key"})
	keys, err := auth.OpenKeys(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	serve := func(a auth.Authenticator, header string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Authorization", header)
		auth.Require(a, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			principal, _ := auth.Principal(r.Context())
			_, _ = w.Write([]byte(principal))
		})).ServeHTTP(w, r)
		return w
	}
	if w := serve(keys, "Bearer key"); w.Code != http.StatusOK || w.Body.String() != "ann" {
		t.Errorf("with a key: %d %s", w.Code, w.Body)
	}
	w := serve(keys, "Bearer wrong")
	if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") == "" || !strings.Contains(w.Body.String(), "UNAUTHENTICATED") {
		t.Errorf("without a key: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := serve(auth.None{}, ""); w.Body.String() != auth.Anonymous {
		t.Errorf("where nobody says who they are: %s", w.Body)
	}
	if _, ok := auth.Principal(t.Context()); ok {
		t.Error("a context without a principal has one")
	}
}
