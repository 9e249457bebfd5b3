package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/plait-dev/plait/test/benchkit"
)

// writeHead says where and with what the numbers were measured.
func writeHead(w io.Writer, samples int, files fileCost, goroutines handOverCost) error {
	_, err := fmt.Fprintf(w, "%sa write of %d bytes to a file %s, a new file %s\n"+
		"to another goroutine and back %s, if both yield before they sleep %s, to a coroutine %s\n",
		benchkit.Head("ADK", "google.golang.org/adk/v2", samples), line, benchkit.Micros(files.write), benchkit.Micros(files.create),
		benchkit.Micros(goroutines.sleeping), benchkit.Micros(goroutines.yielding), benchkit.Micros(goroutines.coroutine))
	return err
}

// writeTable writes rows as Markdown; all numbers are per node.
func writeTable(w io.Writer, title string, rows []row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n", title)
	b.WriteString("| | CPU, ADK | ours | ratio | bytes, ADK | ours | ratio | allocations, ADK | ours | ratio |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %.3f | %.0f | %.0f | %.3f | %.1f | %.1f | %.3f |\n", r.name,
			benchkit.Micros(r.adkCost.CPU), benchkit.Micros(r.ourCost.CPU), r.cpuRatio, r.adkCost.Bytes, r.ourCost.Bytes, r.bytesRatio(),
			r.adkCost.Allocs, r.ourCost.Allocs, r.allocsRatio())
	}
	b.WriteString("\nGrowth of the cost of a node, CPU time, bytes and allocations:\n\n")
	b.WriteString("| from | to | ADK | ours |\n|---|---|---|---|\n")
	byName := map[string]row{}
	for _, r := range rows {
		byName[r.name] = r
		small, ok := byName[r.growsFrom]
		if !ok {
			continue
		}
		theirs := row{ourCost: r.adkCost}.growth(row{ourCost: small.adkCost})
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", small.name, r.name, factors(theirs), factors(r.growth(small)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func factors(all []grown) string {
	var texts []string
	for _, g := range all {
		texts = append(texts, fmt.Sprintf("%.2f", g.factor))
	}
	return strings.Join(texts, ", ")
}
