package storetest

import (
	"time"

	"github.com/plait-dev/plait/pkg/journal"
)

// epoch is the time from which the samples count.
func epoch() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

// Everything returns a log that holds every type of record with every field set, and that folds. Each call makes it
// anew; its entries have no numbers yet.
func Everything(session string) []*journal.Entry {
	entries := [][]journal.Record{
		opening(session),
		conversation(),
		interrupts(),
		ending(),
		queued(),
		trailing(),
	}
	log := make([]*journal.Entry, len(entries))
	for i, records := range entries {
		log[i] = &journal.Entry{
			Format:  journal.FormatVersion,
			At:      epoch().Add(time.Duration(i) * 1500 * time.Millisecond),
			Run:     "r_1",
			Epoch:   1,
			Records: records,
		}
	}
	log[0].Run, log[0].Epoch = "", 0
	log[4].Run, log[5].Run = "r_2", "r_2"
	return log
}

func opening(session string) []journal.Record {
	return []journal.Record{journal.Session{
		ID: session, App: "default/support", Principal: "web", User: "user-1",
		Parent: &journal.Parent{Session: "s_0", Run: "r_0", Path: "ask@1"},
		State:  map[string]any{"plan": "pro", "app:limit": int64(3), "user:name": nil},
	}}
}

func conversation() []journal.Record {
	return []journal.Record{
		journal.Run{ID: "r_1", Revision: "3f9ac1d20b7e", Config: journal.Digest([]byte("config")), Root: "triage",
			Task: "t_1", Input: Values(), Trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", Format: 1},
		journal.Msg{ID: "m1", Role: journal.RoleUser, Author: "user", Parts: []journal.Part{
			journal.Text{Text: "look at <this> & that\n\u2028"},
			journal.Image{MediaType: "image/png", Digest: journal.Digest([]byte("png")), Size: 3},
		}},
		journal.End{Path: "START", Next: []string{"classify@1", "gate<START"}},
		journal.Start{Path: "classify@1", From: []string{"START"}, Input: journal.Some(nil), Attempt: 1, Branch: "a.b@1"},
		journal.End{Path: "classify@1", Output: journal.Some(nil), Routes: []string{"BILLING", "1"},
			Set:    map[string]any{"topic": "billing", "temp:draft": []any{int64(1), 2.5}},
			Delete: []string{"plan"}, Next: []string{"answer@1", "gate<classify"},
			Usage: &journal.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Cost: 0.5}, Took: 412 * time.Millisecond},
		journal.Start{Path: "gate@1", From: []string{"START", "classify@1"}, Attempt: 1},
		journal.End{Path: "gate@1", Next: []string{}, Escalate: true},
		journal.Start{Path: "answer@1", From: []string{"classify@1"}, InputDigest: "d1", Attempt: 1},
		journal.Fail{Path: "answer@1", Err: journal.Failure{Type: "net.OpError", Code: "timeout", Message: "slow"},
			Attempt: 1, Due: epoch().Add(time.Minute)},
		journal.Start{Path: "answer@1", From: []string{"classify@1"}, Attempt: 2},
		journal.Msg{ID: "m2", Parent: "m1", Path: "answer@1", Role: journal.RoleModel, Author: "answer", Branch: "a",
			Parts: []journal.Part{
				journal.Thinking{Text: "hm", Signature: "c2ln", Item: "rs_1"},
				journal.Thinking{Signature: "b3BhcXVl", Redacted: true},
				journal.Text{Text: "let me see", Signature: "dGV4dA"},
				journal.ToolCall{ID: "c1", Name: "crm__refund", Args: `{"b": 1.0,  "a":2}`, Signature: "Y2FsbA", Item: "fc_1"},
			},
			Stop: "tool_use", Model: "model-x", Usage: &journal.Usage{Input: 812, Output: 40, Cost: 0.0031},
			Set: map[string]any{"seen": true}, Delete: []string{"user:name"}},
	}
}

