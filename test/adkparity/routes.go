package adkparity

import (
	"strconv"

	"github.com/plait-dev/plait/pkg/workflow"
	adk "google.golang.org/adk/v2/workflow"
)

// adkRoute is the route of an edge on ADK.
func adkRoute(e Edge) adk.Route {
	switch {
	case len(e.On) == 0:
		return nil
	case e.On[0] == Default:
		return adk.Default
	case e.Type == "int" && len(e.On) == 1:
		return adk.IntRoute(number(e.On[0]))
	case e.Type == "int":
		return adk.MultiRoute[int](numbers(e.On))
	case e.Type == "bool":
		return adk.BoolRoute(e.On[0] == "true")
	case len(e.On) == 1:
		return adk.StringRoute(e.On[0])
	}
	return adk.MultiRoute[string](e.On)
}

// ourRoute is the route of an edge on ours.
func ourRoute(e Edge) workflow.Route {
	switch {
	case len(e.On) == 0:
		return nil
	case e.On[0] == Default:
		return workflow.Default
	case e.On[0] == Error:
		return workflow.Error
	case e.Type == "int" && len(e.On) == 1:
		return workflow.IntRoute(number(e.On[0]))
	case e.Type == "int":
		return workflow.MultiRoute[int](numbers(e.On))
	case e.Type == "bool":
		return workflow.BoolRoute(e.On[0] == "true")
	case len(e.On) == 1:
		return workflow.StringRoute(e.On[0])
	}
	return workflow.MultiRoute[string](e.On)
}

// inDocument is the route of an edge in a document, where numbers and truth values stand as they are.
func (e Edge) inDocument() any {
	var routes []any
	for _, on := range e.On {
		switch e.Type {
		case "int":
			routes = append(routes, number(on))
		case "bool":
			routes = append(routes, on == "true")
		default:
			routes = append(routes, on)
		}
	}
	if len(routes) == 1 {
		return routes[0]
	}
	return routes
}

// number is the number that a route reads like; 0 if it doesn't.
func number(route string) int {
	n, _ := strconv.Atoi(route)
	return n
}

func numbers(routes []string) []int {
	var all []int
	for _, route := range routes {
		all = append(all, number(route))
	}
	return all
}
