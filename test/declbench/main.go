// Command declbench measures what it costs to validate a document, and to evaluate expressions on ours and on a bare
// cel-go program with the same limits, in turns within one process. It prints one table.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

func main() {
	samples := flag.Int("samples", 15, "how often each case is measured on each side; the median counts")
	only := flag.String("run", ".", "which cases to measure, a regular expression over their names")
	each := flag.Duration("each", 100*time.Millisecond, "how long a sample takes, about")
	check := flag.Bool("check", false, "exit with 1 when a goal is missed")
	flag.Parse()
	ctx, cancel := context.WithCancel(context.Background())
	missed, err := bench(ctx, os.Stdout, *only, benchkit.Meter{Samples: *samples, Each: *each})
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Println()
	for _, m := range missed {
		fmt.Println("missed:", m)
	}
	if len(missed) == 0 {
		fmt.Println("All goals are met.")
	} else if *check {
		os.Exit(1)
	}
}

// bench measures all cases and lists the goals that are missed.
func bench(ctx context.Context, w io.Writer, only string, m benchkit.Meter) (missed []string, err error) {
	name, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	validation, err := validationCases()
	if err != nil {
		return nil, err
	}
	evaluation, err := evaluationCases(ctx)
	if err != nil {
		return nil, err
	}
	if err := writeHead(w, m.Samples); err != nil {
		return nil, err
	}
	for _, c := range append(validation, evaluation...) {
		if !name.MatchString(c.name) {
			continue
		}
		r, err := measure(m, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if err := r.write(w); err != nil {
			return nil, err
		}
		missed = append(missed, r.misses()...)
	}
	return missed, nil
}
