package declarative

import "fmt"

func (w *canonicalWriter) graph(o object, g *Graph) {
	o["nodes"] = each(g.Nodes, w.node)
	edges := []any{}
	for _, e := range g.Edges {
		for _, from := range e.From {
			for _, to := range e.To {
				edges = append(edges, canonicalEdge(from, to, e.Routes))
			}
		}
	}
	o["edges"] = edges
	put(o, "max_concurrency", g.MaxConcurrency)
}

// canonicalEdge writes one route as a text and several as a list.
func canonicalEdge(from, to string, routes []string) object {
	o := object{"from": from, "to": to}
	switch len(routes) {
	case 0:
	case 1:
		o["route"] = routes[0]
	default:
		o["route"] = routes
	}
	return o
}

func (w *canonicalWriter) node(n *Node) any {
	o := object{}
	put(o, "id", n.ID)
	put(o, "type", n.Type)
	put(o, "description", n.Description)
	putDuration(o, "timeout", n.Timeout)
	if n.Retry != nil {
		o["retry"] = canonicalRetry(n.Retry)
	}
	putAny(o, "input_schema", n.InputSchema)
	putAny(o, "output_schema", n.OutputSchema)
	putExpr(o, "input", n.Input)
	put(o, "max_visits", n.MaxVisits)
	w.body(o, n)
	return o
}

func canonicalRetry(r *Retry) object {
	o := object{}
	put(o, "max_attempts", r.MaxAttempts, DefaultMaxAttempts)
	putDuration(o, "initial_delay", r.InitialDelay, DefaultInitialDelay)
	putDuration(o, "max_delay", r.MaxDelay, DefaultMaxDelay)
	put(o, "backoff_factor", r.BackoffFactor, DefaultBackoffFactor)
	if r.Jitter != nil && *r.Jitter != DefaultJitter {
		o["jitter"] = *r.Jitter
	}
	putExpr(o, "when", r.When)
	return o
}

func (w *canonicalWriter) body(o object, n *Node) {
	switch b := n.Body.(type) {
	case *Function:
		put(o, "function", b.Function)
		putConfig(o, b.Config)
		if b.RerunOnResume != nil {
			put(o, "rerun_on_resume", *b.RerunOnResume)
		}
	case *CEL:
		w.cel(o, b)
	case *Tool:
		w.tool(o, b)
	case *LLM:
		w.llm(o, b, ModeSingleTurn)
	case *AgentRef:
		put(o, "agent", b.Agent)
		put(o, "isolation", b.Isolation, Shared)
	case *Join:
	case *Subgraph:
		put(o, "agent", b.Agent)
		if b.Graph != nil {
			w.graph(o, b.Graph)
		}
	case *Worker:
		o["worker"] = w.node(&b.Worker)
		putExpr(o, "items", b.Items, DefaultItems)
		put(o, "max_concurrency", b.MaxConcurrency)
	case *Dynamic:
		w.dynamic(o, b)
	case *HITL:
		w.hitl(o, b)
	default:
		w.err = fmt.Errorf("the node %q of type %q has no body", n.ID, n.Type)
	}
}

// putConfig keeps an empty configuration, as a function may tell it from none.
func putConfig(o object, config any) {
	if config != nil {
		o["config"] = config
	}
}

func (w *canonicalWriter) cel(o object, b *CEL) {
	putAny(o, "vars", each(b.Vars, func(v *Var) any { return object{"name": v.Name, "expr": v.Expr.Text()} }))
	putExpr(o, "output", b.Output)
	putExpr(o, "route", b.Route)
	putAny(o, "routes", each(b.Routes, func(r *RouteRule) any { return object{"route": r.Route, "when": r.When.Text()} }))
	putAny(o, "state_delta", namedObject(b.StateDelta))
	putExpr(o, "escalate", b.Escalate)
}

func namedObject(all []Named) object {
	o := object{}
	for _, n := range all {
		o[n.Name] = n.Expr.Text()
	}
	return o
}

