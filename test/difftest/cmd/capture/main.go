// Command capture writes the references with the vendors' SDKs. Nothing else writes them.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/plait-dev/plait/test/difftest/capture"
)

func main() {
	dir := "refs"
	if len(os.Args) == 2 {
		dir = os.Args[1]
	}
	if err := capture.All(context.Background(), dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
