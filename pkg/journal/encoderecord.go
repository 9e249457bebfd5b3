package journal

import (
	"fmt"
	"time"
)

// record writes the members of a record, its type first.
func (e *encoder) record(r Record) {
	if r == nil {
		e.fail("t", &ValueError{Problem: "the record is nil"})
		return
	}
	e.str("t", string(r.Kind()))
	switch r := r.(type) {
	case Start:
		e.start(r)
	case End:
		e.end(r)
	case Fail:
		e.failure(r)
	case Wait:
		e.wait(r)
	case Answer:
		e.answer(r)
	case Msg:
		e.message(r)
	case Call:
		e.call(r)
	case Tip:
		e.str("id", r.ID)
	case Sum:
		e.str("id", r.ID)
		e.str("parent", r.Parent)
		e.prose("text", r.Text)
		e.str("upto", r.Upto)
		e.str("within", r.Within)
	default:
		e.control(r)
	}
}

// control writes the records that are about a session or a run as a whole.
func (e *encoder) control(r Record) {
	switch r := r.(type) {
	case Session:
		e.session(r)
	case Run:
		e.run(r)
	case Queue:
		e.str("run", r.Run)
		e.str("msg", r.Message)
	case Note:
		e.str("p", r.Path)
		e.str("code", r.Code)
		e.prose("text", r.Text)
		e.anything("data", r.Data)
	case Own:
		e.str("owner", r.Owner)
		e.integer("ep", r.Epoch)
		e.integer("n", int64(r.Recoveries))
	case Cancel:
		e.str("by", r.By)
		e.prose("reason", r.Reason)
	case Stop:
		e.str("why", r.Why)
		e.time("due", r.Due)
	case Done:
		e.done(r)
	default:
		e.fail("t", &ValueError{Problem: fmt.Sprintf("%T is not a record; records are values of this package", r)})
	}
}

func (e *encoder) start(r Start) {
	e.str("p", r.Path)
	e.list("from", r.From)
	e.optional("in", r.Input)
	e.str("ind", r.InputDigest)
	e.integer("att", int64(r.Attempt))
	e.str("br", r.Branch)
	e.flag("iso", r.Isolated)
	e.optional("state", r.State)
}

func (e *encoder) end(r End) {
	e.str("p", r.Path)
	e.optional("out", r.Output)
	e.list("routes", r.Routes)
	e.state("set", r.Set)
	e.list("del", r.Delete)
	e.str("within", r.Within)
	e.list("next", r.Next)
	e.flag("esc", r.Escalate)
	e.usage(r.Usage)
	e.integer("ms", int64(r.Took/time.Millisecond))
}

func (e *encoder) failure(r Fail) {
	e.str("p", r.Path)
	e.problem(&r.Err)
	e.integer("att", int64(r.Attempt))
	e.time("due", r.Due)
	e.list("next", r.Next)
}

func (e *encoder) problem(f *Failure) {
	if f == nil {
		return
	}
	e.object("err", func() {
		e.str("type", f.Type)
		e.str("code", f.Code)
		e.prose("message", f.Message)
		e.prose("field", f.Field)
	})
}

func (e *encoder) wait(r Wait) {
	e.str("p", r.Path)
	encodeEach(e, "ask", r.Asks, e.ask)
}

func (e *encoder) ask(a Ask) {
	e.str("id", a.ID)
	e.str("kind", string(a.Kind))
	e.prose("message", a.Message)
	e.anything("payload", a.Payload)
	e.anything("schema", a.Schema)
	e.str("tool", a.Tool)
	e.prose("args", a.Args)
	e.str("call", a.Call)
	e.time("deadline", a.Deadline)
}

func (e *encoder) answer(r Answer) {
	e.str("id", r.ID)
	e.str("p", r.Path)
	e.optional("value", r.Value)
	e.str("decision", string(r.Decision))
	e.prose("args", r.Args)
	e.prose("reason", r.Reason)
	e.str("by", r.By)
	e.str("via", string(r.Via))
}

func (e *encoder) call(r Call) {
	e.str("p", r.Path)
	e.str("id", r.ID)
	e.str("tool", r.Tool)
	e.str("server", r.Server)
	e.prose("args", r.Args)
	e.flag("ro", r.ReadOnly)
}

func (e *encoder) session(r Session) {
	e.str("id", r.ID)
	e.str("app", r.App)
	e.str("principal", r.Principal)
	e.str("user", r.User)
	if r.Parent != nil {
		e.object("parent", func() {
			e.str("session", r.Parent.Session)
			e.str("run", r.Parent.Run)
			e.str("p", r.Parent.Path)
		})
	}
	e.state("state", r.State)
}

func (e *encoder) run(r Run) {
	e.str("id", r.ID)
	e.str("revision", r.Revision)
	e.str("config", r.Config)
	e.str("root", r.Root)
	e.str("task", r.Task)
	e.anything("input", r.Input)
	e.str("trace", r.Trace)
	e.integer("fmt", int64(r.Format))
	e.str("of", r.Of)
	e.str("msg", r.Message)
	e.state("temp", r.Temp)
}

func (e *encoder) done(r Done) {
	e.str("status", string(r.Status))
	e.optional("out", r.Output)
	e.problem(r.Err)
	e.usage(r.Usage)
}
