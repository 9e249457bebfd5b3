package adkparity

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What there is to see of an outcome.

func class(o Outcome) string { return string(o.Class) }

func output(o Outcome) string {
	if o.Class != Completed {
		return string(o.Class)
	}
	return jsonText(plain(o.Output))
}

func calls(node string) func(Outcome) string {
	return func(o Outcome) string {
		n := 0
		for call, count := range o.Calls {
			if strings.HasPrefix(call, node+" attempt ") {
				n += count
			}
		}
		return fmt.Sprintf("%s runs %d times, %s", node, n, o.Class)
	}
}

// once is for what goes wrong in more than one way.
func once(node string) func(Outcome) string {
	return func(o Outcome) string {
		if calls(node)(o) == node+" runs 1 times, completed" {
			return node + " runs once, completed"
		}
		return node + " runs twice, or the run hangs or fails"
	}
}

var keyPattern = regexp.MustCompile(`"(\w+)":`)

// firings tells with which sources the join J fired.
func firings(o Outcome) string {
	var all []string
	for given, count := range o.Fired {
		if value, ok := strings.CutPrefix(given, "J gives "); ok {
			var sources []string
			for _, key := range keyPattern.FindAllStringSubmatch(value, -1) {
				sources = append(sources, key[1])
			}
			all = append(all, slices.Repeat([]string{fmt.Sprintf("J fires with %v", sources)}, count)...)
		}
	}
	if len(all) == 0 {
		return "J never fires"
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// missing counts the sources of the join J that brought nothing.
func missing(o Outcome) string {
	n := 0
	for given := range o.Fired {
		if strings.HasPrefix(given, "J gives ") {
			n += strings.Count(given, ":null")
		}
	}
	return fmt.Sprintf("J got %d values of nothing", n)
}

var elementPattern = regexp.MustCompile(`\.(\d)$`)

func item(o Outcome) string {
	if o.Err == nil {
		return "no error"
	}
	return "item " + strings.TrimPrefix(elementPattern.FindString(o.Err.Error()), ".") + " is to blame"
}

func names(path string) func(Outcome) string {
	return func(o Outcome) string {
		if o.Err == nil || !strings.Contains(o.Err.Error(), path) {
			return "the error doesn't name " + path
		}
		return "the error names " + path
	}
}

func longest(node string, most time.Duration) func(Outcome) string {
	return func(o Outcome) string {
		if slices.ContainsFunc(o.Gaps[node], func(gap float64) bool { return gap > most.Seconds() }) {
			return fmt.Sprintf("some pause is longer than %v", most)
		}
		return fmt.Sprintf("no pause is longer than %v", most)
	}
}

func seen(node string) func(Outcome) string {
	return func(o Outcome) string {
		if slices.Contains(o.Seen, node) {
			return node + "'s output is seen"
		}
		return node + "'s output is not seen"
	}
}

// branches tells on which branches executions of the nodes stood.
func branches(nodes ...string) func(Outcome) string {
	return func(o Outcome) string {
		var all []string
		for stood, n := range o.Branches {
			node, branch, _ := strings.Cut(stood, onBranch)
			if slices.Contains(nodes, node) {
				all = append(all, slices.Repeat([]string{node + onBranch + cmp.Or(branch, "the trunk")}, n)...)
			}
		}
		slices.Sort(all)
		return strings.Join(all, ", ")
	}
}

// state tells the value of the key k.
func state(o Outcome) string { return "k is " + jsonText(plain(o.State["k"])) }

func notes(o Outcome) string {
	if len(o.Notes) == 0 {
		return "no warning"
	}
	return strings.Join(o.Notes, ", ")
}

func peak(o Outcome) string { return fmt.Sprintf("%d at once", o.Peak) }

func blamed(nodes ...string) func(Outcome) string {
	return func(o Outcome) string {
		var told []string
		for _, node := range nodes {
			if o.Err != nil && regexp.MustCompile(`\b`+node+`\b`).MatchString(o.Err.Error()) {
				told = append(told, node)
			}
		}
		if len(told) == len(nodes) {
			return "all is told"
		}
		return "only " + strings.Join(told, ", ") + " is told"
	}
}
