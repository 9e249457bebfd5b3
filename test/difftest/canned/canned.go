package canned

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// BaseURL is what a vendor is called at.
const BaseURL = "http://vendor.invalid"

// Key is the credential.
const Key = "sk-1"

// Vendor answers each request with the same. It serves one goroutine.
type Vendor struct {
	Kind string // the content type
	Body io.Reader

	// Got is the last request.
	Got reference.Request
}

// Client is a client of net/http whose requests all go to the vendor.
func (v *Vendor) Client() *http.Client { return &http.Client{Transport: v} }

// RoundTrip keeps the request and answers.
func (v *Vendor) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return v.Answer(r, body), nil
}

// Answer does that for a request whose body was read.
func (v *Vendor) Answer(r *http.Request, body []byte) *http.Response {
	v.Got = reference.Request{Method: r.Method, Path: r.URL.RequestURI(), Header: header(r.Header), Body: string(body)}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {v.Kind}}, Body: io.NopCloser(v.Body), Request: r}
}

// Says makes the vendor answer with bytes.
func (v *Vendor) Says(kind string, body []byte) { v.Kind, v.Body = kind, bytes.NewReader(body) }

// header leaves out what tells about the program and the machine, which is another one for each SDK and each of its versions.
func header(h http.Header) map[string]string {
	kept := map[string]string{}
	for name := range h {
		if slices.Contains([]string{"Accept", "Anthropic-Beta", "Anthropic-Version", "Authorization", "Content-Type", "X-Api-Key", "X-Goog-Api-Key"}, name) {
			kept[name] = h.Get(name)
		}
	}
	return kept
}

// Ask sends a scenario's request to a vendor and reads the answer, with an SDK or with our wires.
type Ask func(ctx context.Context, v *Vendor, s scenario.Scenario) (reference.Answer, error)
