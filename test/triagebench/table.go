package main

import (
	"fmt"

	"github.com/plait-dev/plait/test/benchkit"
)

const tableHead = `| | CPU, ADK | ours | ratio | bytes, ADK | ours | ratio | allocations, ADK | ours | ratio |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

// row is what a message costs on both sides.
type row struct {
	name         string
	ours, theirs []benchkit.Cost
}

func (r row) line() string {
	own, adk := benchkit.Median(r.ours), benchkit.Median(r.theirs)
	return fmt.Sprintf("| %s | %s | %s | %.3f | %.0f | %.0f | %.3f | %.1f | %.1f | %.3f |\n", r.name,
		benchkit.Micros(adk.CPU), benchkit.Micros(own.CPU), benchkit.Ratio(r.ours, r.theirs),
		adk.Bytes, own.Bytes, own.Bytes/adk.Bytes, adk.Allocs, own.Allocs, own.Allocs/adk.Allocs)
}

// misses lists the goals that the row misses.
func (r row) misses() []string {
	var missed []string
	if ratio := benchkit.Ratio(r.ours, r.theirs); ratio > mostTime {
		missed = append(missed, fmt.Sprintf("%s: %.3f of ADK's CPU time, at most %.2f", r.name, ratio, mostTime))
	}
	if own := benchkit.Median(r.ours); own.CPU > budget {
		missed = append(missed, fmt.Sprintf("%s: %s of CPU time, at most %s", r.name, benchkit.Micros(own.CPU), benchkit.Micros(budget)))
	}
	return missed
}
