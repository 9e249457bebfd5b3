// Command plait validates and runs agent systems that are written as data.
package main

import (
	"context"
	"os"

	"github.com/plait-dev/plait/cmd/plait/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
