package manifests_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/compile/manifests"
)

const secrets = "apiVersion: v1\nkind: Secret\nmetadata: { name: keys, uid: s1 }\ndata: { a: YQ==, b: YQ== }\nstringData: { b: b, c: a }\n"

func reader(t *testing.T, opts manifests.ReaderOptions, files map[string]string) compile.Reader {
	t.Helper()
	set, err := manifests.Load(folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return set.Reader(opts)
}

// answer is what a read of a key says.
type answer struct {
	Text       string
	HMAC       string
	Object, OK bool
}

func key(name, key string) v1alpha1.KeyReference { return v1alpha1.KeyReference{Name: name, Key: key} }

func TestReaderOfTexts(t *testing.T) {
	r := reader(t, manifests.ReaderOptions{AssumeSecrets: true}, map[string]string{"a.yaml": prompts})
	for ref, want := range map[v1alpha1.KeyReference]answer{
		key("prompts", "answer"): {Text: "Be kind.", Object: true, OK: true},
		key("prompts", "other"):  {Object: true},
		key("other", "answer"):   {},
	} {
		text, object, ok, err := r.Text(t.Context(), ref)
		if err != nil {
			t.Errorf("%v: %v", ref, err)
		}
		if diff := cmp.Diff(want, answer{Text: text.Text, Object: object, OK: ok}); diff != "" {
			t.Errorf("%v (-want +got):\n%s", ref, diff)
		}
	}
	_, object, ok, err := r.Text(t.Context(), key("prompts", "image"))
	if !object || ok {
		t.Errorf("the ConfigMap is there: %v, the key: %v", object, ok)
	}
	if want := "ConfigMap prompts: the key image is binary; it must be text"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestReaderOfSecrets(t *testing.T) {
	const (
		hmacOfA       = "9615a95d4a336118c435b9cd54c5e8644ab956b573aa2926274a1280b6674713"
		hmacOfB       = "6303a85bb6ce539d45aac0daf7cde7a248051feb5ac86499ca4f5159e2886ea2"
		hmacOfNothing = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
	)
	for name, c := range map[string]struct {
		opts manifests.ReaderOptions
		want map[v1alpha1.KeyReference]answer
	}{
		"as they are": {manifests.ReaderOptions{}, map[v1alpha1.KeyReference]answer{
			key("keys", "a"):  {HMAC: hmacOfA, Object: true, OK: true},
			key("keys", "b"):  {HMAC: hmacOfB, Object: true, OK: true},
			key("keys", "c"):  {HMAC: hmacOfA, Object: true, OK: true},
			key("keys", "d"):  {Object: true},
			key("other", "a"): {},
		}},
		"assumed": {manifests.ReaderOptions{AssumeSecrets: true}, map[v1alpha1.KeyReference]answer{
			key("keys", "a"):  {HMAC: hmacOfA, Object: true, OK: true},
			key("keys", "d"):  {Object: true},
			key("other", "a"): {HMAC: hmacOfNothing, Object: true, OK: true},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := reader(t, c.opts, map[string]string{"a.yaml": secrets})
			for ref, want := range c.want {
				secret, object, ok, err := r.Secret(t.Context(), ref)
				if err != nil {
					t.Errorf("%v: %v", ref, err)
				}
				got := answer{Object: object, OK: ok}
				if ok {
					got.HMAC = secret.HMAC
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v (-want +got):\n%s", ref, diff)
				}
			}
			for name, want := range map[string]bool{"keys": true, "other": c.opts.AssumeSecrets} {
				if got, err := r.HasSecret(t.Context(), name); err != nil || got != want {
					t.Errorf("Secret %s is there: %v, error %v", name, got, err)
				}
			}
		})
	}
}

func TestReaderOfObjects(t *testing.T) {
	r := reader(t, manifests.ReaderOptions{}, map[string]string{"a.yaml": model + "---\n" + server})
	if m, err := r.ModelConfig(t.Context(), "haiku"); err != nil || m == nil || m.Spec.Provider != "ollama" {
		t.Errorf("ModelConfig %v, error %v", m, err)
	}
	if m, err := r.ModelConfig(t.Context(), "other"); err != nil || m != nil {
		t.Errorf("ModelConfig %v, error %v", m, err)
	}
	servers, err := r.Servers(t.Context())
	if err != nil || len(servers) != 1 || servers["crm"].Spec.URL != "http://crm" {
		t.Errorf("servers %v, error %v", servers, err)
	}
}

func TestReaderOfServices(t *testing.T) {
	const services = "apiVersion: v1\nkind: ServiceList\nitems:\n- metadata: { name: b }\n- metadata: { name: a }\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{"none: unknown": {template, nil}, "some": {services, []string{"a", "b"}}} {
		t.Run(name, func(t *testing.T) {
			got, err := reader(t, manifests.ReaderOptions{}, map[string]string{"a.yaml": c.text}).Services(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Services (-want +got):\n%s", diff)
			}
		})
	}
}
