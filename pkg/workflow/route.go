package workflow

import (
	"fmt"
	"strconv"

	"github.com/plait-dev/plait/pkg/workflow/graph"
)

// Route says when an edge fires. A nil Route is unconditional: the edge fires whenever its node succeeds. The set of
// routes is closed: [StringRoute], [IntRoute], [BoolRoute], [MultiRoute], [Default] and [Error].
type Route interface{ texts() []string }

// StringRoute fires when the node produced this route.
type StringRoute string

// IntRoute fires when the node produced the route that reads like this number.
type IntRoute int

// BoolRoute fires when the node produced the route "true" or "false".
type BoolRoute bool

// MultiRoute fires when any of its elements would: texts, numbers, booleans, or routes such as [Default].
type MultiRoute[T any] []T

type keyword string

const (
	// Default fires when the node succeeded and none of its edges with a concrete route fired.
	Default = keyword(graph.Default)

	// Error fires when the node failed and is not tried again. Its value is a map with the keys message, type, code,
	// node, path, attempts and input. A node with an Error edge doesn't end the run by failing.
	Error = keyword(graph.Error)
)

func (r StringRoute) texts() []string { return []string{string(r)} }
func (r IntRoute) texts() []string    { return []string{strconv.Itoa(int(r))} }
func (r BoolRoute) texts() []string   { return []string{strconv.FormatBool(bool(r))} }
func (k keyword) texts() []string     { return []string{string(k)} }

func (r MultiRoute[T]) texts() []string {
	texts := make([]string, 0, len(r))
	for _, element := range r {
		if nested, ok := any(element).(Route); ok {
			texts = append(texts, nested.texts()...)
			continue
		}
		texts = append(texts, fmt.Sprint(element))
	}
	return texts
}
