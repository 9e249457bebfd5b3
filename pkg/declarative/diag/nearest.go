package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// The length of names that are compared, and how many of them: a hostile document costs no more than an honest one.
const (
	maxNearest    = 64
	maxCandidates = 250
)

// shortestBeginning is how much of a word says which one is meant.
const shortestBeginning = 3

// Nearest returns the candidate that name is probably a misspelling of, or "" when none is near. A candidate is near
// when at most a third of the longer word has to be changed (swapping two neighbours is one change), when only case and
// separators differ, or when name is its beginning. Among equals the first candidate wins.
func Nearest(name string, candidates []string) string {
	if name == "" || len(name) > maxNearest {
		return ""
	}
	best, bestDistance := "", -1
	squashed := squash(name)
	for _, c := range candidates[:min(len(candidates), maxCandidates)] {
		if c == "" || len(c) > maxNearest {
			continue
		}
		d := distance(squashed, squash(c))
		if len(name) >= shortestBeginning && strings.HasPrefix(c, name) {
			d = min(d, 1)
		} else if d > max(len(name), len(c))/3 {
			continue
		}
		if bestDistance < 0 || d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// DidYouMean returns the question that a diagnostic asks when a name is nearly right, or "".
func DidYouMean(name string, candidates []string) string {
	if n := Nearest(name, candidates); n != "" && n != name {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return ""
}

// squash removes what people get wrong without misspelling: case and separators.
func squash(s string) []rune {
	kept := make([]rune, 0, len(s))
	for _, r := range s {
		if !strings.ContainsRune("_- .", r) {
			kept = append(kept, unicode.ToLower(r))
		}
	}
	return kept
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
