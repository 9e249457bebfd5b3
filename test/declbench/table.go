package main

import (
	"fmt"
	"io"

	"github.com/plait-dev/plait/test/benchkit"
)

// row is what a case costs on both sides.
type row struct {
	benchCase

	our, their benchkit.Cost
	// cpuRatio is how much of their CPU time ours takes.
	cpuRatio float64
}

// misses lists the goals that the row misses.
func (r row) misses() []string {
	var missed []string
	if r.budget > 0 && r.our.CPU > r.budget {
		missed = append(missed, fmt.Sprintf("%s: %s of CPU time, at most %s", r.name, r.our.CPU, r.budget))
	}
	if r.ratio > 0 && r.cpuRatio > r.ratio {
		missed = append(missed, fmt.Sprintf("%s: %.3f of cel-go's CPU time, at most %.2f", r.name, r.cpuRatio, r.ratio))
	}
	return missed
}

// writeHead says where and with what the numbers were measured, and begins the table.
func writeHead(w io.Writer, samples int) error {
	_, err := fmt.Fprintf(w, `%s
| | CPU, cel-go | ours | ratio | bytes, cel-go | ours | allocations, cel-go | ours | goal |
|---|---:|---:|---:|---:|---:|---:|---:|---|
`, benchkit.Head("cel-go", "cel.dev/cel-go", samples))
	return err
}

// write writes the row as Markdown.
func (r row) write(w io.Writer) error {
	goal := ""
	switch {
	case r.budget > 0:
		goal = fmt.Sprintf("at most %s", r.budget)
	case r.ratio > 0:
		goal = fmt.Sprintf("at most %.2f", r.ratio)
	}
	theirs := [...]string{"–", "–", "–", "–"}
	if r.theirs != nil {
		theirs = [...]string{benchkit.Micros(r.their.CPU), fmt.Sprintf("%.3f", r.cpuRatio),
			fmt.Sprintf("%.0f", r.their.Bytes), fmt.Sprintf("%.0f", r.their.Allocs)}
	}
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.0f | %s | %.0f | %s |\n", r.name,
		theirs[0], benchkit.Micros(r.our.CPU), theirs[1], theirs[2], r.our.Bytes, theirs[3], r.our.Allocs, goal)
	return err
}
