package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// The ends of the names of the two files of an exchange.
const (
	requestFile = ".request"
	answerFile  = ".answer"
)

// Recorder keeps what passes it in a folder. It is safe for concurrent use.
type Recorder struct {
	dir  string
	last atomic.Int64 // the number of the newest exchange

	mu   sync.Mutex
	errs []error
}

// NewRecorder returns a recorder that writes into a folder, which is made if it isn't there. A folder that holds a recording
// already is an error: two recordings in one would be mixed up.
func NewRecorder(dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*"+requestFile))
	if err == nil && len(old) > 0 {
		err = fmt.Errorf("%s holds a recording already: name another folder, or remove it", dir)
	}
	return &Recorder{dir: dir}, err
}

// Between keeps a request and its answer; see [provider.ClientOptions]. An answer is kept when its reader closes it, as far as
// it was read. What goes wrong with the files doesn't disturb the call: [Recorder.Err] tells it.
func (r *Recorder) Between(p provider.Passing, send func() (*http.Response, error)) (*http.Response, error) {
	name := filepath.Join(r.dir, fmt.Sprintf("%04d", r.last.Add(1)))
	request := message{
		first:  p.Request.Method + " " + p.Request.URL.String(),
		header: withoutCredentials(p.Request.Header),
		body:   p.Body,
	}
	r.keep(name+requestFile, request, p.Secrets)
	res, err := send()
	if err != nil {
		r.keep(name+answerFile, message{first: failed, body: []byte(err.Error())}, p.Secrets)
		return res, err
	}
	res.Body = &tap{ReadCloser: res.Body, end: func(body []byte) {
		r.keep(name+answerFile, message{first: strconv.Itoa(res.StatusCode), header: ofUse(res.Header), body: body}, p.Secrets)
	}}
	return res, nil
}

// Err tells what couldn't be kept.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.errs...)
}

func (r *Recorder) keep(path string, m message, secrets []string) {
	m.first = provider.Redact(m.first, secrets...)
	m.body = []byte(provider.Redact(string(m.body), secrets...))
	for _, values := range m.header {
		for i := range values {
			values[i] = provider.Redact(values[i], secrets...)
		}
	}
	if err := m.write(path); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.errs = append(r.errs, err)
	}
}

// failed is the first line of an answer that never came.
const failed = "failed"

// withoutCredentials returns the headers of a request but those whose names say that they hold a secret.
func withoutCredentials(h http.Header) http.Header {
	kept := h.Clone()
	for _, name := range []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key", "Cookie"} {
		kept.Del(name)
	}
	return kept
}

// ofUse returns the headers of an answer that a reader looks at. Others name accounts and requests.
func ofUse(h http.Header) http.Header {
	kept := http.Header{}
	for _, name := range []string{"Content-Type", "Retry-After", "Retry-After-Ms"} {
		if values := h.Values(name); len(values) > 0 {
			kept[name] = slices.Clone(values)
		}
	}
	return kept
}

// tap keeps what is read of a body until that is closed.
type tap struct {
	io.ReadCloser

	read   bytes.Buffer
	end    func([]byte)
	closed bool
}

// Read reads on.
func (t *tap) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.read.Write(p[:n])
	return n, err
}

// Close ends the reading.
func (t *tap) Close() error {
	if !t.closed {
		t.closed = true
		t.end(t.read.Bytes())
	}
	return t.ReadCloser.Close()
}
