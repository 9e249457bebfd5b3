package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// row is what a case costs on both sides.
type row struct {
	benchCase

	our, their cost
	// cpuRatio is how much of their CPU time ours takes.
	cpuRatio float64
}

// misses lists the goals that the row misses.
func (r row) misses() []string {
	var missed []string
	if r.budget > 0 && r.our.cpu > r.budget {
		missed = append(missed, fmt.Sprintf("%s: %s of CPU time, at most %s", r.name, r.our.cpu, r.budget))
	}
	if r.ratio > 0 && r.cpuRatio > r.ratio {
		missed = append(missed, fmt.Sprintf("%s: %.3f of cel-go's CPU time, at most %.2f", r.name, r.cpuRatio, r.ratio))
	}
	return missed
}

// writeHead says where and with what the numbers were measured, and begins the table.
func writeHead(w io.Writer, samples int) error {
	_, err := fmt.Fprintf(w, `%s, %d cores, %s/%s, load %s
%s, cel-go %s, medians of %d, %s

| | CPU, cel-go | ours | ratio | bytes, cel-go | ours | allocations, cel-go | ours | goal |
|---|---:|---:|---:|---:|---:|---:|---:|---|
`, processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, load(), runtime.Version(), celVersion(), samples,
		time.Now().UTC().Format("2006-01-02 15:04 UTC"))
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
		theirs = [...]string{micros(r.their.cpu), fmt.Sprintf("%.3f", r.cpuRatio),
			fmt.Sprintf("%.0f", r.their.bytes), fmt.Sprintf("%.0f", r.their.allocs)}
	}
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.0f | %s | %.0f | %s |\n", r.name,
		theirs[0], micros(r.our.cpu), theirs[1], theirs[2], r.our.bytes, theirs[3], r.our.allocs, goal)
	return err
}

func micros(d time.Duration) string {
	return fmt.Sprintf("%.2f µs", float64(d)/float64(time.Microsecond))
}

var modelPattern = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// processor is the name of the processor, where the system tells it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if found := modelPattern.FindSubmatch(text); err == nil && found != nil {
		return string(found[1])
	}
	return "unknown processor"
}

// load is the load of the machine in the last minute, where the system tells it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

func celVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "cel.dev/cel-go" {
				return dep.Version
			}
		}
	}
	return "of unknown version"
}
