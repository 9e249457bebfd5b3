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

// writeHead says where and with what the numbers were measured.
func writeHead(w io.Writer, samples int, files fileCost) error {
	_, err := fmt.Fprintf(w, "%s, %d cores, %s/%s, load %s\n%s, ADK %s, medians of %d, %s\n"+
		"a write of %d bytes to a file %s, a new file %s\n",
		processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, load(), runtime.Version(), adkVersion(), samples,
		time.Now().UTC().Format("2006-01-02 15:04 UTC"), line, micros(files.write), micros(files.create))
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
			micros(r.adkCost.cpu), micros(r.ourCost.cpu), r.cpuRatio(), r.adkCost.bytes, r.ourCost.bytes, r.bytesRatio(),
			r.adkCost.allocs, r.ourCost.allocs, r.allocsRatio())
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

func micros(d time.Duration) string {
	return fmt.Sprintf("%.2f µs", float64(d)/float64(time.Microsecond))
}

func factors(all []grown) string {
	var texts []string
	for _, g := range all {
		texts = append(texts, fmt.Sprintf("%.2f", g.factor))
	}
	return strings.Join(texts, ", ")
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

func adkVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "google.golang.org/adk/v2" {
				return dep.Version
			}
		}
	}
	return "of unknown version"
}
