package journal

// record reads one record by its type.
func (f fields) record() Record {
	switch kind := Kind(f.str("t")); kind {
	case KindStart:
		return Start{Path: f.str("p"), From: f.list("from"), Input: f.optional("in"), InputDigest: f.str("ind"),
			Attempt: f.count("att"), Branch: f.str("br"), Isolated: f.flag("iso"), State: f.optional("state")}
	case KindEnd:
		return End{Path: f.str("p"), Output: f.optional("out"), Routes: f.list("routes"), Set: f.state("set"),
			Delete: f.list("del"), Within: f.str("within"), Next: f.list("next"), Escalate: f.flag("esc"), Usage: f.usage(), Took: f.millis("ms")}
	case KindFail:
		return f.failure()
	case KindWait:
		return Wait{Path: f.str("p"), Asks: decodeEach(f, "ask", fields.ask)}
	case KindAnswer:
		return Answer{ID: f.str("id"), Path: f.str("p"), Value: f.optional("value"), Decision: Decision(f.str("decision")),
			Args: f.prose("args"), Reason: f.prose("reason"), By: f.str("by"), Via: Via(f.str("via"))}
	case KindMsg:
		return f.message()
	case KindCall:
		return Call{Path: f.str("p"), ID: f.str("id"), Tool: f.str("tool"), Server: f.str("server"),
			Args: f.prose("args"), ReadOnly: f.flag("ro")}
	case KindTip:
		return Tip{ID: f.str("id")}
	case KindSum:
		return Sum{ID: f.str("id"), Parent: f.str("parent"), Text: f.prose("text"), Upto: f.str("upto"),
			Within: f.str("within")}
	default:
		return f.control(kind)
	}
}

// control reads the records that are about a session or a run as a whole.
func (f fields) control(kind Kind) Record {
	switch kind {
	case KindSession:
		return f.session()
	case KindRun:
		return Run{ID: f.str("id"), Revision: f.str("revision"), Config: f.str("config"), Root: f.str("root"),
			Task: f.str("task"), Input: f.anything("input"), Trace: f.str("trace"), Format: f.count("fmt"),
			Of: f.str("of"), Message: f.str("msg"), Temp: f.state("temp")}
	case KindQueue:
		return Queue{Run: f.str("run"), Message: f.str("msg")}
	case KindNote:
		return Note{Path: f.str("p"), Code: f.str("code"), Text: f.prose("text"), Data: f.anything("data")}
	case KindOwn:
		return Own{Owner: f.str("owner"), Epoch: f.integer("ep"), Recoveries: f.count("n")}
	case KindCancel:
		return Cancel{By: f.str("by"), Reason: f.prose("reason")}
	case KindStop:
		return Stop{Why: f.str("why"), Due: f.time("due")}
	case KindDone:
		return Done{Status: Status(f.str("status")), Output: f.optional("out"), Err: f.problem(), Usage: f.usage()}
	case "":
		f.fail("t", "a record has a type")
	default:
		f.failWith("t", &NewerFormatError{Seq: f.seq, Record: string(kind)})
	}
	return nil
}

func (f fields) session() Session {
	s := Session{ID: f.str("id"), App: f.str("app"), Principal: f.str("principal"), User: f.str("user"),
		State: f.state("state")}
	if p, ok := f.sub("parent"); ok {
		s.Parent = &Parent{Session: p.str("session"), Run: p.str("run"), Path: p.str("p")}
	}
	return s
}

func (f fields) failure() Fail {
	r := Fail{Path: f.str("p"), Attempt: f.count("att"), Due: f.time("due"), Next: f.list("next")}
	if err := f.problem(); err != nil {
		r.Err = *err
	}
	return r
}

func (f fields) problem() *Failure {
	p, ok := f.sub("err")
	if !ok {
		return nil
	}
	return &Failure{Type: p.str("type"), Code: p.str("code"), Message: p.prose("message"), Field: p.prose("field")}
}

func (f fields) ask() Ask {
	return Ask{ID: f.str("id"), Kind: AskKind(f.str("kind")), Message: f.prose("message"), Payload: f.anything("payload"),
		Schema: f.anything("schema"), Tool: f.str("tool"), Args: f.prose("args"), Call: f.str("call"),
		Deadline: f.time("deadline")}
}
