package provider_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// counter hands out tokens numbered from 1, each valid for an hour.
type counter struct {
	mu    sync.Mutex
	calls int
	olds  []string
}

func (c *counter) refresh(_ context.Context, old provider.Token) (provider.Token, error) {
	time.Sleep(time.Second) // in a bubble: all who need the token are there by then
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	c.olds = append(c.olds, old.Secret())
	return provider.Token{Credential: provider.BearerToken(fmt.Sprintf("t%d", c.calls)), Expiry: time.Now().Add(time.Hour)}, nil
}

func secret(t *testing.T, c provider.Credentials) string {
	t.Helper()
	got, err := c.Credential(t.Context())
	if err != nil {
		t.Error(err)
	}
	return got.Secret()
}

func TestRequestsThatNeedATokenAtOnceShareIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counter
		store := provider.NewCredentialStore(provider.StoreOptions{})
		store.Set("a", provider.Token{Credential: provider.BearerToken("t0"), Expiry: time.Now().Add(time.Second)})
		creds := store.Credentials("a", c.refresh)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if got := secret(t, creds); got != "t1" {
					t.Errorf("a request got %s", got)
				}
			})
		}
		all.Wait()
		if c.calls != 1 || c.olds[0] != "t0" {
			t.Errorf("%d refreshes of %q", c.calls, c.olds)
		}
	})
}

func TestATokenIsRenewedBeforeItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counter
		store := provider.NewCredentialStore(provider.StoreOptions{Floor: time.Minute})
		creds := store.Credentials("a", c.refresh)
		for _, step := range []struct {
			wait time.Duration
			want string
		}{{0, "t1"}, {59 * time.Minute, "t1"}, {time.Nanosecond, "t2"}} {
			time.Sleep(step.wait)
			if got := secret(t, creds); got != step.want {
				t.Errorf("%s later: %s, want %s", step.wait, got, step.want)
			}
		}
		store.Set("a", provider.Token{Credential: provider.APIKey("forever")})
		time.Sleep(1000 * time.Hour)
		if got := secret(t, creds); got != "forever" || c.calls != 2 {
			t.Errorf("a token without an end became %s, %d refreshes", got, c.calls)
		}
	})
}

// A refresh that hangs holds up its own account alone, and not for longer than its time limit.
func TestAccountsDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counter
		store := provider.NewCredentialStore(provider.StoreOptions{Timeout: 10 * time.Second})
		hangs := store.Credentials("slow", func(ctx context.Context, _ provider.Token) (provider.Token, error) {
			<-ctx.Done()
			return provider.Token{}, ctx.Err()
		})
		begun := time.Now()
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := hangs.Credential(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 10*time.Second {
				t.Errorf("the refresh ended after %s: %v", time.Since(begun), err)
			}
		})
		synctest.Wait()
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := hangs.Credential(impatient); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second {
			t.Errorf("waiting ended after %s: %v", time.Since(begun), err)
		}
		if got := secret(t, store.Credentials("quick", c.refresh)); got != "t1" || time.Since(begun) != 2*time.Second {
			t.Errorf("another account got %s after %s", got, time.Since(begun))
		}
		all.Wait()
		if n := store.Locks(); n != 0 {
			t.Errorf("%d locks are kept", n)
		}
	})
}

func TestTokensThatCannotBeHad(t *testing.T) {
	store := provider.NewCredentialStore(provider.StoreOptions{Changed: func(account string, _ provider.Token) error {
		if account == "unkept" {
			return errors.New("the disk is full")
		}
		return nil
	}})
	store.Set("ended", provider.Token{Credential: provider.BearerToken("x"), Expiry: time.Now()})
	gives := func(token provider.Token) provider.Refresh {
		return func(context.Context, provider.Token) (provider.Token, error) { return token, nil }
	}
	for account, c := range map[string]struct {
		refresh provider.Refresh
		want    string
	}{
		"ended":  {nil, "account ended has no valid token, and there is no way to get one"},
		"empty":  {gives(provider.Token{}), "the credential is empty"},
		"unkept": {gives(provider.Token{Credential: provider.BearerToken("sk-1")}), "the disk is full"},
	} {
		if got, err := store.Credentials(account, c.refresh).Credential(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, err %v", account, got, err)
		}
	}
	token := provider.Token{Credential: provider.BearerToken("sk-1"), Renew: provider.APIKey("sk-2")}
	if text := fmt.Sprintf("%v %+v %#v", token, token, token); strings.Contains(text, "sk-") {
		t.Errorf("a token shows as %s", text)
	}
}

// A token that the vendor refuses is renewed once, and what was asked for is asked again; a second refusal is final.
func TestARefusedTokenIsRenewedOnce(t *testing.T) {
	for good, want := range map[string]int{"Bearer t1": 2, "Bearer nobody's": 2} {
		var c counter
		store := provider.NewCredentialStore(provider.StoreOptions{})
		store.Set("a", provider.Token{Credential: provider.BearerToken("t0")})
		requests := 0
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			if r.Header.Get("Authorization") != good {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			answer(w, "text/event-stream", done)
		})
		m := newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: server.URL, Credentials: store.Credentials("a", c.refresh)})
		_, err := ask(t, m)
		var pe *core.ProviderError
		if refused := errors.As(err, &pe) && pe.Class == core.ClassAuth; refused != (good == "Bearer nobody's") || requests != want || c.calls != 1 {
			t.Errorf("%s: %d requests, %d refreshes, err %v", good, requests, c.calls, err)
		}
	}
}

// Two requests with one refused token renew it once.
func TestARefusalOfATokenThatWasReplacedMeanwhile(t *testing.T) {
	var c counter
	store := provider.NewCredentialStore(provider.StoreOptions{})
	store.Set("a", provider.Token{Credential: provider.BearerToken("t0")})
	creds := store.Credentials("a", c.refresh).(provider.Renewable)
	for range 2 {
		if got, err := creds.Refused(t.Context(), provider.BearerToken("t0")); err != nil || got.Secret() != "t1" || c.calls != 1 {
			t.Errorf("%s after %d refreshes, err %v", got.Secret(), c.calls, err)
		}
	}
}
