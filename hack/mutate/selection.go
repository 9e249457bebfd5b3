package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// selection picks rows.
type selection struct {
	rows []int  // empty: all
	pkg  string // how the owner begins; empty: all
}

// parseSelection reads "3,7-9" and the beginning of a package.
func parseSelection(rows, pkg string) (selection, error) {
	s := selection{pkg: strings.TrimSuffix(strings.TrimPrefix(pkg, "./"), "/...")}
	for part := range strings.SplitSeq(rows, ",") {
		if part == "" {
			continue
		}
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || last < first {
			return s, fmt.Errorf("rows %q: numbers and ranges such as 3,7-9 are expected", rows)
		}
		for id := first; id <= last; id++ {
			s.rows = append(s.rows, id)
		}
	}
	return s, nil
}

func (s selection) has(r Row) bool {
	return (len(s.rows) == 0 || slices.Contains(s.rows, r.ID)) && (r.Owner == s.pkg || s.pkg == "" || strings.HasPrefix(r.Owner, s.pkg+"/"))
}