func interrupts() []journal.Record {
	return []journal.Record{
		journal.Wait{Path: "answer@1", Asks: []journal.Ask{
			{ID: "i_1", Kind: journal.AskApproval, Message: "Refund?", Tool: "crm/refund", Args: `{"a":2}`, Call: "c1",
				Deadline: epoch().Add(24 * time.Hour)},
			{ID: "i_2", Kind: journal.AskInput, Message: "Why?", Payload: map[string]any{"n": int64(1)},
				Schema: map[string]any{"type": "string"}},
		}},
		journal.Answer{ID: "i_1", Path: "answer@1", Decision: journal.Edit, Args: `{"a":3}`, Reason: "too much",
			By: "user-2", Via: journal.ViaPerson},
		journal.Answer{ID: "i_2", Path: "answer@1", Value: journal.Some("because"), Via: journal.ViaDeadline},
		journal.Call{Path: "answer@1", ID: "c1", Tool: "refund", Server: "crm", Args: `{"a":3}`, ReadOnly: true},
		journal.Own{Owner: "pod-b", Epoch: 1, Recoveries: 2},
		journal.Msg{ID: "m3", Parent: "m2", Path: "answer@1", Role: journal.RoleTool, Parts: []journal.Part{
			journal.ToolResult{ID: "c1", Name: "crm__refund", Text: "no", Error: true, Images: []journal.Image{
				{MediaType: "image/gif", Digest: journal.Digest([]byte("gif")), Size: 3}}},
		}},
		journal.Note{Path: "answer@1", Code: "state-conflict", Text: "two writers", Data: map[string]any{"key": "k"}},
	}
}

func ending() []journal.Record {
	return []journal.Record{
		journal.Sum{ID: "m4", Parent: "m3", Text: "they talked", Upto: "m2"},
		journal.Tip{ID: "m3"},
		journal.Stop{Why: "drain", Due: epoch().Add(time.Hour)},
		journal.Cancel{By: "user-1", Reason: "enough"},
		journal.Fail{Path: "answer@1", Err: journal.Failure{Code: journal.CodeCanceled}, Attempt: 2},
		journal.Done{Status: journal.Failed, Output: journal.Some(map[string]any{"x": 1.0}),
			Err: &journal.Failure{Type: "t", Code: "c", Message: "m", Field: "agents[a].model"}, Usage: &journal.Usage{Output: 1}},
	}
}

func queued() []journal.Record {
	return []journal.Record{
		journal.Queue{Run: "r_2", Message: "m5"},
		journal.Msg{ID: "m5", Parent: "m3", Role: journal.RoleUser, Author: "user", Parts: []journal.Part{journal.Text{}}},
	}
}

func trailing() []journal.Record {
	return []journal.Record{
		journal.Run{ID: "r_2", Root: "triage", Of: "r_1", Message: "m1", Temp: map[string]any{"temp:n": int64(1)}},
		journal.Start{Path: "risky@1", From: []string{"START"}, Attempt: 1},
		journal.Fail{Path: "risky@1", Err: journal.Failure{Message: "broke"}, Attempt: 1, Next: []string{"fix@1"}},
		journal.Start{Path: "fix@1", From: []string{"risky@1"}, Input: journal.Some("broke"), Attempt: 1, Isolated: true,
			State: journal.Some(map[string]any{"k": int64(1)})},
		journal.Msg{ID: "m6", Parent: "m5", Path: "fix@1", Role: journal.RoleModel, Within: "fix@1", Parts: []journal.Part{journal.Text{}}},
		journal.Sum{ID: "m7", Parent: "m6", Text: "it was fixed", Upto: "m6", Within: "fix@1"},
		journal.End{Path: "fix@1", Set: map[string]any{"k": int64(2)}, Delete: []string{"l"}, Within: "fix@1", Next: []string{}},
	}
}

// Values returns one value that holds every kind of value, and those that stores get wrong.
func Values() map[string]any {
	return map[string]any{
		"null": nil, "true": true, "false": false,
		"int": int64(2), "negative": int64(-1), "min": int64(-1 << 63), "max": int64(1<<63 - 1), "above": uint64(1<<64 - 1),
		"double": 2.0, "fraction": 0.1, "tiny": 5e-324, "huge": 1.7976931348623157e308, "wide": 1e20, "minus": -1.5,
		"text": "ä€😀 \"quoted\" \\ / <b>&amp;\u2028\x00\x1f\x7f", "empty": "",
		"list": []any{}, "object": map[string]any{}, "nested": []any{[]any{map[string]any{"": []any{nil}}}},
		"$blob": "sha256:00", "$$blob": int64(1), "len": int64(3),
	}
}
