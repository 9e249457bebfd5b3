package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "crm:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("crm", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("http", "", "serve streamable HTTP at this `address`, such as 127.0.0.1:8080, instead of stdio")
	delay := flags.Duration("delay", 0, "wait this long before every answer")
	failFirst := flags.Int64("fail-first", 0, "leave the first `N` calls unanswered until the caller gives up")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	db, err := newStore(customersJSON)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	server := newServer(db)
	server.AddReceivingMiddleware((&faults{delay: *delay, failFirst: *failFirst, log: log}).middleware(ctx))
	if *addr == "" {
		log.Info("serving on stdio", "customers", len(db.customers))
		return server.Run(ctx, &mcp.StdioTransport{})
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	log.Info("serving over http", "url", "http://"+listener.Addr().String()+"/mcp")
	return serveHTTP(ctx, listener, server)
}

// serveHTTP serves until ctx is done. Browsers on other origins are kept out: the server has no credentials of its own.
func serveHTTP(ctx context.Context, listener net.Listener, server *mcp.Server) error {
	handler := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.NewCrossOriginProtection().Handler(handler))
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
