// Command declbench measures what it costs to validate a document, and to evaluate expressions on ours and on a bare
// cel-go program with the same limits, in turns within one process. It prints one table.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/plait-dev/plait/test/benchkit"
)

func main() { os.Exit(benchkit.Command(os.Stdout, os.Stderr, benchkit.Usual(15), bench)) }

// bench measures all cases and lists the goals that are missed.
func bench(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) (missed []string, err error) {
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
