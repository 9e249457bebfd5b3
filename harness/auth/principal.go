package auth

import (
	"context"
	"net/http"

	"github.com/plait-dev/plait/harness/internal/answer"
)

// Anonymous is the principal of everybody where nobody says who they are.
const Anonymous = "anonymous"

// Authenticator finds out who sends a request.
type Authenticator interface {
	// Principal returns who sends the request, and false when that isn't known.
	Principal(r *http.Request) (string, bool)
}

// None takes everybody for [Anonymous].
type None struct{}

// Principal implements [Authenticator].
func (None) Principal(*http.Request) (string, bool) { return Anonymous, true }

// key is that of the principal in a context.
type key struct{}

// WithPrincipal returns a context of that principal.
func WithPrincipal(ctx context.Context, principal string) context.Context {
	return context.WithValue(ctx, key{}, principal)
}

// Principal returns the principal of a context, and false when it has none.
func Principal(ctx context.Context) (string, bool) {
	principal, ok := ctx.Value(key{}).(string)
	return principal, ok
}

// Require hands requests on with their principal in the context, and answers those without one with 401.
func Require(a Authenticator, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		principal, ok := a.Principal(r)
		if !ok {
			refuse(w)
			return
		}
		next.ServeHTTP(w, r.WithContext(WithPrincipal(r.Context(), principal)))
	})
}

// refuse answers in the form that A2A has for errors over plain HTTP.
func refuse(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="plait"`)
	answer.JSON(w, http.StatusUnauthorized, map[string]any{"error": map[string]any{
		"code":    http.StatusUnauthorized,
		"status":  "UNAUTHENTICATED",
		"message": "send a credential of this agent: Authorization: Bearer CREDENTIAL",
	}})
}
