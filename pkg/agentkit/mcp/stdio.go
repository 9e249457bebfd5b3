package mcp

import (
	"errors"
	"fmt"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdioLink talks to a child over its stdin and stdout.
type stdioLink struct {
	child *child
	in    *inbound
	out   *outbound
	probe *probe
	grace time.Duration
}

func dialStdio(cfg *ServerConfig, opts *PoolOptions) (*stdioLink, error) {
	c, err := startChild(cfg, opts.Environ)
	if err != nil {
		return nil, err
	}
	in := newInbound()
	p := &probe{limit: opts.ProbeTimeout, answer: in.unanswered}
	c.pumps.Go(func() { in.pump(c.stdout, opts.MaxMessageBytes) })
	return &stdioLink{
		child: c,
		in:    in,
		out:   &outbound{w: c.stdin, limit: opts.WriteTimeout, stalled: c.abandon, probe: p},
		probe: p,
		grace: opts.CloseTimeout / 4,
	}, nil
}

// transport has no line limit: lines have passed ours, and quoting makes some longer.
func (l *stdioLink) transport() sdk.Transport {
	return &sdk.IOTransport{Reader: l.in, Writer: l.out, MaxLineLength: -1}
}

func (l *stdioLink) settle() { l.probe.stop() }

// diagnose prefers a rule that the server broke, then how its process ended, and adds what it wrote to stderr. A child
// that left without a word when it was asked a question from the future is taken for an older one, and so is one that
// was slow to answer it and then refused what came next.
func (l *stdioLink) diagnose(err error) (cause error, older bool) {
	if !l.ended() {
		return err, l.probe.answered()
	}
	within(l.grace, l.child.exited)
	fate := l.child.fate()
	l.close() // all of stderr has been read after that
	read, wrote := l.in.cause(), l.out.failure()
	var v *violation
	switch {
	case errors.As(read, &v):
		err = fmt.Errorf("%w (a server on stdio writes messages to stdout and everything else to stderr)", read)
	case errors.As(wrote, &v):
		err = wrote
	case errors.Is(read, io.ErrUnexpectedEOF):
		err = read
	case fate != "":
		err, older = errors.New(fate), l.in.silent()
	}
	if text := l.child.stderr.last(); text != "" {
		err = fmt.Errorf("%w; last on stderr: %s", err, text)
	}
	return err, older
}

func (l *stdioLink) ended() bool { return l.in.cause() != nil || l.out.failure() != nil }

func (l *stdioLink) close() {
	l.probe.stop()
	_ = l.in.Close()
	l.child.stop(l.grace)
}
