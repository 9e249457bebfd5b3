package wires_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// Credentials of a store reach every wire, each as what it is: a bearer token doesn't become a key. One that is refused is
// renewed, and the request made again.
func TestACredentialStoreReachesEveryWire(t *testing.T) {
	keys := map[string]string{"anthropic": "X-Api-Key", "google": "X-Goog-Api-Key"}
	for _, name := range wires.Names() {
		for _, bearer := range []bool{true, false} {
			var seen []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent := r.Header.Get("Authorization")
				if keyHeader := keys[name]; keyHeader != "" {
					sent += r.Header.Get(keyHeader)
				}
				seen = append(seen, sent)
				w.WriteHeader(http.StatusUnauthorized)
			}))
			credential := provider.APIKey
			if bearer {
				credential = provider.BearerToken
			}
			store := provider.NewCredentialStore(provider.StoreOptions{})
			store.Set("me", provider.Token{Credential: credential("old")})
			creds := store.Credentials("me", func(context.Context, provider.Token) (provider.Token, error) {
				return provider.Token{Credential: credential("new")}, nil
			})
			m, err := wires.New(name, wires.Options{Options: provider.Options{Model: "m", BaseURL: server.URL, Credentials: creds}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = core.Collect(m.Stream(t.Context(), &core.Request{Messages: []core.Message{core.UserMessage("hello")}}))
			prefix := "Bearer "
			if keys[name] != "" && !bearer {
				prefix = ""
			}
			if err == nil || len(seen) != 2 || seen[0] != prefix+"old" || seen[1] != prefix+"new" {
				t.Errorf("%s, bearer %v: sent %q, err %v", name, bearer, seen, err)
			}
			server.Close()
		}
	}
}
