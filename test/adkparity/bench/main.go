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
	samples := flag.Int("samples", 7, "how often each case is measured on each side; the median counts")
	each := flag.Duration("each", 200*time.Millisecond, "how long a sample takes, about")
	only := flag.String("run", ".", "which cases to measure, a regular expression over their names")
	dir := flag.String("dir", "", "where journals are written, in a directory of their own; by default where temporary files are")
	check := flag.Bool("check", false, "exit with 1 when a goal is missed")
	flag.Parse()
	missed, err := bench(context.Background(), os.Stdout, *only, *dir, measurer{Meter: benchkit.Meter{Samples: *samples, Each: *each}})
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

// bench measures all cases twice, with and without garbage collection. No journal is removed before the end, see
// [fileCost].
func bench(ctx context.Context, w io.Writer, only, dir string, m measurer) (missed []string, err error) {
	name, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
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
