package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Round makes mutations one after the other, several at a time.
type Round struct {
	Lab      Lab
	Parallel int
	Out      io.Writer // progress: a line for each row
}

// Run returns what is wrong with the mutations. First all tests are run without one.
func (r Round) Run(ctx context.Context, mutations []Mutation) []Problem {
	red := r.baselines(ctx, mutations)
	found := make([]*Problem, len(mutations))
	var lines sync.Mutex
	each(r.Parallel, len(mutations), func(i int) {
		m := mutations[i]
		begin, err := time.Now(), red[m.Package+" "+strings.Join(m.Tests, "|")]
		if err == nil {
			err = r.Lab.Notices(ctx, m)
		}
		lines.Lock()
		defer lines.Unlock()
		verdict := "noticed"
		if err != nil {
			verdict = "PROBLEM"
			found[i] = &Problem{m.ID, err.Error()}
		}
		_, _ = fmt.Fprintf(r.Out, "%s %4d %5.1fs  %s %s\n", verdict, m.ID, time.Since(begin).Seconds(), m.Package, strings.Join(m.Tests, "|"))
	})
	var problems []Problem
	for _, p := range found {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	return problems
}

// baselines runs the tests of all mutations without them, each package at once, and returns the errors by package and
// tests of a row.
func (r Round) baselines(ctx context.Context, mutations []Mutation) map[string]error {
	tests := map[string][]string{}
	for _, m := range mutations {
		tests[m.Package] = append(tests[m.Package], m.Tests...)
	}
	packages := slices.Sorted(maps.Keys(tests))
	failed := make([]map[string]error, len(packages))
	each(r.Parallel, len(packages), func(i int) {
		names := tests[packages[i]]
		slices.Sort(names)
		failed[i] = r.Lab.Baseline(ctx, packages[i], slices.Compact(names))
	})
	red := map[string]error{}
	for _, m := range mutations {
		i, _ := slices.BinarySearch(packages, m.Package)
		for _, name := range m.Tests {
			if err := failed[i][name]; err != nil {
				red[m.Package+" "+strings.Join(m.Tests, "|")] = err
			}
		}
	}
	return red
}

// each calls f with 0 to n-1, at most limit at a time, and waits for all.
func each(limit, n int, f func(i int)) {
	var running sync.WaitGroup
	places := make(chan struct{}, max(1, limit))
	for i := range n {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			f(i)
		})
	}
	running.Wait()
}
