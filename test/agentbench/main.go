// Command agentbench measures what a turn of the agent loop costs beside those of fantasy, eino and ADK Go, with the same
// scripted model and the same tool, in turns within one process. It also measures what our wires cost without a network:
// decoding a stream, and building a request. It prints two tables.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/plait-dev/plait/test/benchkit"
)

func main() { os.Exit(benchkit.Command(os.Stdout, os.Stderr, benchkit.Usual(9), bench)) }

// bench measures all cases and lists the goals that are missed.
func bench(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) (missed []string, err error) {
	if err := writeHead(w, m.Samples); err != nil {
		return nil, err
	}
	missed, err = benchLoops(ctx, w, name, m)
	if err != nil {
		return nil, err
	}
	return missed, benchWires(ctx, w, name, m)
}

// benchLoops prints the table of the loops, and what the length of the history does to a turn of ours.
func benchLoops(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) (missed []string, err error) {
	if err := writeLoopHead(w); err != nil {
		return nil, err
	}
	for _, c := range loopCases() {
		if !name.MatchString(c.name) {
			continue
		}
		row, err := measureLoop(ctx, m, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if err := row.write(w); err != nil {
			return nil, err
		}
		missed = append(missed, row.misses()...)
	}
	if !name.MatchString("growth") {
		return missed, nil
	}
	more, err := benchGrowth(ctx, w, m)
	return append(missed, more...), err
}
