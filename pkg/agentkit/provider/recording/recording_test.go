package recording_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/recording"
)

// The secrets of the tests, one of which needs escapes in URLs and in JSON.
const (
	key    = "sk-ant-0123456789"
	header = `tok<en>/+"x" y`
)

// model is one behind an address, with something between.
func model(t *testing.T, baseURL string, between provider.Between) core.Model {
	client, err := provider.NewClient(provider.ClientOptions{Between: between})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdle)
	m, err := anthropic.New(anthropic.Options{Options: provider.Options{Model: "claude-x", BaseURL: baseURL, Client: client,
		Credentials: provider.Static(provider.APIKey(key)), Headers: []provider.Header{{Name: "X-Team-Token", Value: header, Secret: true}}}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ask(t *testing.T, m core.Model, text string) (core.Answer, error) {
	return core.Collect(m.Stream(t.Context(), &core.Request{Messages: []core.Message{core.UserMessage(text)}}))
}

// stream is an answer that says something.
func stream(says string) string {
	w := &jsonx.Writer{}
	w.Text(says)
	return "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n" +
		": a comment\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
		"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":" + string(w.Bytes()) + "}}\r\n\r\n" +
		"data: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
		"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\n" +
		"data: {\"type\":\"message_stop\"}\n\n"
}

// vendor repeats what it is told, with the credentials.
func vendor(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Request-Id", "req_1")
		w.Header().Set("Set-Cookie", "session=1")
		if strings.Contains(string(body), "refuse") {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"error":{"message":"`+r.Header.Get("X-Api-Key")+` is too fast"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream("you are "+r.Header.Get("X-Api-Key")+" and "+r.Header.Get("X-Team-Token")))
	}))
	t.Cleanup(server.Close)
	return server
}

func record(t *testing.T, texts ...string) (dir string, answers []core.Answer) {
	dir = filepath.Join(t.TempDir(), "tape")
	r, err := recording.NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := model(t, vendor(t).URL+"/"+key, r.Between)
	for _, text := range texts {
		answer, _ := ask(t, m, text)
		answers = append(answers, answer)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return dir, answers
}

func play(t *testing.T, dir string) (*recording.Player, core.Model) {
	p, err := recording.NewPlayer(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p, model(t, "http://llm.invalid/"+key, p.Between)
}

// A secret is nowhere in a recording, whether it stood in a header, the URL, a body or an error, and however it is escaped there.
func TestNoSecretSurvives(t *testing.T) {
	dir, _ := record(t, "hello, I am "+key+" or "+header, "refuse "+key)
	r, err := recording.NewRecorder(filepath.Join(dir, "unreached"))
	if err != nil {
		t.Fatal(err)
	}
	broken := func(p provider.Passing, _ func() (*http.Response, error)) (*http.Response, error) {
		return r.Between(p, func() (*http.Response, error) { return nil, errors.New("no way to " + key) })
	}
	if _, err := ask(t, model(t, "http://llm.invalid", broken), "hello"); err == nil {
		t.Fatal("an error became an answer")
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for _, piece := range []string{key, "tok<en>", `tok\u003cen`, "tok%3Cen", "Set-Cookie", "Request-Id", "X-Api-Key:"} {
			if strings.Contains(string(data), piece) {
				t.Errorf("%s holds %q:\n%s", path, piece, data)
			}
		}
		return err
	})
	if err != nil || files != 6 {
		t.Errorf("%d files, err %v", files, err)
	}
	request, _ := os.ReadFile(filepath.Join(dir, "0001.request"))
	if !strings.HasPrefix(string(request), "POST http://127.0.0.1:") || !strings.Contains(string(request), "/[credential]/v1/messages\n") ||
		!strings.Contains(string(request), "\nX-Team-Token: [credential]\n") || !strings.Contains(string(request), `hello, I am [credential]`) {
		t.Errorf("the request is kept as\n%s", request)
	}
}

// What is played is what was recorded, of equal requests each in its turn, whatever server it goes to.
func TestAnswersComeBack(t *testing.T) {
	dir, recorded := record(t, "one", "refuse", "one", "two")
	p, m := play(t, dir)
	for i, text := range []string{"two", "one", "refuse", "one"} {
		got, err := ask(t, m, text)
		if text == "refuse" {
			var pe *core.ProviderError
			if !errors.As(err, &pe) || pe.Class != core.ClassRateLimited || pe.RetryAfter.Seconds() != 7 {
				t.Errorf("a refusal came back as %+v", pe)
			}
			continue
		}
		want := recorded[0]
		want.Parts = []core.Part{core.Text{Text: "you are [credential] and [credential]"}}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("answer %d: err %v (-want +got):\n%s", i, err, diff)
		}
	}
	if left := p.Left(); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

func TestRequestsThatWereNotRecorded(t *testing.T) {
	dir, _ := record(t, "one", "two")
	p, m := play(t, dir)
	if left := p.Left(); len(left) != 2 {
		t.Errorf("left over: %q", left)
	}
	wrong := func(text, want string) {
		t.Helper()
		_, err := ask(t, m, text)
		var pe *core.ProviderError
		if !errors.As(err, &pe) || core.Transient(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
	wrong("three", `the next one that was, 0001, differs in body.messages[0].content[0].text: recorded was "one", now it is "three"`)
	for range 2 {
		if _, err := ask(t, m, "two"); err == nil {
			continue
		}
		wrong("two", "the request was recorded 1 times, and all answers are given")
	}
	other := model(t, "http://llm.invalid/elsewhere", p.Between)
	if _, err := ask(t, other, "one"); err == nil || !strings.Contains(err.Error(), "nothing that is left was sent to POST /elsewhere/v1/messages") {
		t.Errorf("another path: %v", err)
	}
}

func TestFoldersThatDoNotFit(t *testing.T) {
	dir, _ := record(t, "one")
	if _, err := recording.NewRecorder(dir); err == nil || !strings.Contains(err.Error(), "holds a recording already") {
		t.Errorf("a second recording: %v", err)
	}
	if _, err := recording.NewPlayer(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no recording") {
		t.Errorf("an empty folder: %v", err)
	}
	request := filepath.Join(dir, "0001.request")
	for _, text := range []string{"", "POST\n\n", "no headers", "POST http://x\nbad header\n\n"} {
		if err := os.WriteFile(request, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := recording.NewPlayer(dir); err == nil || !strings.Contains(err.Error(), request) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A recording that broke off has a request without its answer, and an answer that was cut stays one.
func TestRecordingsThatBrokeOff(t *testing.T) {
	dir, _ := record(t, "one", "two")
	answer := filepath.Join(dir, "0001.answer")
	data, err := os.ReadFile(answer)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(answer, data[:len(data)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "0002.answer")); err != nil {
		t.Fatal(err)
	}
	_, m := play(t, dir)
	if _, err := ask(t, m, "one"); !errors.Is(err, core.ErrCutStream) {
		t.Errorf("half an answer: %v", err)
	}
	if _, err := ask(t, m, "two"); err == nil || !strings.Contains(err.Error(), "the recording ended before the answer to 0002 came") {
		t.Errorf("no answer: %v", err)
	}
}
