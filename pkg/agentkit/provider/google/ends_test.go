package google_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
)

// TestAnswersThatAreNone: the vendor tells with status 200, streamed or not, that there is no answer.
func TestAnswersThatAreNone(t *testing.T) {
	end := func(reason string) string {
		return `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"` + reason + `","finishMessage":"Look: f."}]}`
	}
	for _, c := range []struct {
		name, body    string
		class         core.ErrorClass
		word, message string
	}{
		{"a blocked prompt", `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}`,
			core.ClassContentPolicy, "PROHIBITED_CONTENT", "blocked the prompt"},
		{"a blocked prompt, explained", `{"promptFeedback":{"blockReason":"MODEL_ARMOR","blockReasonMessage":"Armor."}}`,
			core.ClassContentPolicy, "MODEL_ARMOR", "Armor."},
		{"a call that can't be read", end("MALFORMED_FUNCTION_CALL"), core.ClassUnavailable, "MALFORMED_FUNCTION_CALL", "Look: f."},
		{"a call of no tool", end("UNEXPECTED_TOOL_CALL"), core.ClassUnavailable, "UNEXPECTED_TOOL_CALL", "Look: f."},
		{"too many calls", end("TOO_MANY_TOOL_CALLS"), core.ClassUnavailable, "TOO_MANY_TOOL_CALLS", "Look: f."},
		{"no reason", `{"candidates":[{"finishReason":"OTHER"}]}`, core.ClassUnavailable, "OTHER", "gave the answer up"},
		{"no signature", end("MISSING_THOUGHT_SIGNATURE"), core.ClassBadRequest, "MISSING_THOUGHT_SIGNATURE", "Look: f."},
		{"an error", `{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED"}}`, core.ClassRateLimited, "RESOURCE_EXHAUSTED", "Quota."},
	} {
		for _, inOne := range []bool{false, true} {
			opts := google.Options{}
			opts.Whole = inOne
			pe := wantClass(t, ask(t, opts, hello(), c.body).Err, c.class)
			if pe.Type != c.word || !strings.Contains(pe.Message, c.message) {
				t.Errorf("%s: %+v", c.name, pe)
			}
		}
	}
}

func TestFeedbackWithoutABlockIsNoError(t *testing.T) {
	x := ask(t, google.Options{}, hello(), `{"promptFeedback":{"safetyRatings":[]},"error":null}`, says)
	if x.Err != nil || len(x.Answer.Parts) != 1 {
		t.Errorf("answer %+v, err %v", x.Answer, x.Err)
	}
}

// TestWhichEventIsTheLast: gateways say STOP too early, or count the tokens later.
func TestWhichEventIsTheLast(t *testing.T) {
	const (
		early = `{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`
		text  = `{"candidates":[{"content":{"parts":[{"text":"ok"}]}}]}`
		stop  = `{"candidates":[{"finishReason":"STOP"}]}`
		count = `{"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2}}`
	)
	said := []core.Part{core.Text{Text: "ok"}}
	for _, c := range []struct {
		name   string
		events []string
		want   core.Answer
	}{
		{"STOP in front", []string{early, early, text, early}, core.Answer{Parts: said, Stop: core.StopEnd, Usage: core.Usage{Input: 1}}},
		{"usage behind", []string{text, stop, count}, core.Answer{Parts: said, Stop: core.StopEnd, Usage: core.Usage{Input: 7, Output: 2}}},
		{"no usage", []string{text, stop}, core.Answer{Parts: said, Stop: core.StopEnd}},
		{"nothing is said", []string{early}, core.Answer{Stop: core.StopEnd, Usage: core.Usage{Input: 1}}},
	} {
		x := ask(t, google.Options{}, hello(), c.events...)
		if diff := cmp.Diff(c.want, x.Answer); diff != "" || x.Err != nil {
			t.Errorf("%s: err %v (-want +got):\n%s", c.name, x.Err, diff)
		}
	}
	for _, inOne := range []bool{false, true} {
		opts := google.Options{}
		opts.Whole = inOne
		if x := ask(t, opts, hello(), text, count); !errors.Is(x.Err, core.ErrCutStream) {
			t.Errorf("without a reason of the end: err = %v", x.Err)
		}
	}
}

// TestCallsThatWereCutOff: the loop makes no calls of an answer that a limit ended, so it has to hear of the limit.
func TestCallsThatWereCutOff(t *testing.T) {
	x := ask(t, google.Options{}, hello(),
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]},"finishReason":"MAX_TOKENS"}]}`)
	if x.Err != nil || x.Answer.Stop != core.StopMaxTokens || len(x.Answer.Parts) != 1 {
		t.Errorf("answer %+v, err %v", x.Answer, x.Err)
	}
}

func TestPartsThatArentKnownAreReported(t *testing.T) {
	x, _ := both(t, `{"inlineData":{"mimeType":"image/png","data":"AA=="}}`, `{"text":"ok","partMetadata":{"a":1}}`, `{"executableCode":{"code":"1"}}`)
	want := []string{`a part of kind "inlineData" in the answer is left out`, `a part of kind "executableCode" in the answer is left out`}
	if diff := cmp.Diff(want, x.Answer.Warnings); diff != "" || len(x.Answer.Parts) != 1 || x.Err != nil {
		t.Errorf("parts %v, err %v (-want +got):\n%s", x.Answer.Parts, x.Err, diff)
	}
}

func TestTheSecondCandidateIsIgnored(t *testing.T) {
	x := ask(t, google.Options{}, hello(), `{"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"},`+
		`{"content":{"parts":[{"text":"NO"}]},"finishReason":"SAFETY","index":1}],"usageMetadata":{}}`)
	if x.Err != nil || x.Answer.Stop != core.StopEnd || core.TextOf(model(x.Answer.Parts...)) != "ok" {
		t.Errorf("answer %+v, err %v", x.Answer, x.Err)
	}
}
