package check

import (
	"cmp"
	"fmt"
	"strings"
)

// Judge returns what is wrong: faults of ours, differences that no entry accepts, and entries that accept nothing.
func Judge(found []Finding, ledger []Entry) []string {
	var wrong []string
	used := make([]bool, len(ledger))
	for _, f := range found {
		accepted := false
		for i, e := range ledger {
			if e.accepts(f) {
				accepted, used[i] = true, true
			}
		}
		switch {
		case f.Fault:
			wrong = append(wrong, "our fault: "+f.String())
		case !accepted:
			wrong = append(wrong, "not in the ledger: "+f.String())
		}
	}
	for i, e := range ledger {
		if !used[i] {
			wrong = append(wrong, fmt.Sprintf("stale in the ledger: %s, %s at %s (%s)", e.Vendor, e.Channel, e.At, e.Reason))
		}
	}
	return wrong
}

func (e Entry) accepts(f Finding) bool {
	return (e.Vendor == "*" || e.Vendor == f.Vendor) && e.Channel == f.Channel && covers(e.At, f.At) &&
		cmp.Or(e.SDK, f.SDK) == f.SDK && cmp.Or(e.Ours, f.Ours) == f.Ours
}

// covers compares a place with a pattern.
func covers(pattern, at string) bool {
	steps, rest := strings.Split(at, "/"), strings.Split(pattern, "/")
	for i, p := range rest {
		switch {
		case p == "**":
			return len(steps) > i
		case i >= len(steps), p != "*" && p != steps[i]:
			return false
		}
	}
	return len(steps) == len(rest)
}
