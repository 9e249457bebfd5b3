package mcp

import (
	"context"
)

// dialer makes sessions with one server and remembers which era it belongs to. It is used by one attempt at a time.
type dialer struct {
	cfg  *ServerConfig
	opts *PoolOptions

	legacy bool // it last agreed on a revision with a handshake, so it isn't asked for more
}

// open connects, a second time in the older way if the server seems to have left over the probe.
func (d *dialer) open(ctx context.Context) (*session, error) {
	sess, older, err := d.try(ctx)
	if err != nil && older && !d.legacy {
		d.legacy = true
		sess, _, err = d.try(ctx)
	}
	if err != nil {
		d.legacy = false
		return nil, classify(d.cfg.Name, "connect", err)
	}
	d.legacy = sess.version() < firstModern
	return sess, nil
}

// try makes one attempt. It reports beside an error whether a server that only speaks older revisions would have failed
// like this.
func (d *dialer) try(ctx context.Context) (_ *session, older bool, _ error) {
	l, err := d.link()
	if err != nil {
		return nil, false, err
	}
	version := ""
	if d.legacy {
		version = newestLegacy
	}
	xctx, x, release := withExchange(ctx, noLimit)
	sess, err := connect(xctx, d.cfg.Name, l, version, d.opts)
	release(err)
	if err == nil {
		return sess, false, nil
	}
	defer l.close()
	if ctx.Err() != nil {
		return nil, false, ended(ctx)
	}
	if cause, _ := x.cause(err); cause != nil {
		return nil, false, cause
	}
	cause, older := l.diagnose(err)
	return nil, older, cause
}

func (d *dialer) link() (link, error) {
	if d.cfg.URL != "" {
		return dialHTTP(d.cfg, d.opts)
	}
	return dialStdio(d.cfg, d.opts)
}