func (w *canonicalWriter) tool(o object, b *Tool) {
	put(o, "tool", b.Tool)
	put(o, "server", b.Server)
	if b.HasArgs {
		o["args"] = namedObject(b.Args)
	}
	if b.Approval {
		o["approval"] = ApprovalAlways
	}
	put(o, "on_unknown", b.OnUnknown, OnUnknownRetry)
}

func (w *canonicalWriter) dynamic(o object, b *Dynamic) {
	put(o, "function", b.Function)
	putAny(o, "children", each(b.Children, func(c *Child) any {
		if c.Inline != nil {
			return w.node(c.Inline)
		}
		return c.ID
	}))
	put(o, "max_iters", b.MaxIters, DefaultMaxIters)
}

func (w *canonicalWriter) hitl(o object, b *HITL) {
	o["message"] = canonicalText(&b.Message)
	putExpr(o, "payload", b.Payload)
	putAny(o, "response_schema", b.ResponseSchema)
	putDuration(o, "deadline", b.Deadline)
	if d := b.OnDeadline; d != nil {
		after := object{}
		putExpr(after, "output", d.Output)
		put(after, "route", d.Route)
		o["on_deadline"] = after
	}
}

func canonicalText(t *Text) any {
	if t.Expr.Text() != "" {
		return object{"expr": t.Expr.Text()}
	}
	return t.Literal
}

func (w *canonicalWriter) llm(o object, l *LLM, defaultMode string) {
	put(o, "model", l.Model, DefaultModel)
	put(o, "mode", l.Mode, defaultMode)
	put(o, "instruction", l.Instruction)
	putPrompt(o, "instruction_from", l.InstructionFrom)
	put(o, "global_instruction", l.GlobalInstruction)
	putPrompt(o, "global_instruction_from", l.GlobalInstructionFrom)
	putAny(o, "tools", each(l.Tools, func(t *ToolRef) any {
		if t.Agent == "" {
			return t.Name
		}
		entry := object{"agent": t.Agent}
		put(entry, "isolation", t.Isolation, Shared)
		return entry
	}))
	if len(l.Approval) == 1 && l.Approval[0] == ApprovalAlways {
		o["approval"] = ApprovalAlways
	} else {
		putAny(o, "approval", texts(l.Approval))
	}
	putAny(o, "generate", canonicalGenerate(&l.Generate))
	put(o, "output_key", l.OutputKey)
	put(o, "include_contents", l.IncludeContents, "default")
	for _, list := range l.hookLists() {
		putAny(o, list.field, each(list.rules, canonicalHook))
	}
	limits := object{}
	putDuration(limits, "max_duration", l.Limits.MaxDuration)
	put(limits, "max_tokens", l.Limits.MaxTokens)
	put(limits, "max_cost_usd", l.Limits.MaxCostUSD)
	put(limits, "max_turns", l.Limits.MaxTurns, DefaultMaxTurns)
	putAny(o, "limits", limits)
}

func putPrompt(o object, field string, ref *PromptRef) {
	if ref != nil {
		o[field] = object{"config_map": object{"name": ref.Name, "key": ref.Key}}
	}
}

func canonicalGenerate(g *Generate) object {
	o := object{}
	if g.Temperature != nil {
		o["temperature"] = *g.Temperature
	}
	if g.TopP != nil {
		o["top_p"] = *g.TopP
	}
	put(o, "max_output_tokens", g.MaxOutputTokens)
	putAny(o, "stop", texts(g.Stop))
	put(o, "thinking", g.Thinking)
	if g.Seed != nil {
		o["seed"] = *g.Seed
	}
	return o
}

func canonicalHook(h *HookRule) any {
	o := object{}
	put(o, "hook", h.Hook)
	putConfig(o, h.Config)
	putExpr(o, "when", h.When)
	if h.Reject != nil {
		o["reject"] = canonicalText(h.Reject)
	}
	put(o, "accept", h.Accept)
	if h.Ask != nil {
		o["ask"] = canonicalText(h.Ask)
	}
	return o
}
