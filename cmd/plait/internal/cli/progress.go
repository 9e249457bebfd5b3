package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// progress tells a person what a run does, one line an event.
type progress struct {
	streams      Streams
	run, session string
	store        string // the flag that names the store; empty for the default
}

func (p progress) show(e workflow.Event) {
	switch e.Kind {
	case workflow.NodeStarted:
		if e.Attempt > 1 {
			p.linef(e.Path, "attempt %d", e.Attempt)
		} else {
			p.linef(e.Path, "…")
		}
	case workflow.NodeCompleted:
		p.linef(e.Path, "done%s%s", routes(e.Routes), took(e.Duration))
	case workflow.NodeRetrying:
		p.linef(e.Path, "attempt %d failed: %s; again in %s", e.Attempt, e.Err.Message, e.Delay.Round(time.Millisecond))
	case workflow.NodeFailed:
		p.linef(e.Path, "failed: %s (%s)", e.Err.Message, e.Err.Code)
	case workflow.NodeCanceled:
		p.linef(e.Path, "cancelled")
	case workflow.NoteTaken:
		if n, ok := e.Record.(journal.Note); ok {
			p.linef(n.Path, "%s: %s", n.Code, n.Text)
		}
	case workflow.CallIntended:
		if c, ok := e.Record.(journal.Call); ok {
			p.linef(c.Path, "calls %s", toolName(c))
		}
	case workflow.MessageAdded:
		if m, ok := e.Record.(journal.Msg); ok {
			p.result(m)
		}
	case workflow.NodeWaiting:
		if w, ok := e.Record.(journal.Wait); ok {
			for _, ask := range w.Asks {
				p.linef(e.Path, "asks: %s", firstLine(ask.Message))
			}
		}
	case workflow.RunSuspended:
		if stop, ok := e.Record.(journal.Stop); ok && stop.Why != workflow.SuspendedDrain {
			p.linef("run", "suspended: %s", stop.Why)
		}
	case workflow.RunStarted, workflow.RunResumed:
		p.streams.sayf("run %s in session %s", p.run, p.session)
	case workflow.Progressed, workflow.RunCompleted, workflow.RunFailed, workflow.RunCanceled, workflow.RunWaiting:
		// The last four are the verb's result.
	}
}

// questions tells what a run waits for, and how to answer.
func (p progress) questions(e workflow.Event) {
	p.streams.sayf("the run waits for a person:")
	for _, i := range e.Interrupts {
		p.streams.sayf("  %s asks: %s", i.Path, strings.ReplaceAll(i.Ask.Message, "\n", "\n    "))
		if i.Ask.Kind == journal.AskApproval {
			p.streams.sayf("    %s %s", i.Ask.Tool, i.Ask.Args)
		}
		if i.Ask.Payload != nil {
			if text, err := journal.EncodeValue(i.Ask.Payload); err == nil {
				p.streams.sayf("    %s", text)
			}
		}
		if rule := answerRule(i.Ask); rule != "" {
			p.streams.sayf("    %s", rule)
		}
		if !i.Ask.Deadline.IsZero() {
			p.streams.sayf("    until %s", i.Ask.Deadline.Local().Format(time.DateTime))
		}
		p.streams.sayf("    answer with: plait answer %s%s --id %s %s", p.run, p.store, i.Ask.ID, answerForm(i.Ask))
	}
}

// result shows a tool's refusal or failure: the model reads it, and the person should, too.
func (p progress) result(m journal.Msg) {
	if r, ok := core.ResultOf(m); ok && r.Error {
		p.linef(m.Path, "%s: %s", r.Name, firstLine(r.Text))
	}
}

func (p progress) linef(path, format string, args ...any) {
	p.streams.sayf("  %-16s %s", path, fmt.Sprintf(format, args...))
}

func toolName(c journal.Call) string {
	if c.Server == "" {
		return c.Tool
	}
	return c.Server + "/" + c.Tool
}

func routes(r []string) string {
	if len(r) == 0 {
		return ""
	}
	return " → " + strings.Join(r, ", ")
}

// took leaves out what is too short to matter to a person.
func took(d time.Duration) string {
	if d < time.Millisecond {
		return ""
	}
	return fmt.Sprintf(" (%s)", d.Round(time.Millisecond))
}

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		return line + " …"
	}
	return line
}
