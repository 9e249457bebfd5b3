// Command bench measures what a node costs on ADK Go and on ours, in turns within one process, and prints a table.
//
// It is a package of the module of the comparison: what is compared in cost is then the same release of ADK as what is
// compared in behaviour.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

func main() {
	dir := flag.String("dir", "", "where journals are written, in a directory of their own; by default where temporary files are")
	os.Exit(benchkit.Command(os.Stdout, os.Stderr, benchkit.Meter{Samples: 7, Each: 200 * time.Millisecond},
		func(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) ([]string, error) {
			return bench(ctx, w, name, *dir, measurer{Meter: m})
		}))
}

// bench measures all cases twice, with and without garbage collection. No journal is removed before the end, see
// [fileCost].
func bench(ctx context.Context, w io.Writer, name *regexp.Regexp, dir string, m measurer) (missed []string, err error) {
	if m.dir, err = os.MkdirTemp(dir, "bench-engine-"); err != nil {
		return nil, fmt.Errorf("-dir: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.dir)) }()
	files, err := measureFiles(m.dir)
	if err != nil {
		return nil, err
	}
	goroutines, err := measureHandOver()
	if err != nil {
		return nil, err
	}
	if err := writeHead(w, m.Samples, files, goroutines); err != nil {
		return nil, err
	}
	for _, collect := range []bool{true, false} {
		title := "With garbage collection"
		if !collect {
			title = "Without garbage collection"
		}
		m.NoGC = !collect
		var rows []row
		for _, c := range cases() {
			if !name.MatchString(c.name) {
				continue
			}
			r, err := m.measure(ctx, c)
			if err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
		if err := writeTable(w, title, rows); err != nil {
			return nil, err
		}
		for _, miss := range misses(rows) {
			missed = append(missed, title+": "+miss)
		}
	}
	return missed, nil
}
