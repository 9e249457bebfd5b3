package a2a

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// DefaultMaxBody is the largest body of a request in bytes when nobody says otherwise.
const DefaultMaxBody = 4 << 20

// How long a client may take to send a request's body, and to take a piece of the answer.
const (
	readTimeout  = 30 * time.Second
	writeTimeout = 30 * time.Second
)

// limited reads the body of a request before anything else happens, so that its size and the time for it have limits
// while the answer may take as long as the run does.
func limited(maxBody int64, next http.Handler) http.Handler {
	maxBody = cmp.Or(maxBody, DefaultMaxBody)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(readTimeout)) // a writer without a connection has no deadline
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		_ = control.SetReadDeadline(time.Time{})
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			http.Error(w, fmt.Sprintf("the body is larger than %d bytes", maxBody), http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			http.Error(w, "the body can't be read", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(&patientWriter{w, control}, r)
	})
}

// patientWriter gives each piece of an answer time of its own.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write implements [http.ResponseWriter].
func (w *patientWriter) Write(p []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	return w.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (w *patientWriter) Flush() { _ = w.control.Flush() }

// Unwrap lets [http.ResponseController] find the connection.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
