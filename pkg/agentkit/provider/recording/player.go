package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// Player gives the answers of a recording. It is safe for concurrent use.
type Player struct {
	dir string

	mu    sync.Mutex
	tapes []*tape // in the order of the recording
}

// tape is one exchange.
type tape struct {
	name   string // of its files, without their ends
	key    string
	body   any
	answer *message // nil: the recording ended before it came
	played bool
}

// NewPlayer reads a recording. Answers without their requests, and files that can't be read, are errors.
func NewPlayer(dir string) (*Player, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+requestFile)) // sorted
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s holds no recording: there is no file NUMBER%s", dir, requestFile)
	}
	p := &Player{dir: dir}
	for _, path := range paths {
		t, err := readTape(strings.TrimSuffix(path, requestFile))
		if err != nil {
			return nil, err
		}
		p.tapes = append(p.tapes, t)
	}
	return p, nil
}

func readTape(name string) (*tape, error) {
	request, err := readMessage(name + requestFile)
	if err != nil {
		return nil, err
	}
	method, target, ok := strings.Cut(request.first, " ")
	u, err := url.Parse(target)
	if !ok || err != nil {
		return nil, fmt.Errorf("%s: the first line is METHOD URL, not %q", name+requestFile, request.first)
	}
	t := &tape{name: name, body: parse(request.body)}
	t.key = key(place(method, u), t.body)
	if paths, _ := filepath.Glob(name + answerFile); len(paths) > 0 {
		t.answer, err = readMessage(name + answerFile)
	}
	return t, err
}

// Between answers a request from the recording; see [provider.ClientOptions]. Of equal ones each has its own answer, in the order
// in which they were recorded. A request that wasn't recorded is an error that says what differs from the nearest that was.
func (p *Player) Between(pass provider.Passing, _ func() (*http.Response, error)) (*http.Response, error) {
	body := parse([]byte(provider.Redact(string(pass.Body), pass.Secrets...)))
	where := place(pass.Request.Method, pass.Request.URL, pass.Secrets...)
	wanted := key(where, body)
	p.mu.Lock()
	defer p.mu.Unlock()
	again := 0
	for _, t := range p.tapes {
		switch {
		case t.key != wanted:
		case t.played:
			again++
		default:
			t.played = true
			return t.response(pass.Request)
		}
	}
	return nil, &core.ProviderError{Class: core.ClassBadRequest, Err: p.miss(where, body, again)}
}

// miss says why nothing fits.
func (p *Player) miss(where string, body any, again int) error {
	if again > 0 {
		return fmt.Errorf("recording %s: the request was recorded %d times, and all answers are given", p.dir, again)
	}
	for _, t := range p.tapes {
		if !t.played && strings.HasPrefix(t.key, where+"\n") {
			return fmt.Errorf("recording %s: the request wasn't recorded; the next one that was, %s, differs in %s",
				p.dir, filepath.Base(t.name), difference("body", t.body, body))
		}
	}
	return fmt.Errorf("recording %s: nothing that is left was sent to %s", p.dir, where)
}

// Left are the names of the exchanges that nobody asked for.
func (p *Player) Left() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []string
	for _, t := range p.tapes {
		if !t.played {
			left = append(left, filepath.Base(t.name))
		}
	}
	return left
}

func (t *tape) response(req *http.Request) (*http.Response, error) {
	switch {
	case t.answer == nil:
		return nil, fmt.Errorf("the recording ended before the answer to %s came", filepath.Base(t.name))
	case t.answer.first == failed:
		return nil, errors.New(string(t.answer.body))
	}
	status, err := strconv.Atoi(t.answer.first)
	if err != nil {
		return nil, fmt.Errorf("%s: the first line is a status, not %q", t.name+answerFile, t.answer.first)
	}
	return &http.Response{StatusCode: status, Header: t.answer.header, Body: io.NopCloser(bytes.NewReader(t.answer.body)), Request: req}, nil
}
