package expr

import "strings"

// nearest returns the candidate that name was probably meant to be, "" if none is close: one that differs in few
// letters, or that name is the beginning of. Among equals the first wins.
func nearest(name string, candidates []string) string {
	const shortest = 3 // a beginning that says something
	best, allowed := "", max(1, len(name)/3)
	for _, c := range candidates {
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if len(name) >= shortest && strings.HasPrefix(c, name) {
			d = min(d, 1)
		}
		if d <= allowed && c != name {
			best, allowed = c, d-1
		}
	}
	return best
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// didYouMean is the hint for a misspelt name, "" if nothing is near.
func didYouMean(name string, candidates []string) string {
	if c := nearest(name, candidates); c != "" {
		return "did you mean " + quote(c) + "?"
	}
	return ""
}
