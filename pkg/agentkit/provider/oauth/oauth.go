// Package oauth gets tokens for models by OAuth 2.0, for a [provider.CredentialStore]. The protocol is golang.org/x/oauth2's; when
// a token is got, and how often, is the store's.
package oauth

import (
	"context"
	"errors"
	"net/http"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// RefreshToken renews tokens by their refresh tokens, which the store was given with the first one; see [provider.Token].Renew. A
// vendor that sends a new one replaces it, one that doesn't means that the old one stays. A nil client is
// [http.DefaultClient].
func RefreshToken(config oauth2.Config, client *http.Client) provider.Refresh {
	return func(ctx context.Context, old provider.Token) (provider.Token, error) {
		renew := old.Renew.Secret()
		if renew == "" {
			return provider.Token{}, errors.New("there is no refresh token: the account has to be logged in again")
		}
		t, err := config.TokenSource(with(ctx, client), &oauth2.Token{RefreshToken: renew}).Token()
		return token(t, err, renew)
	}
}

// ClientCredentials gets tokens for a program that is an account of its own. A nil client is [http.DefaultClient].
func ClientCredentials(config clientcredentials.Config, client *http.Client) provider.Refresh {
	return func(ctx context.Context, _ provider.Token) (provider.Token, error) {
		t, err := config.Token(with(ctx, client))
		return token(t, err, "")
	}
}

func with(ctx context.Context, client *http.Client) context.Context {
	if client == nil {
		return ctx
	}
	return context.WithValue(ctx, oauth2.HTTPClient, client) // as that package takes it
}

// token is what the store keeps of an answer.
func token(t *oauth2.Token, err error, renew string) (provider.Token, error) {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		// Its text would repeat the body, and with that whatever the server repeats.
		return provider.Token{}, errors.New("the token isn't renewed: " + reason(refused))
	}
	if err != nil {
		return provider.Token{}, errors.New(provider.Redact(err.Error(), renew))
	}
	if t.RefreshToken != "" {
		renew = t.RefreshToken
	}
	got := provider.Token{Credential: provider.BearerToken(t.AccessToken), Expiry: t.Expiry}
	if renew != "" {
		got.Renew = provider.APIKey(renew)
	}
	return got, nil
}

func reason(e *oauth2.RetrieveError) string {
	if e.ErrorCode != "" {
		return e.ErrorCode
	}
	return e.Response.Status
}
