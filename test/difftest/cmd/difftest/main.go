// Command difftest compares our wires with the references. With -verify it first writes these anew with the vendors' SDKs, beside
// the ones that are kept, and demands that they are the same byte by byte.
//
// It exits with 0 when all is as the ledger says, with 1 when something isn't, with 2 when it can't be found out, and with 3 when
// references are missing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/plait-dev/plait/test/difftest/capture"
	"github.com/plait-dev/plait/test/difftest/check"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

func main() {
	verify := flag.Bool("verify", false, "write the references anew and compare them with those that are kept")
	dir := flag.String("refs", "refs", "the directory of the references")
	flag.Parse()
	wrong, err := run(context.Background(), os.Stdout, *dir, *verify)
	for _, w := range wrong {
		fmt.Fprintln(os.Stderr, w)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code(wrong, err))
}

func code(wrong []string, err error) int {
	if _, dark := errors.AsType[*check.DarkError](err); dark {
		return 3
	}
	switch {
	case err != nil:
		return 2
	case len(wrong) > 0:
		return 1
	}
	return 0
}

func run(ctx context.Context, w io.Writer, dir string, verify bool) (wrong []string, err error) {
	refs, err := check.Load(dir)
	if err != nil {
		return nil, err
	}
	if verify {
		if wrong, err = capture.Verify(ctx, dir); err != nil {
			return nil, err
		}
	}
	found, err := check.All(ctx, refs)
	if err != nil {
		return wrong, err
	}
	if err := sumUp(w, refs, found); err != nil {
		return wrong, err
	}
	return append(wrong, check.Judge(found, check.Ledger())...), nil
}

// sumUp prints a table: for each vendor the SDK and its version, how many scenarios were compared, and the differences of each channel.
func sumUp(w io.Writer, refs check.References, found []check.Finding) error {
	channels := []check.Channel{check.Sent, check.Header, check.Bytes, check.Read, check.Damaged}
	counts := map[string]map[check.Channel]int{}
	for _, f := range found {
		if counts[f.Vendor] == nil {
			counts[f.Vendor] = map[check.Channel]int{}
		}
		counts[f.Vendor][f.Channel]++
	}
	rows := []string{
		"| wire | SDK | scenarios |" + cells(channels, func(c check.Channel) string { return " " + string(c) + " |" }),
		"|---|---|---:|" + cells(channels, func(check.Channel) string { return "---:|" }),
	}
	for _, vendor := range scenario.Vendors() {
		row := fmt.Sprintf("| %s | %s | %d |", vendor, refs.SDK(vendor), len(refs[vendor]))
		rows = append(rows, row+cells(channels, func(c check.Channel) string { return fmt.Sprintf(" %d |", counts[vendor][c]) }))
	}
	_, err := fmt.Fprintf(w, "Differences from the SDKs, each of which the ledger has to accept:\n\n%s\n", strings.Join(rows, "\n"))
	return err
}

func cells(channels []check.Channel, cell func(check.Channel) string) string {
	var b strings.Builder
	for _, c := range channels {
		b.WriteString(cell(c))
	}
	return b.String()
}
