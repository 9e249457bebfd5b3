// Command triagebench measures what it costs to answer one message with the example support-triage, its lookup a registered
// Go tool, beside the same graph written for ADK Go, with the same scripted model, in turns within one process.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// The goals: ours takes at most a fifth of ADK's CPU time, and no more than 200 µs a message.
const (
	mostTime = 0.2
	budget   = 200 * time.Microsecond
)

const adkModule = "google.golang.org/adk/v2"

func main() { os.Exit(benchkit.Command(os.Stdout, os.Stderr, benchkit.Usual(9), bench)) }

// bench prints the table and lists the goals that are missed.
func bench(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) (missed []string, err error) {
	if _, err := fmt.Fprintf(w, "%s\n%s", benchkit.Head("ADK", adkModule, m.Samples), tableHead); err != nil {
		return nil, err
	}
	for _, c := range cases() {
		if !name.MatchString(c.name) {
			continue
		}
		r, err := measure(ctx, m, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if _, err := io.WriteString(w, r.line()); err != nil {
			return nil, err
		}
		missed = append(missed, r.misses()...)
	}
	return missed, nil
}

// measure answers the message of a case on both sides, in turns.
func measure(ctx context.Context, m benchkit.Meter, c message) (row, error) {
	ours, err := onOurs(c)
	if err != nil {
		return row{}, err
	}
	theirs, err := onADK(c)
	if err != nil {
		return row{}, err
	}
	costs, err := m.Measure(
		func() error { return c.check(ours(ctx)) },
		func() error { return c.check(theirs(ctx)) },
	)
	if err != nil {
		return row{}, err
	}
	return row{c.name, costs[0], costs[1]}, nil
}
