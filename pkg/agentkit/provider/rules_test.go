package provider_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

func TestIDsFitTheWire(t *testing.T) {
	long := strings.Repeat("x", 41)
	ids := provider.NewIDs(40, "")
	seen := map[string]bool{}
	for i, id := range []string{"toolu_01", "a-B_9", "", "call:1|fc_1", "é", long, "toolu_01", "toolu_01", "call:1|fc_1"} {
		wire := ids.Call(id)
		if i < 2 && wire != id {
			t.Errorf("%q fits and became %q", id, wire)
		}
		if seen[wire] || wire == "" || len(wire) > 40 || strings.ContainsAny(wire, ":|é") {
			t.Errorf("%q became %q", id, wire)
		}
		seen[wire] = true
		if result := ids.Result(id); result != wire {
			t.Errorf("the result of %q goes to %q, not to %q", id, result, wire)
		}
	}
	again := provider.NewIDs(40, "")
	if one, two := again.Call("call:1|fc_1"), provider.NewIDs(40, "").Call("call:1|fc_1"); one != two {
		t.Errorf("%q and %q for the same id", one, two)
	}
	if got := provider.NewIDs(40, ".:").Call("functions.find:0"); got != "functions.find:0" {
		t.Errorf("an id of characters that are allowed became %q", got)
	}
	twice := provider.NewIDs(40, "")
	one, two := twice.Call("c1"), twice.Call("c1")
	if first, second := twice.Result("c1"), twice.Result("c1"); one == two || first != one || second != two {
		t.Errorf("calls %q and %q of the same id have the results %q and %q", one, two, first, second)
	}
	if got := again.Result("unknown"); got != "unknown" {
		t.Errorf("a result without a call goes to %q", got)
	}
}

// Servers that count the calls of each answer from 0 give every turn of a long session the same id: looking for a free one
// from the beginning each time, this test wouldn't come to its end.
func TestAnIDThatComesInEveryTurn(t *testing.T) {
	ids := provider.NewIDs(40, "")
	seen := map[string]bool{}
	for range 50_000 {
		wire := ids.Call("call_0")
		if seen[wire] || ids.Result("call_0") != wire {
			t.Fatalf("call %d: %q", len(seen), wire)
		}
		seen[wire] = true
	}
}

func TestIDsOfCallsWhereServersLeaveThemOut(t *testing.T) {
	var ids provider.CallIDs
	var got []string
	for i, id := range []string{"a", "", "a", "position_3", "", "position_1"} {
		n, unique := ids.Next(id)
		if n != i || ids.Len() != i+1 {
			t.Errorf("call %d has the index %d", i, n)
		}
		got = append(got, unique)
	}
	if want := []string{"a", "position_1", "position_2", "position_3", "position_4", "position_5"}; !slices.Equal(got, want) {
		t.Errorf("ids %q, want %q", got, want)
	}
}

