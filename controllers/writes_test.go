//go:build integration

package controllers_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// writes are the requests of the controller that change something, events aside.
type writes struct {
	mu   sync.Mutex
	list []string
	fail string // the request that fails, once
}

func (w *writes) count(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if req.Method != http.MethodGet && !strings.Contains(req.URL.Path, "/events") {
			if err := w.note(req.Method + " " + req.URL.Path); err != nil {
				return nil, err
			}
		}
		return next.RoundTrip(req)
	})
}

func (w *writes) note(request string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, request)
	if request != w.fail {
		return nil
	}
	w.fail = ""
	return errors.New("the network is down")
}

// failOnce lets the next request of a kind fail.
func (w *writes) failOnce(request string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail = request
}

// in lists those to a namespace.
func (w *writes) in(namespace string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.list), func(request string) bool {
		return !strings.Contains(request, "/namespaces/"+namespace+"/")
	})
}

// children lists those to a namespace that aren't about a status.
func (w *writes) children(namespace string) []string {
	return slices.DeleteFunc(w.in(namespace), func(request string) bool { return strings.HasSuffix(request, "/status") })
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
