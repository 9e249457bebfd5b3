// Command providerbench measures what a delta of an answer costs with each of our wires, beside a plain decoder of net/http and
// encoding/json and the vendor's own SDK, in turns within one process, and what an answer in one piece costs. It prints two tables.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/plait-dev/plait/test/benchkit"
	"github.com/plait-dev/plait/test/deltas"
)

func main() { os.Exit(benchkit.Command(os.Stdout, os.Stderr, benchkit.Usual(9), bench)) }

// most is the goal: how much more a wire may cost than the plain decoder, in CPU time and in bytes.
const most = 1.2

// bench measures all wires and lists the goals that are missed.
func bench(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) (missed []string, err error) {
	peers := []benchkit.Peer{
		{Name: "anthropic-sdk-go", Module: "github.com/anthropics/anthropic-sdk-go"}, {Name: "openai-go", Module: "github.com/openai/openai-go/v3"},
		{Name: "genai", Module: "google.golang.org/genai"}, {Name: "ollama", Module: "github.com/ollama/ollama"},
	}
	if _, err := fmt.Fprint(w, benchkit.HeadOf(m.Samples, peers...)); err != nil {
		return nil, err
	}
	for _, whole := range []bool{false, true} {
		more, err := table(ctx, w, name, m, whole)
		if err != nil {
			return nil, err
		}
		missed = append(missed, more...)
	}
	return missed, nil
}

// table measures all wires with streams or with answers in one piece.
func table(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter, whole bool) (missed []string, err error) {
	what, per := fmt.Sprintf("a delta of %d", deltas.Count), deltas.Count
	if whole {
		what, per = "an answer in one piece", 1
	}
	head := "\n| %s | CPU, ours | plain | SDK | ours/plain | SDK/ours | bytes, ours | plain | SDK | ours/plain | SDK/ours | allocations, ours | plain | SDK |\n" +
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
	if _, err := fmt.Fprintf(w, head, what); err != nil {
		return nil, err
	}
	for _, a := range deltas.Answers(whole) {
		if !name.MatchString(a.Vendor) {
			continue
		}
		r, err := measure(ctx, m, a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Vendor, err)
		}
		if err := r.write(w, per); err != nil {
			return nil, err
		}
		missed = append(missed, r.misses(what)...)
	}
	return missed, nil
}

// row is what the three sides cost.
type row struct {
	vendor string
	costs  [][]benchkit.Cost // ours, plain, SDK
}

func measure(ctx context.Context, m benchkit.Meter, a deltas.Answer) (row, error) {
	r := row{vendor: a.Vendor}
	readers, err := readers(ctx, a)
	if err != nil {
		return r, err
	}
	var sides []benchkit.Side
	for _, read := range readers {
		sides = append(sides, func() error {
			_, _, err := read()
			return err
		})
	}
	r.costs, err = m.Measure(sides...)
	return r, err
}

// readers are the three sides.
func readers(ctx context.Context, a deltas.Answer) ([]deltas.Reader, error) {
	ours, err := deltas.Ours(ctx, a)
	if err != nil {
		return nil, err
	}
	theirs, err := sdk(ctx, a)
	return []deltas.Reader{ours, deltas.Plain(ctx, a), theirs}, err
}

func (r row) write(w io.Writer, per int) error {
	ours, plain, sdk := benchkit.Median(r.costs[0]).Per(per), benchkit.Median(r.costs[1]).Per(per), benchkit.Median(r.costs[2]).Per(per)
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %.2f | %.1f | %.0f | %.0f | %.0f | %.2f | %.1f | %.1f | %.1f | %.1f |\n", r.vendor,
		benchkit.Micros(ours.CPU), benchkit.Micros(plain.CPU), benchkit.Micros(sdk.CPU), r.cpu(), benchkit.Ratio(r.costs[2], r.costs[0]),
		ours.Bytes, plain.Bytes, sdk.Bytes, r.bytes(), sdk.Bytes/ours.Bytes, ours.Allocs, plain.Allocs, sdk.Allocs)
	return err
}

// cpu and bytes are how much of the plain decoder's ours takes.
func (r row) cpu() float64 { return benchkit.Ratio(r.costs[0], r.costs[1]) }

func (r row) bytes() float64 {
	return benchkit.Median(r.costs[0]).Bytes / benchkit.Median(r.costs[1]).Bytes
}

// misses lists the goals that a row misses.
func (r row) misses(what string) (missed []string) {
	if cpu := r.cpu(); cpu > most {
		missed = append(missed, fmt.Sprintf("%s, %s: %.2f of the CPU time of a plain decoder, at most %.1f", r.vendor, what, cpu, most))
	}
	if bytes := r.bytes(); bytes > most {
		missed = append(missed, fmt.Sprintf("%s, %s: %.2f of the bytes of a plain decoder, at most %.1f", r.vendor, what, bytes, most))
	}
	return missed
}
