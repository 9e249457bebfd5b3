package wiretest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// form is a way in which the bytes of a stream may come that makes no difference.
type form struct {
	name string
	of   func(stream []byte) []byte
}

func forms() []form {
	ends := func(with string) func([]byte) []byte {
		return func(stream []byte) []byte { return bytes.ReplaceAll(stream, []byte("\n"), []byte(with)) }
	}
	return []form{
		{"LF", ends("\n")},
		{"CR", ends("\r")},
		{"CRLF", ends("\r\n")},
		{"a byte order mark", func(stream []byte) []byte { return append([]byte("\xef\xbb\xbf"), stream...) }},
	}
}

// canned is a vendor without a network: each request gets what is in it.
type canned struct {
	kind string
	body io.Reader
}

// model returns the model under test behind it.
func (c *canned) model(t testing.TB, d Dialect) core.Model {
	client, err := provider.NewClient(provider.ClientOptions{
		Between: func(provider.Passing, func() (*http.Response, error)) (*http.Response, error) {
			header := http.Header{"Content-Type": {c.kind}}
			return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(c.body)}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.New(provider.Options{Model: modelName, BaseURL: "http://vendor.invalid", Client: client, MaxEvent: 1 << 20, MaxBody: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ask gives a body to the model.
func (c *canned) ask(t testing.TB, m core.Model, body io.Reader) (core.Answer, error) {
	c.body = body
	return core.Collect(m.Stream(t.Context(), hello()))
}

// testForms: line ends and a byte order mark make no difference, and neither does where the network cuts a stream into
// pieces, or that it ends with the last of them.
func testForms(t *testing.T, d Dialect) {
	c := &canned{kind: string(d.Framing)}
	m := c.model(t, d)
	for _, a := range d.answers() {
		for _, f := range forms() {
			stream := f.of(d.stream(a))
			check := func(how string, body io.Reader) {
				got, err := c.ask(t, m, body)
				if diff := cmp.Diff(d.want(a), got, cmpopts.EquateEmpty()); diff != "" || err != nil {
					t.Fatalf("%s with %s, %s: err %v (-want +got):\n%s", a.name, f.name, how, err, diff)
				}
			}
			check("byte by byte", iotest.OneByteReader(bytes.NewReader(stream)))
			check("with its end", iotest.DataErrReader(bytes.NewReader(stream)))
			if f.name != "CRLF" {
				continue // one byte at a time says it all where no line end has two
			}
			for n := range stream {
				check("in two pieces", io.MultiReader(bytes.NewReader(stream[:n]), bytes.NewReader(stream[n:])))
			}
		}
	}
}

// testCutForms: in whatever form a stream comes, one that ends early is an error or the complete message.
func testCutForms(t *testing.T, d Dialect) {
	c := &canned{kind: string(d.Framing)}
	m := c.model(t, d)
	for _, a := range d.answers() {
		for _, f := range forms() {
			stream := f.of(d.stream(a))
			for n := range stream {
				got, err := c.ask(t, m, bytes.NewReader(stream[:n]))
				if err != nil {
					if !errors.Is(err, core.ErrCutStream) {
						t.Fatalf("%s with %s, cut behind %d of %d bytes: %v", a.name, f.name, n, len(stream), err)
					}
					continue
				}
				if diff := cmp.Diff(d.want(a), got, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%s with %s, cut behind %d of %d bytes, a success (-want +got):\n%s", a.name, f.name, n, len(stream), diff)
				}
			}
		}
	}
}

// FuzzStream gives a wire streams of every kind of damage: what comes of them is an answer or an error that says so, and a
// part of a stream is never taken for another complete answer than the whole of it.
func FuzzStream(f *testing.F, d Dialect) {
	for _, a := range d.answers() {
		for _, form := range forms() {
			stream := form.of(d.stream(a))
			f.Add(stream, uint(len(stream)/2))
			f.Add(stream, uint(len(stream)-1))
		}
	}
	f.Add(bytes.Join([][]byte{d.Unknown, d.Overloaded}, nil), uint(9))
	c := &canned{kind: string(d.Framing)}
	m := c.model(f, d)
	f.Fuzz(func(t *testing.T, stream []byte, cut uint) {
		whole, wholeErr := c.ask(t, m, bytes.NewReader(stream))
		classified(t, wholeErr)
		part, partErr := c.ask(t, m, bytes.NewReader(stream[:min(cut, uint(len(stream)))]))
		classified(t, partErr)
		if wholeErr != nil || partErr != nil || d.EndTold {
			return
		}
		if diff := cmp.Diff(whole, part, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("a part of the stream is another complete answer (-whole +part):\n%s", diff)
		}
	})
}

// FuzzWhole gives a wire answers in one piece of every kind of damage.
func FuzzWhole(f *testing.F, d Dialect) {
	for _, a := range d.answers() {
		if !a.truncated {
			f.Add(d.Whole(a))
		}
	}
	c := &canned{kind: "application/json"}
	m := c.model(f, d)
	f.Fuzz(func(t *testing.T, body []byte) {
		_, err := c.ask(t, m, bytes.NewReader(body))
		classified(t, err)
	})
}

// classified checks that an error is one that the loop can decide by.
func classified(t *testing.T, err error) {
	var pe *core.ProviderError
	if err != nil && (!errors.As(err, &pe) || pe.Class == "") {
		t.Errorf("an error without a class: %T %v", err, err)
	}
}
