package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/plait-dev/plait/test/benchkit"
)

// writeHead says where and with what the numbers were measured.
func writeHead(w io.Writer, samples int) error {
	var peers []benchkit.Peer
	for _, f := range frameworks()[1:] {
		peers = append(peers, f.Peer)
	}
	_, err := fmt.Fprint(w, benchkit.HeadOf(samples, peers...))
	return err
}

// writeLoopHead begins the table of the loops.
func writeLoopHead(w io.Writer) error {
	var names strings.Builder
	for _, what := range []string{"CPU", "allocations"} {
		for i, f := range frameworks() {
			if i > 0 {
				what = ""
			}
			names.WriteString(strings.TrimSuffix(" "+what+", "+f.Name, ", ") + " |")
		}
	}
	rule := strings.Repeat("---:|", 2*len(frameworks()))
	_, err := fmt.Fprintf(w, "\n| |%s ratio to %s |\n|---|%s---:|\n", strings.ReplaceAll(names.String(), " , ", " "), frameworks()[1].Name, rule)
	return err
}

// loopRow is what a turn costs on all sides.
type loopRow struct {
	loopCase

	costs [][]benchkit.Cost
}

func (r loopRow) ours() benchkit.Cost { return benchkit.Median(r.costs[0]) }

// ratio is how much of the CPU time of the first peer ours takes.
func (r loopRow) ratio() float64 { return benchkit.Ratio(r.costs[0], r.costs[1]) }

func (r loopRow) write(w io.Writer) error {
	var cpu, allocs strings.Builder
	for _, c := range r.costs {
		m := benchkit.Median(c)
		fmt.Fprintf(&cpu, " %s |", benchkit.Micros(m.CPU))
		fmt.Fprintf(&allocs, " %.1f |", m.Allocs)
	}
	_, err := fmt.Fprintf(w, "| %s |%s%s %.3f |\n", r.name, cpu.String(), allocs.String(), r.ratio())
	return err
}

// misses lists the goals that a row misses.
func (r loopRow) misses() []string {
	var missed []string
	if !r.turn {
		return nil
	}
	if cpu := r.ours().CPU; cpu > turnBudget {
		missed = append(missed, fmt.Sprintf("%s: %s of CPU time, at most %s", r.name, benchkit.Micros(cpu), benchkit.Micros(turnBudget)))
	}
	if ratio := r.ratio(); !r.streamed && ratio >= 1 {
		missed = append(missed, fmt.Sprintf("%s: %.2f of the CPU time of %s, less than 1", r.name, ratio, frameworks()[1].Name))
	}
	return missed
}
