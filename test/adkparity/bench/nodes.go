package main

import (
	"github.com/plait-dev/plait/pkg/workflow"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"
	adk "google.golang.org/adk/v2/workflow"
)

// The routes of a gate.
const (
	again = "again"
	done  = "done"
)

func adkEcho(name string) adk.Node {
	return adk.NewFunctionNode(name, func(_ agent.Context, input any) (any, error) { return input, nil }, adk.NodeConfig{})
}

func ourEcho(name string) workflow.Node { return ourFunction(name, workflow.NodeConfig{}) }

func ourFunction(name string, cfg workflow.NodeConfig) workflow.Node {
	return workflow.NewFunctionNode(name, func(_ *workflow.Context, input any) (any, error) { return input, nil }, cfg)
}

func adkGives(name string, value any) adk.Node {
	return adk.NewFunctionNode(name, func(agent.Context, any) (any, error) { return value, nil }, adk.NodeConfig{})
}

func ourGives(name string, value any) workflow.Node {
	return workflow.NewFunctionNode(name, func(*workflow.Context, any) (any, error) { return value, nil }, workflow.NodeConfig{})
}

// counter chooses the route of a gate; after the last lap it begins anew, for the next run.
func counter(laps int) func() []string {
	lap, onward, out := 0, []string{again}, []string{done}
	return func() []string {
		if lap++; lap < laps {
			return onward
		}
		lap = 0
		return out
	}
}

func adkGate(name string, laps int) adk.Node {
	next := counter(laps)
	return adk.NewFunctionNode(name, func(ctx agent.Context, input any) (*session.Event, error) {
		ev := session.NewEvent(ctx, ctx.InvocationID())
		ev.Output = input
		ev.Routes = next()
		return ev, nil
	}, adk.NodeConfig{})
}

func ourGate(name string, laps int) workflow.Node {
	next := counter(laps)
	return workflow.NewNode(name, func(_ *workflow.Context, input any) (workflow.Result, error) {
		return workflow.Result{Output: input, Routes: next()}, nil
	}, workflow.NodeConfig{})
}
