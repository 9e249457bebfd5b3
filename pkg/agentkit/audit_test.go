package agentkit_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit"
	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/faux"
	"github.com/plait-dev/plait/pkg/journal"
)

const auditKey = "0123456789abcdef"

// trail keeps the entries of an audit as lines.
type trail struct {
	entries []agentkit.AuditEntry
}

func (tr *trail) audit() *agentkit.Audit {
	return &agentkit.Audit{Key: []byte(auditKey), Record: func(e agentkit.AuditEntry) { tr.entries = append(tr.entries, e) }}
}

// lines writes an entry as kind, id, tool, server, decision, outcome and code, without what is empty.
func (tr *trail) lines() []string {
	var out []string
	for _, e := range tr.entries {
		fields := []string{string(e.Kind), e.Call, e.Tool, e.Server, string(e.Decision), string(e.Outcome), e.Code}
		out = append(out, strings.Join(strings.Fields(strings.Join(fields, " ")), " "))
	}
	return out
}

func digest(args string) string {
	mac := hmac.New(sha256.New, []byte(auditKey))
	mac.Write([]byte(args))
	return hex.EncodeToString(mac.Sum(nil))
}

func TestTheAuditTrailSaysWhoDecidedAndWhatCameOfACall(t *testing.T) {
	tr := &trail{}
	remote, local := says("crm__find", "found"), says("pay__out", "paid")
	remote.spec.Server, remote.spec.ServerTool = "crm", "find"
	broken := newTool("broken", func(context.Context, core.Call) (core.Result, error) { return core.Result{}, errors.New("no") })
	model := script(t, faux.Turn{Calls: []faux.Call{call("crm__find", `{"card":"4111"}`), call("pay__out", `{}`), {Name: "broken"},
		call("other__tool", `{}`), rawCall("crm__find", `{`)}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{remote, local, broken}, Audit: tr.audit()},
		agentkit.RunInput{Input: "go", Path: "a@1"})
	got := tr.lines()
	want := map[string]bool{"call c4 other__tool refused": true, "call c5 crm__find crm refused": true,
		"call c1 crm__find crm allowed ok": true, "call c2 pay__out allowed ok": true, "call c3 broken allowed failed": true}
	if len(got) != 7 || got[0] != "run-start" || got[6] != "run-end ok" {
		t.Fatalf("the trail is %q", got)
	}
	for _, line := range got[1:6] {
		if !want[line] {
			t.Errorf("the trail has %q", line)
		}
		delete(want, line)
	}
	for line := range want {
		t.Errorf("the trail lacks %q", line)
	}
	for _, e := range tr.entries {
		if e.Agent != "bot" || e.Path != "a@1" || e.At.IsZero() {
			t.Errorf("entry %+v", e)
		}
		if e.Kind == agentkit.AuditCall && e.Turn != 1 {
			t.Errorf("call of turn %d", e.Turn)
		}
	}
}

func TestTheAuditTrailHoldsADigestOfArgumentsAndNothingElseOfThem(t *testing.T) {
	tr := &trail{}
	const secret = `{"card":"4111-1111"}`
	echo := newTool("echo", func(_ context.Context, c core.Call) (core.Result, error) { return core.TextResult(string(c.Args)), nil })
	no := hook[agentkit.ToolUse]{"no cards", func(u agentkit.ToolUse) (agentkit.Verdict, error) {
		if u.Call.Place == 2 {
			return reject("not with " + string(u.Call.Args)), nil
		}
		return goOn, nil
	}}
	model := script(t, faux.Turn{Calls: []faux.Call{call("echo", secret), call("echo", secret), {Name: "echo"}}}, faux.Turn{Text: "done"})
	run(t, agentkit.Config{Model: model, Tools: []core.Tool{echo}, Audit: tr.audit(),
		Hooks: agentkit.Hooks{BeforeTool: []agentkit.Hook[agentkit.ToolUse]{no}}}, agentkit.RunInput{Input: "go"})
	if text := fmt.Sprintf("%+v", tr.entries); strings.Contains(text, "4111-1111") {
		t.Errorf("the trail holds the arguments: %s", text)
	}
	for _, e := range tr.entries {
		want := map[string]string{"": "", "c1": digest(secret), "c2": digest(secret), "c3": digest("{}")}[e.Call]
		if e.ArgsHMAC != want {
			t.Errorf("call %s: digest %s, want %s", e.Call, e.ArgsHMAC, want)
		}
	}
}

