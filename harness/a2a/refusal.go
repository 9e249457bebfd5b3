package a2a

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/errordetails"

	"github.com/plait-dev/plait/harness/internal/answer"
)

// The library's transports know a fixed set of errors, and none of them is "too many requests". So a method leaves its
// refusal with the request, and the answer that the library writes gets the header Retry-After; over REST, which reports
// errors by the status of HTTP, it is replaced.

type notesKey struct{}

// notes are what a method leaves with its request.
type notes struct{ refused atomic.Pointer[refusal] }

// note leaves a refusal with the request.
func note(ctx context.Context, r *refusal) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok {
		n.refused.Store(r)
	}
}

// annotated gives methods a place for notes, and adds the header that follows from them.
func annotated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := &notes{}
		next.ServeHTTP(&annotatedWriter{ResponseWriter: w, notes: n}, r.WithContext(context.WithValue(r.Context(), notesKey{}, n)))
	})
}

// annotatedWriter adds the header before the first byte.
type annotatedWriter struct {
	http.ResponseWriter
	notes *notes
	begun bool
}

func (w *annotatedWriter) begin() {
	if refused := w.notes.refused.Load(); refused != nil && !w.begun {
		w.Header().Set("Retry-After", refused.seconds())
	}
	w.begun = true
}

// WriteHeader implements [http.ResponseWriter].
func (w *annotatedWriter) WriteHeader(status int) {
	w.begin()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *annotatedWriter) Write(p []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (w *annotatedWriter) Flush() {
	w.begin()
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets [http.ResponseController] find the connection.
func (w *annotatedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// retryLater writes refusals in the place of the library's errors. A stream has begun before it can be refused, and keeps
// its error event.
func retryLater(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := r.Context().Value(notesKey{}).(*notes)
		next.ServeHTTP(&retryWriter{ResponseWriter: w, notes: n}, r)
	})
}

// retryWriter replaces the answer to a refused request.
type retryWriter struct {
	http.ResponseWriter
	notes    *notes
	replaced bool
}

// WriteHeader implements [http.ResponseWriter].
func (w *retryWriter) WriteHeader(status int) {
	if refused := w.notes.refused.Load(); refused != nil {
		w.replaced = true
		refused.write(w.ResponseWriter)
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *retryWriter) Write(p []byte) (int, error) {
	if w.replaced {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (w *retryWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap lets [http.ResponseController] find the connection.
func (w *retryWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// write writes the refusal as an answer over plain HTTP.
func (r *refusal) write(w http.ResponseWriter) {
	name := "RESOURCE_EXHAUSTED"
	if r.status == http.StatusServiceUnavailable {
		name = "UNAVAILABLE"
	}
	w.Header().Set("Retry-After", r.seconds())
	info := errordetails.NewErrorInfo(a2a.ErrorReason(a2a.ErrServerError), a2a.ProtocolDomain, r.metadata())
	answer.JSON(w, r.status, map[string]any{"error": map[string]any{
		"code": r.status, "status": name, "message": r.message, "details": []*errordetails.Typed{info, r.retryInfo()},
	}})
}