func TestArgumentsAsAnObject(t *testing.T) {
	for args, want := range map[string]string{
		"":                       `{}`,
		" \n":                    `{}`,
		` {"z" : 2.50,"a":1e2 }`: ` {"z" : 2.50,"a":1e2 }`,
		`[1]`:                    `{"INVALID_JSON":"[1]"}`,
		`{"a":"b`:                `{"INVALID_JSON":"{\"a\":\"b"}`,
		`{"a":1,"a":2}`:          `{"INVALID_JSON":"{\"a\":1,\"a\":2}"}`,
		"\u00a0{}":               "{\"INVALID_JSON\":\"\u00a0{}\"}",
	} {
		if got := string(provider.ObjectArgs(args)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestAToolIsSerializedOnce(t *testing.T) {
	var cache provider.ToolCache
	written := 0
	get := func(description string, schema string) string {
		spec := core.Spec{Name: "a", Description: description, InputSchema: []byte(schema)}
		sent, _ := cache.Get(&spec, func(w *jsonx.Writer, s *core.Spec) string {
			written++
			w.Text(s.Description + string(provider.InputSchema(s)))
			return ""
		})
		return string(sent)
	}
	one := get("x", `{"type":"object"}`)
	if again := get("x", `{"type":"object"}`); again != one || written != 1 {
		t.Errorf("a tool that was built again: %s, written %d times", again, written)
	}
	get("y", `{"type":"object"}`)
	if get("y", `{"type": "object"}`); written != 3 {
		t.Errorf("three tools of one name were written %d times", written)
	}
	if got, want := get("", ""), `"{\"type\":\"object\",\"properties\":{}}"`; got != want {
		t.Errorf("without a schema: %s", got)
	}
}

func TestErrorsInJSON(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		class  core.ErrorClass
		text   string
	}{
		{200, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`, core.ClassOverloaded, "overloaded_error (status 200): Overloaded"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}`, core.ClassContext, "invalid_request_error (status 400): prompt is too long: 9 > 8"},
		{400, `{"error":{"message":"This model's maximum context length is 8","type":"invalid_request_error","param":null,"code":"context_length_exceeded"}}`, core.ClassContext, "invalid_request_error (status 400): This model's maximum context length is 8"},
		{429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, core.ClassQuota, "insufficient_quota (status 429): You exceeded your current quota"},
		{429, `[{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]`, core.ClassRateLimited, "RESOURCE_EXHAUSTED (status 429): Resource has been exhausted"},
		{400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, core.ClassAuth, "INVALID_ARGUMENT (status 400): API key not valid. Please pass a valid API key."},
		{429, `{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED","details":[1,{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}`, core.ClassRateLimited, "RESOURCE_EXHAUSTED (status 429): Quota"},
		{503, `{"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}}`, core.ClassOverloaded, "UNAVAILABLE (status 503): The model is overloaded"},
		{404, `{"error":"model 'x' not found"}`, core.ClassBadRequest, "status 404: model 'x' not found"},
		{400, `{"error":{"code":"content_policy_violation","message":"no"}}`, core.ClassContentPolicy, "status 400: no"},
		{200, `{"error":{"code":429,"message":"Provider returned error"}}`, core.ClassRateLimited, "status 200: Provider returned error"},
		{500, `{"error":{"code":"server_is_overloaded","message":"later"}}`, core.ClassOverloaded, "status 500: later"},
		{0, `{"error":{"message":{"odd":1},"code":[]}}`, core.ClassUnavailable, ""},
	} {
		e := provider.AnswerError(c.status, []byte(c.body))
		if e == nil || e.Class != c.class || e.Error() != c.text {
			t.Errorf("%s\n got %v %+v\nwant %s %s", c.body, e, e, c.class, c.text)
		} else if asked := strings.Contains(c.body, "34.5s"); asked != (e.RetryAfter == 34500*time.Millisecond) {
			t.Errorf("%s: retry after %s", c.body, e.RetryAfter)
		}
	}
	for _, body := range []string{``, `x`, `{}`, `{"error":null}`, `[]`, `[1]`, `{"error":"a"`, `{"text":{"error":"no"}}`} {
		if e := provider.AnswerError(200, []byte(body)); e != nil {
			t.Errorf("%s is an error: %v", body, e)
		}
	}
}

func TestWhatAVendorSaysIsBriefAndHoldsNoSecret(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		answer(w, "application/json", `{"error":"`+r.Header.Get("X-Key")+r.Header.Get("X-Token")+r.Header.Get("X-Team")+strings.Repeat("é", 5000)+`"}`)
	})
	_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL,
		Credentials: provider.Static(provider.APIKey("sk-1")), Headers: []provider.Header{
			{Name: "X-Token", Value: "sk-2", Secret: true}, {Name: "X-Team", Value: "support"}}}))
	if err == nil || !strings.HasPrefix(err.Error(), "status 403: [credential][credential]support") ||
		!strings.HasSuffix(err.Error(), "é…") || len(err.Error()) > 2200 {
		t.Errorf("err = %v", err)
	}
}

func TestNoPartOfASecretIsLeftAtTheEndOfAnExcerpt(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		answer(w, "text/html", strings.Repeat("x", 295)+r.Header.Get("X-Key"))
	})
	_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL,
		Credentials: provider.Static(provider.APIKey("sk-secret"))}))
	if err == nil || strings.Contains(err.Error(), "sk-") {
		t.Errorf("err = %v", err)
	}
}

func TestStatusesAndWhenToComeBack(t *testing.T) {
	in := func(d time.Duration) string { return time.Unix(1800000000, 0).Add(d).UTC().Format(http.TimeFormat) }
	for _, c := range []struct {
		status  int
		headers map[string]string
		class   core.ErrorClass
		after   time.Duration
		again   bool
	}{
		{401, nil, core.ClassAuth, 0, false},
		{402, nil, core.ClassQuota, 0, false},
		{403, nil, core.ClassAuth, 0, false},
		{404, nil, core.ClassBadRequest, 0, false},
		{408, nil, core.ClassUnavailable, 0, true},
		{413, nil, core.ClassContext, 0, false},
		{429, map[string]string{"Retry-After": "1.5"}, core.ClassRateLimited, 1500 * time.Millisecond, true},
		{429, map[string]string{"Retry-After": "9", "Retry-After-Ms": "20"}, core.ClassRateLimited, 20 * time.Millisecond, true},
		{429, map[string]string{"Retry-After": in(time.Minute), "Date": in(0)}, core.ClassRateLimited, time.Minute, true},
		{429, map[string]string{"Retry-After": in(0), "Date": in(time.Minute)}, core.ClassRateLimited, 0, true},
		{429, map[string]string{"Retry-After": "soon"}, core.ClassRateLimited, 0, true},
		{429, map[string]string{"Retry-After": "-1"}, core.ClassRateLimited, 0, true},
		{503, map[string]string{"Retry-After": "1e300"}, core.ClassOverloaded, 365 * 24 * time.Hour, true},
		{500, nil, core.ClassUnavailable, 0, true},
		{529, nil, core.ClassOverloaded, 0, true},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for k, v := range c.headers {
				w.Header().Set(k, v)
			}
			w.WriteHeader(c.status)
		})
		_, err := ask(t, newModel(t, echo{provider.FramingSSE}, provider.Options{BaseURL: s.URL}))
		e, ok := errors.AsType[*core.ProviderError](err)
		if !ok || e.Class != c.class || e.RetryAfter != c.after || core.Transient(err) != c.again || e.Message != "the body is empty" {
			t.Errorf("status %d %v: %v (%+v)", c.status, c.headers, err, e)
		}
	}
}
