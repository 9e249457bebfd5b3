package provider

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Token is a credential that ends.
type Token struct {
	Credential

	// Expiry is when the credential ends; the zero time means never.
	Expiry time.Time

	// Renew is what a new one is got with, such as a refresh token; empty when nothing is needed. It is hidden as the
	// credential is.
	Renew Credential
}

// Refresh gets a new token in the place of an old one, which is zero when there was none. Its errors don't hold secrets.
type Refresh func(ctx context.Context, old Token) (Token, error)

// Secret returns the secret of a credential, for those who have to send it somewhere else than to a vendor's API.
func (c Credential) Secret() string { return c.secret }

// StoreOptions configure a [CredentialStore]. The zero value has the defaults.
type StoreOptions struct {
	// Floor is how long a token has to last yet to be used; default one minute. A request that begins with less could reach
	// the vendor with none.
	Floor time.Duration

	// Timeout bounds a refresh, whatever the request that needs it still has: others wait for the same one. Default 30 s.
	Timeout time.Duration

	// Changed is told each new token, to keep it beyond the process; nil tells nobody. It is called before the token is used,
	// since a vendor may have made the old one invalid already.
	Changed func(account string, t Token) error
}

// CredentialStore holds the tokens of accounts and renews them before they end. However many requests need a new one, each
// account is asked for it once at a time, and accounts don't wait for each other. It is safe for concurrent use.
type CredentialStore struct {
	opts StoreOptions

	mu     sync.Mutex
	tokens map[string]Token
	locks  map[string]*accountLock // of accounts that are being renewed
}

// accountLock is held by whoever renews an account's token.
type accountLock struct {
	held    chan struct{} // full while it is held
	holders int           // those who hold it or wait for it
}

// NewCredentialStore returns a store without tokens.
func NewCredentialStore(opts StoreOptions) *CredentialStore {
	opts.Floor = orDefault(opts.Floor, time.Minute)
	opts.Timeout = orDefault(opts.Timeout, 30*time.Second)
	return &CredentialStore{opts: opts, tokens: map[string]Token{}, locks: map[string]*accountLock{}}
}

// Set puts a token in.
func (s *CredentialStore) Set(account string, t Token) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[account] = t
}

// Credentials returns the credentials of an account, for any number of models. A nil refresh never renews: a token that has
// ended is an error then.
func (s *CredentialStore) Credentials(account string, refresh Refresh) Credentials {
	return &stored{s, account, refresh}
}

// stored are the credentials of one account.
type stored struct {
	store   *CredentialStore
	account string
	refresh Refresh
}

// Credential returns the token, renewed if it has to be.
func (c *stored) Credential(ctx context.Context) (Credential, error) {
	if t, ok := c.store.valid(c.account); ok {
		return t.Credential, nil
	}
	return c.renewed(ctx, c.store.valid)
}

// Refused renews a token that the vendor doesn't take any more, unless another request has done so already.
func (c *stored) Refused(ctx context.Context, used Credential) (Credential, error) {
	return c.renewed(ctx, func(account string) (Token, bool) {
		t, ok := c.store.valid(account)
		return t, ok && t.Credential != used
	})
}

// renewed gets a new token under the account's lock, and looks there first whether somebody else was faster.
func (c *stored) renewed(ctx context.Context, valid func(account string) (Token, bool)) (Credential, error) {
	if c.refresh == nil {
		return Credential{}, fmt.Errorf("account %s has no valid token, and there is no way to get one", c.account)
	}
	unlock, err := c.store.lock(ctx, c.account)
	if err != nil {
		return Credential{}, err
	}
	defer unlock()
	if t, ok := valid(c.account); ok {
		return t.Credential, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.store.opts.Timeout)
	defer cancel()
	t, err := c.refresh(ctx, c.store.get(c.account))
	if err == nil {
		err = t.check()
	}
	if err == nil && c.store.opts.Changed != nil {
		err = c.store.opts.Changed(c.account, t)
	}
	if err != nil {
		return Credential{}, err
	}
	c.store.Set(c.account, t)
	return t.Credential, nil
}

func (s *CredentialStore) get(account string) Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens[account]
}

// valid returns a token that lasts long enough.
func (s *CredentialStore) valid(account string) (Token, bool) {
	t := s.get(account)
	return t, t.secret != "" && (t.Expiry.IsZero() || time.Until(t.Expiry) >= s.opts.Floor)
}

// lock waits for the lock of an account. One that nobody has or wants is forgotten.
func (s *CredentialStore) lock(ctx context.Context, account string) (unlock func(), err error) {
	s.mu.Lock()
	l := s.locks[account]
	if l == nil {
		l = &accountLock{held: make(chan struct{}, 1)}
		s.locks[account] = l
	}
	l.holders++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if l.holders--; l.holders == 0 {
			delete(s.locks, account)
		}
	}
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, context.Cause(ctx)
	}
}