func TestTheEndOfARunIsAuditedHoweverItComes(t *testing.T) {
	talk := faux.Turn{Text: "x"}
	pay := faux.Turn{Calls: []faux.Call{call("pay", `{}`)}}
	hang := faux.Turn{Text: "x", Fault: &faux.Fault{Kind: faux.FaultHang, After: 1}}
	for name, c := range map[string]struct {
		turn faux.Turn
		with func(cfg *agentkit.Config, in *agentkit.RunInput, cancel func())
		see  func(cancel func()) bool // at the first event: whether the consumer goes on
		want []string
	}{
		"it answers": {turn: talk, want: []string{"run-start", "run-end ok"}},
		"it fails":   {turn: faux.Turn{Fault: &faux.Fault{Kind: faux.FaultCut}}, want: []string{"run-start", "run-end failed model-error"}},
		"a limit": {turn: pay, with: func(cfg *agentkit.Config, _ *agentkit.RunInput, _ func()) { cfg.Limits.MaxTurns = 1 },
			want: []string{"run-start", "call c1 pay allowed ok", "run-end failed limit-exceeded"}},
		"it waits": {turn: pay, with: func(cfg *agentkit.Config, _ *agentkit.RunInput, _ func()) {
			cfg.Approval = func(agentkit.ToolUse) bool { return true }
		}, want: []string{"run-start", "call c1 pay asked", "run-end waiting"}},
		"it is aborted": {turn: talk, with: func(_ *agentkit.Config, in *agentkit.RunInput, _ func()) {
			in.Control = &agentkit.Control{}
			in.Control.Abort()
		}, want: []string{"run-start", "run-end stopped"}},
		"it is cancelled": {turn: hang, see: func(cancel func()) bool { cancel(); return true }, want: []string{"run-start", "run-end stopped"}},
		"it is left":      {turn: talk, see: func(func()) bool { return false }, want: []string{"run-start", "run-end stopped"}},
		"its consumer panics": {turn: talk, see: func(func()) bool { panic("mine") },
			want: []string{"run-start", "run-end panicked"}},
	} {
		t.Run(name, func(t *testing.T) {
			tr := &trail{}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cfg := agentkit.Config{Model: script(t, c.turn), Tools: []core.Tool{says("pay", "paid")}, Audit: tr.audit()}
			in := agentkit.RunInput{Input: "go"}
			if c.with != nil {
				c.with(&cfg, &in, cancel)
			}
			func() {
				defer func() { _ = recover() }()
				for range newAgent(t, cfg).Stream(ctx, in) {
					if c.see != nil && !c.see(cancel) {
						break
					}
				}
			}()
			if diff := cmp.Diff(c.want, tr.lines()); diff != "" {
				t.Errorf("trail (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPanickingAuditDoesNotTakeTheRunWithIt(t *testing.T) {
	seen := 0
	audit := &agentkit.Audit{Key: []byte(auditKey), Record: func(agentkit.AuditEntry) { seen++; panic("disk full") }}
	model := script(t, faux.Turn{Calls: []faux.Call{call("look", `{}`)}}, faux.Turn{Text: "done"})
	res := run(t, agentkit.Config{Model: model, Tools: []core.Tool{says("look", "blue")}, Audit: audit}, agentkit.RunInput{Input: "go"})
	if res.Text != "done" || seen != 3 {
		t.Errorf("answer %q, %d entries", res.Text, seen)
	}
}

func TestTheAuditTrailOfDecisionsOfPeople(t *testing.T) {
	f := newRefunds(t)
	tr := &trail{}
	f.cfg.Audit = tr.audit()
	asked := f.pause(t)
	tr.entries = nil
	f.decide(t, asked, map[string]agentkit.CallDecision{
		`{"amount":1}`: {Approved: true, Args: json.RawMessage(`{"amount":9}`)}, `{"amount":2}`: {Reason: "too late"}})
	if diff := cmp.Diff([]string{"run-start", "call c3 pay refused", "call c1 pay edited ok", "run-end ok"}, tr.lines()); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
	if e := tr.entries[2]; e.ArgsHMAC != digest(`{"amount":9}`) {
		t.Error("the digest isn't that of the arguments that the call was made with")
	}
	tr.entries = nil
	f = newRefunds(t)
	f.cfg.Audit = tr.audit()
	yes := agentkit.CallDecision{Approved: true}
	f.decide(t, f.pause(t), map[string]agentkit.CallDecision{`{"amount":1}`: yes, `{"amount":2}`: yes})
	if n := strings.Count(strings.Join(tr.lines(), "\n"), "pay approved ok"); n != 2 {
		t.Errorf("the trail is %q", tr.lines())
	}
}

func TestTheAuditTrailOfWhatAnEarlierProcessLeftOpen(t *testing.T) {
	tr := &trail{}
	look := says("look", "blue")
	look.spec.ReadOnly = true
	cfg := agentkit.Config{Model: script(t, faux.Turn{}, faux.Turn{Text: "x"}), Tools: []core.Tool{look}, Audit: tr.audit()}
	intent := journal.Call{ID: "c1", Tool: "look", ReadOnly: true}
	run(t, cfg, agentkit.RunInput{Input: "go", Progress: []journal.Record{asked("look"), intent}})
	run(t, cfg, agentkit.RunInput{Input: "go", Progress: []journal.Record{asked("look"),
		journal.Call{ID: "c1", Tool: "look", ReadOnly: true, Args: "{}"}}})
	want := []string{"run-start", "call c1 look repeated ok", "run-end ok", "run-start", "call c1 look repeated ok", "run-end ok"}
	if diff := cmp.Diff(want, tr.lines()); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
}

func TestTheAuditTrailKnowsHowLongACallTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &trail{}
		var control agentkit.Control
		slow := newTool("slow", func(ctx context.Context, c core.Call) (core.Result, error) {
			time.Sleep(time.Duration(c.Place) * time.Second)
			if c.Place == 2 {
				control.Abort()
				return core.Result{}, ctx.Err()
			}
			return core.TextResult("ok"), nil
		})
		model := script(t, faux.Turn{Calls: []faux.Call{call("slow", `{}`), call("slow", `{}`)}})
		if _, err := newAgent(t, agentkit.Config{Model: model, Tools: []core.Tool{slow}, Audit: tr.audit()}).
			Run(t.Context(), agentkit.RunInput{Input: "go", Control: &control}); !errors.Is(err, agentkit.ErrAborted) {
			t.Errorf("err = %v", err)
		}
		var got []string
		for _, e := range tr.entries {
			got = append(got, fmt.Sprint(e.Kind, e.Outcome, e.Took))
		}
		if diff := cmp.Diff([]string{"run-start0s", "callok1s", "callunknown2s", "run-endstopped2s"}, got); diff != "" {
			t.Errorf("trail (-want +got):\n%s", diff)
		}
	})
}

func TestTheAuditTrailOfABatchThatIsAbortedBeforeItBegins(t *testing.T) {
	tr := &trail{}
	control := &agentkit.Control{}
	cfg := agentkit.Config{Model: script(t, faux.Turn{Calls: []faux.Call{call("look", `{}`)}}), Tools: []core.Tool{says("look", "x")}, Audit: tr.audit()}
	for e := range newAgent(t, cfg).Stream(t.Context(), agentkit.RunInput{Input: "go", Control: control}) {
		if e.Kind == agentkit.EventTool {
			control.Abort()
		}
	}
	if diff := cmp.Diff([]string{"run-start", "call c1 look aborted", "run-end stopped"}, tr.lines()); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
}

func TestNewRefusesAnAuditThatKeepsNothingOrHasNoKey(t *testing.T) {
	for want, audit := range map[string]*agentkit.Audit{
		"the key has 3 bytes, it needs at least 16": {Key: []byte("abc"), Record: func(agentkit.AuditEntry) {}},
		"Record isn't set":                          {Key: []byte(auditKey)},
	} {
		_, err := agentkit.New(agentkit.Config{Name: "bot", Model: script(t), Audit: audit})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}
