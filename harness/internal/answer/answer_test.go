package answer_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/plait-dev/plait/harness/internal/answer"
)

func TestJSON(t *testing.T) {
	w := httptest.NewRecorder()
	answer.JSON(w, http.StatusTeapot, map[string]int{"cups": 2})
	if w.Code != http.StatusTeapot || w.Body.String() != "{\"cups\":2}\n" || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	w = httptest.NewRecorder()
	answer.JSON(w, http.StatusOK, math.Inf(1))
	if w.Code != http.StatusInternalServerError {
		t.Errorf("what has no form in JSON: %d", w.Code)
	}
}
