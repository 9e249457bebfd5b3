// Package answer writes the bodies of HTTP answers.
package answer

import (
	"encoding/json"
	"net/http"
)

// JSON answers with a body in JSON. Who has gone away doesn't hear it.
func JSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}
