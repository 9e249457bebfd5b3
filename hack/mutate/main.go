package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"
)

// rowCount is how many rows there are. It is told here so that a row can't be lost in silence.
const rowCount = 216

func main() {
	check := flag.Bool("check", false, "leave out what needs a compiler")
	rows := flag.String("rows", "", "which rows, such as 3,7-9; empty: all")
	pkg := flag.String("pkg", "", "only rows of this package and those below it")
	parallel := flag.Int("parallel", runtime.NumCPU(), "how many mutations are tried at a time")
	timeout := flag.Duration("timeout", 30*time.Second, "how long the tests of a mutation may take; tests that hang have noticed")
	flag.Parse()
	chosen, err := parseSelection(*rows, *pkg)
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		folder := Folder{Root: ".", Dir: "hack/mutate", Count: rowCount}
		round := Round{Lab: Lab{Root: ".", Timeout: *timeout}, Parallel: *parallel, Out: os.Stdout}
		if *check {
			round.Parallel = 0
		}
		err = mutate(ctx, folder, round, chosen)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// mutate checks all rows, and tries the mutations of those that are chosen unless round does none at a time.
func mutate(ctx context.Context, folder Folder, round Round, chosen selection) error {
	rows, mutations, problems, err := folder.Check()
	if err != nil {
		return err
	}
	mutations = slices.DeleteFunc(mutations, func(m Mutation) bool { return !chosen.has(m.Row) })
	if round.Parallel > 0 && len(mutations) > 0 {
		scratch, err := os.MkdirTemp("", "mutate-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(scratch) }()
		round.Lab.Scratch = scratch
		problems = append(problems, round.Run(ctx, mutations)...)
	}
	if err := report(round.Out, rows, problems); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("%d problems", len(problems))
	}
	return nil
}

// report lists problems and counts the rows by state.
func report(w io.Writer, rows []Row, problems []Problem) error {
	var text strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&text, p)
	}
	count := map[State]int{}
	for _, r := range rows {
		count[r.State]++
	}
	fmt.Fprintf(&text, "%d rows: %d live, %d open, %d void\n", len(rows), count[Live], count[Open], count[Void])
	_, err := io.WriteString(w, text.String())
	return err
}
