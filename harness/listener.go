package harness

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// What a connection may cost: the time and size of the headers of a request, and the time without one.
const (
	headerTimeout = 10 * time.Second
	maxHeader     = 64 << 10
	idleTimeout   = 2 * time.Minute
)

// listener is a server of one address.
type listener struct {
	server *http.Server
	socket net.Listener
	failed chan error // gets why it doesn't serve any more, unless it was closed
}

// listen begins to serve. The time of an answer is the handler's business, as it may be as long as a run.
func listen(ctx context.Context, addr string, h http.Handler, log *slog.Logger) (*listener, error) {
	var config net.ListenConfig
	socket, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	l := &listener{
		server: &http.Server{
			Handler:           h,
			ReadHeaderTimeout: headerTimeout,
			MaxHeaderBytes:    maxHeader,
			IdleTimeout:       idleTimeout,
			ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		},
		socket: socket,
		failed: make(chan error, 1),
	}
	go func() {
		if err := l.server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
			l.failed <- err
		}
	}()
	return l, nil
}

func (l *listener) addr() string { return l.socket.Addr().String() }

// close waits for requests under way until ctx is done.
func (l *listener) close(ctx context.Context) {
	if l.server.Shutdown(ctx) != nil {
		_ = l.server.Close() // the connections that it cuts off have had their time
	}
}
