package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// Credential is what a request proves its right with. However it is printed, logged or marshalled, it doesn't show.
type Credential struct {
	secret string
	bearer bool
}

// hidden stands for a credential wherever one would be seen.
const hidden = "[credential]"

// APIKey returns a credential that is sent where the vendor wants its keys.
func APIKey(key string) Credential { return Credential{secret: key} }

// BearerToken returns a credential that is sent as "Authorization: Bearer", also to vendors whose keys go elsewhere.
func BearerToken(token string) Credential { return Credential{secret: token, bearer: true} }

// String hides the secret.
func (c Credential) String() string { return hidden }

// GoString hides the secret.
func (c Credential) GoString() string { return hidden }

// Format hides the secret from every verb.
func (c Credential) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText hides the secret.
func (c Credential) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue hides the secret.
func (c Credential) LogValue() slog.Value { return slog.StringValue(hidden) }

// check refuses what can't be a credential, without repeating it.
func (c Credential) check() error {
	switch {
	case c.secret == "":
		return errors.New("the credential is empty")
	case !isHeaderValue(c.secret):
		return errors.New("the credential holds a control character")
	}
	return nil
}

// Redact removes secrets from a text that goes to a vendor or came from one: as they are, and in the forms that they take in
// URLs and in JSON.
func Redact(text string, secrets ...string) string {
	for _, s := range secrets {
		if s == "" {
			continue
		}
		for _, form := range []string{s, url.QueryEscape(s), url.PathEscape(s), inJSON(s), asMarshalled(s)} {
			text = strings.ReplaceAll(text, form, hidden)
		}
	}
	return text
}

// inJSON is a text as this package writes it into JSON, without its quotes.
func inJSON(text string) string {
	w := jsonx.NewWriter(len(text) + 2)
	w.Text(text)
	return unquoted(w.Bytes())
}

// asMarshalled is a text as others may write it, with <, > and & escaped.
func asMarshalled(text string) string {
	data, err := json.Marshal(text)
	if err != nil { // any text can be marshalled
		return text
	}
	return unquoted(data)
}

// unquoted is a text of JSON without the quotes around it.
func unquoted(text []byte) string { return string(text[1 : len(text)-1]) }

// Credentials gives the credential of each request. Implementations are safe for concurrent use; they decide how long a
// credential is kept, and their errors don't hold it.
type Credentials interface {
	Credential(ctx context.Context) (Credential, error)
}

// Renewable are credentials that can get another one in the place of one that a vendor refused with status 401. A request asks
// once, and is sent once more with the new one.
type Renewable interface {
	Credentials
	Refused(ctx context.Context, used Credential) (Credential, error)
}

// CredentialsFunc is a function as [Credentials], for callers who resolve the credential of a request from its context.
type CredentialsFunc func(ctx context.Context) (Credential, error)

// Credential calls f.
func (f CredentialsFunc) Credential(ctx context.Context) (Credential, error) { return f(ctx) }

// Static returns credentials that never change.
func Static(c Credential) Credentials {
	return CredentialsFunc(func(context.Context) (Credential, error) { return c, nil })
}

// maxKeyFile bounds what is read of a key's file: more isn't a key.
const maxKeyFile = 64 << 10

// KeyFile returns credentials whose API key stands in a file. It is read for every request, which costs less than one
// packet, so a key that was rotated (a mounted Secret, for instance) is used at once. White space around the key is
// ignored.
func KeyFile(path string) Credentials {
	return CredentialsFunc(func(context.Context) (Credential, error) {
		f, err := os.Open(path)
		if err != nil {
			return Credential{}, err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
		switch {
		case err != nil:
			return Credential{}, err
		case len(data) > maxKeyFile:
			return Credential{}, fmt.Errorf("%s: a key has at most %d bytes", path, maxKeyFile)
		}
		key := APIKey(strings.TrimSpace(string(data)))
		if err := key.check(); err != nil {
			return Credential{}, fmt.Errorf("%s: %w", path, err)
		}
		return key, nil
	})
}
