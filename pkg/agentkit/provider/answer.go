package provider

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/wire"
)

// maxRefusal bounds what is read of a body that isn't an answer.
const maxRefusal = 64 << 10

// answer is the reading of one answer.
type answer struct {
	*exchange

	out     *Out
	decoder Decoder
	model   *Model
	secrets []string // of the request: vendors repeat what they didn't like
}

// read decides by status and content type what there is to read.
func (a *answer) read() error {
	status := a.res.StatusCode
	if status < 200 || status > 299 {
		body, err := a.refused()
		if err != nil && len(body) == 0 {
			return err
		}
		return refusal(a.res, body)
	}
	header := a.res.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(header)
	switch {
	case kind == string(FramingSSE) && a.model.traits.Framing == FramingSSE:
		return a.events()
	case isLines(kind) && a.model.traits.Framing == FramingLines:
		return a.lines()
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return a.whole()
	}
	body, _ := a.refused()
	return unreadable(status, fmt.Sprintf("the content type is %q, expected is %s or application/json: %s",
		header, a.model.traits.Framing, excerpt(body)))
}

// refused reads a body that isn't an answer. Secrets are removed from it before anything of it is cut off.
func (a *answer) refused() ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(a, maxRefusal))
	return []byte(Redact(string(body), a.secrets...)), err
}

func isLines(kind string) bool {
	return kind == string(FramingLines) || kind == "application/ndjson" || kind == "application/jsonl"
}

// events reads a stream of server-sent events.
func (a *answer) events() error {
	r := wire.NewEvents(a, a.model.opts.MaxEvent)
	for {
		ev, err := r.Next()
		if err != nil {
			return a.ended(err)
		}
		if err := a.decoder.Event(ev.Name, ev.Data, a.out); err != nil {
			return a.misread("an event", err)
		}
		if a.out.over() {
			return a.finish()
		}
	}
}

// lines reads a stream of JSON texts.
func (a *answer) lines() error {
	r := wire.NewLines(a, a.model.opts.MaxEvent)
	for {
		line, err := r.Next()
		if err != nil {
			return a.ended(err)
		}
		if err := a.decoder.Event(nil, line, a.out); err != nil {
			err = a.misread("a line", err)
			// A line that makes no sense and is the last one was cut off.
			if _, broken := errors.AsType[*jsonx.SyntaxError](err); broken {
				if _, next := r.Next(); errors.Is(next, io.EOF) {
					return cut(a.res.StatusCode)
				}
			}
			return err
		}
		if a.out.over() {
			return a.finish()
		}
	}
}

// ended says what the end of a stream before its terminal event means.
func (a *answer) ended(err error) error {
	if err == io.EOF { //nolint:errorlint // a reader's EOF is never wrapped
		if a.decoder.End(a.out); a.out.over() {
			return nil
		}
		return cut(a.res.StatusCode)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return cut(a.res.StatusCode)
	}
	return a.misread("the stream", err)
}

// finish follows the terminal event.
func (a *answer) finish() error {
	if a.out.done && !a.out.left {
		a.drain()
	}
	return nil
}

// whole reads an answer in one piece.
func (a *answer) whole() error {
	limit := a.model.opts.MaxBody
	body, err := io.ReadAll(io.LimitReader(a, int64(limit)+1))
	switch {
	case err != nil:
		return a.misread("the answer", err)
	case len(body) > limit:
		return a.misread("the answer", &wire.TooLargeError{Limit: limit})
	}
	if e := AnswerError(a.res.StatusCode, body); e != nil {
		return e
	}
	if err := a.decoder.Whole(body, a.out); err != nil {
		return a.misread("the answer", err)
	}
	if !a.out.over() {
		return cut(a.res.StatusCode)
	}
	return nil
}

// misread makes a provider error of what went wrong in reading, unless it is one.
func (a *answer) misread(what string, err error) error {
	if _, ok := errors.AsType[*core.ProviderError](err); ok {
		return err
	}
	return &core.ProviderError{Status: a.res.StatusCode, Class: core.ClassBadAnswer,
		Message: fmt.Sprintf("%s of the vendor can't be understood: %v", what, err), Err: err}
}
