package oauth_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/oauth"
)

// issuer answers requests for tokens, and tells what it was sent.
func issuer(t *testing.T, status int, body string) (address string, sent func() string) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form, _ := io.ReadAll(r.Body)
		got = string(form)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() string { return got }
}

func TestRefreshTokens(t *testing.T) {
	for _, c := range []struct{ body, renew string }{
		{`{"access_token":"new","token_type":"Bearer","expires_in":3600,"refresh_token":"second"}`, "second"},
		{`{"access_token":"new","token_type":"Bearer","expires_in":3600}`, "first"},
	} {
		url, sent := issuer(t, 200, c.body)
		refresh := oauth.RefreshToken(oauth2.Config{ClientID: "plait", Endpoint: oauth2.Endpoint{TokenURL: url}}, http.DefaultClient)
		got, err := refresh(t.Context(), provider.Token{Renew: provider.APIKey("first")})
		if err != nil || got.Secret() != "new" || got.Renew.Secret() != c.renew || time.Until(got.Expiry).Round(time.Minute) != time.Hour {
			t.Errorf("token %q, renewed with %q until %s, err %v", got.Secret(), got.Renew.Secret(), got.Expiry, err)
		}
		if !strings.Contains(sent(), "refresh_token=first") {
			t.Errorf("sent %s", sent())
		}
	}
}

func TestClientCredentials(t *testing.T) {
	url, sent := issuer(t, 200, `{"access_token":"new","token_type":"Bearer"}`)
	refresh := oauth.ClientCredentials(clientcredentials.Config{ClientID: "plait", ClientSecret: "s", TokenURL: url}, nil)
	got, err := refresh(t.Context(), provider.Token{})
	if err != nil || got.Secret() != "new" || got.Renew.Secret() != "" || !got.Expiry.IsZero() || !strings.Contains(sent(), "client_credentials") {
		t.Errorf("token %q until %s, sent %s, err %v", got.Secret(), got.Expiry, sent(), err)
	}
}

// What went wrong is told without the tokens that the server repeats.
func TestRefusals(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":"invalid_grant","error_description":"sk-refresh is revoked"}`: "invalid_grant",
		`sk-refresh is unknown`: "400 Bad Request",
	} {
		url, _ := issuer(t, 400, body)
		refresh := oauth.RefreshToken(oauth2.Config{Endpoint: oauth2.Endpoint{TokenURL: url}}, nil)
		_, err := refresh(t.Context(), provider.Token{Renew: provider.APIKey("sk-refresh")})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sk-refresh") {
			t.Errorf("err %v, want %s", err, want)
		}
	}
	if _, err := oauth.RefreshToken(oauth2.Config{}, nil)(t.Context(), provider.Token{}); err == nil || !strings.Contains(err.Error(), "logged in again") {
		t.Errorf("without a refresh token: %v", err)
	}
}
