package google_test

import (
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
)

func TestWhereAModelIs(t *testing.T) {
	const asked = ":streamGenerateContent?alt=sse"
	for _, c := range []struct{ base, model, want string }{
		{"", "gemini-3-pro", "/v1beta/models/gemini-3-pro" + asked},
		{"/v1beta", "gemini-3-pro", "/v1beta/models/gemini-3-pro" + asked},
		{"/v1", "gemini-3-pro", "/v1/models/gemini-3-pro" + asked},
		{"/gateway", "gemini-3-pro", "/gateway/v1beta/models/gemini-3-pro" + asked},
		{"/gateway/google/v1beta/models", "gemini-3-pro", "/gateway/google/v1beta/models/gemini-3-pro" + asked},
		{"", "models/gemini-3-pro", "/v1beta/models/gemini-3-pro" + asked},
		{"", "tunedModels/mine", "/v1beta/tunedModels/mine" + asked},
		{"", "a?key=b", "/v1beta/models/a%3Fkey=b" + asked},
		{"/v1/projects/p/locations/l/publishers/google", "gemini-3-pro",
			"/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro" + asked},
	} {
		opts := google.Options{}
		opts.BaseURL, opts.Model = c.base, c.model
		if x := ask(t, opts, hello(), says); x.URL != c.want || x.Err != nil {
			t.Errorf("%s, %s: asked at %s (err %v), want %s", c.base, c.model, x.URL, x.Err, c.want)
		}
	}
	opts := google.Options{}
	opts.Whole = true
	if x := ask(t, opts, hello(), says); x.URL != "/v1beta/models/gemini-3-pro:generateContent" || x.Err != nil {
		t.Errorf("whole: asked at %s (err %v)", x.URL, x.Err)
	}
}

func TestTheKeyStandsInItsHeader(t *testing.T) {
	for _, c := range []struct {
		credential provider.Credential
		name, want string
	}{
		{provider.APIKey("AIza"), "X-Goog-Api-Key", "AIza"},
		{provider.BearerToken("ya29"), "Authorization", "Bearer ya29"},
	} {
		opts := google.Options{}
		opts.Credentials = provider.Static(c.credential)
		x := ask(t, opts, hello(), says)
		if got := x.Header.Get(c.name); got != c.want || strings.Contains(x.URL, "key") {
			t.Errorf("%s is %q, want %q; asked at %s", c.name, got, c.want, x.URL)
		}
	}
}

func TestABareRequestHoldsNothingMore(t *testing.T) {
	const want = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`
	if x := ask(t, google.Options{}, hello(), says); x.Body != want {
		t.Errorf("sent\n%s, want\n%s", x.Body, want)
	}
}

func TestUsageCountsEachTokenOnce(t *testing.T) {
	x := ask(t, google.Options{}, hello(),
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":1000,"cachedContentTokenCount":900,"thoughtsTokenCount":7}}`,
		`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1000,"candidatesTokenCount":20,"thoughtsTokenCount":300,"toolUsePromptTokenCount":5,"totalTokenCount":1325,"cachedContentTokenCount":null}}`)
	want := core.Usage{Input: 105, Output: 320, CacheRead: 900}
	if x.Err != nil || x.Answer.Usage != want {
		t.Errorf("usage %+v (err %v), want %+v", x.Answer.Usage, x.Err, want)
	}
}
