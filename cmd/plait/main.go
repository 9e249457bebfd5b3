// Command plait validates and runs agent systems that are written as data.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/plait-dev/plait/cmd/plait/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
