package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is what a test waits for something that must happen.
const patience = 20 * time.Second

const document = `
apiVersion: adk.declarative/v0.2
kind: AgentSystem
metadata: {name: test}
agents:
  - name: root
    agent_class: Workflow
    nodes: [{id: work, type: function, function: work, config: {greeting: hello}}]
    edges: [{from: START, to: work}]
`

// setting is an environment in which the program starts.
type setting map[string]string

// newSetting is that of a config, with everything in folders of the test and ports that are free.
func newSetting(t *testing.T, config []byte) setting {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.json")
	if err := os.WriteFile(path, config, 0o600); err != nil {
		t.Fatal(err)
	}
	return setting{
		envConfig:         path,
		envConfigDigest:   adkconfigv1.Digest(config),
		envAuth:           authNone,
		envListen:         "127.0.0.1:0",
		envHealthListen:   "127.0.0.1:0",
		envData:           filepath.Join(dir, "data"),
		envWorkspace:      filepath.Join(dir, "workspace"),
		envDrainDelay:     "0s",
		envGrace:          "0s",
		envTerminationLog: filepath.Join(dir, "termination-log"),
	}
}

// with is the setting with some variables changed.
func (s setting) with(vars setting) setting {
	changed := maps.Clone(s)
	maps.Copy(changed, vars)
	return changed
}

func (s setting) process(out, errs io.Writer, args ...string) *process {
	lookup := func(name string) (string, bool) { text, ok := s[name]; return text, ok }
	var environ []string
	for name, text := range s {
		environ = append(environ, name+"="+text)
	}
	return &process{args: args, lookupEnv: lookup, environ: environ, out: out, err: errs}
}

// run runs the program to its end and returns what it says.
func (s setting) run(t *testing.T, args []string, opts ...Option) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	code = s.process(&stdout, &stderr, args...).main(ctx, opts)
	return code, stdout.String(), stderr.String()
}

// program is the program while it serves.
type program struct {
	a2a, health string
	stop        context.CancelFunc
	code        chan int
	log         *logBuffer
}

// logBuffer collects a log that is still being written.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// start starts the program and waits until it listens.
func (s setting) start(t *testing.T, opts ...Option) *program {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	p := &program{stop: stop, code: make(chan int, 1), log: &logBuffer{}}
	go func() { p.code <- s.process(io.Discard, p.log).main(ctx, opts) }()
	t.Cleanup(func() {
		stop()
		http.DefaultClient.CloseIdleConnections()
	})
	eventually(t, "listens", func() bool { return p.findAddresses(t) })
	return p
}

// findAddresses reads from the log where the program listens.
func (p *program) findAddresses(t *testing.T) bool {
	t.Helper()
	for line := range strings.Lines(p.log.String()) {
		var entry struct {
			Msg    string `json:"msg"`
			A2A    string `json:"a2a"`
			Health string `json:"health"`
		}
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "listening" {
			p.a2a, p.health = "http://"+entry.A2A, "http://"+entry.Health
			return true
		}
	}
	if len(p.code) > 0 {
		t.Fatalf("the program ended: %s", p.log)
	}
	return false
}

// end tells the program to end and returns its exit code.
func (p *program) end(t *testing.T) int {
	t.Helper()
	p.stop()
	select {
	case code := <-p.code:
		return code
	case <-time.After(patience):
		t.Fatalf("the program doesn't end: %s", p.log)
		return -1
	}
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it never %s", what)
}

// get returns the answer to a request.
func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, res)
}

// send sends a message over REST, to be answered at once or at the end of the run.
func (p *program) send(t *testing.T, id, text string, immediately bool) (status int, body string) {
	t.Helper()
	req := fmt.Sprintf(`{"message":{"messageId":%q,"role":"ROLE_USER","parts":[{"text":%q}]},"configuration":{"returnImmediately":%t}}`,
		id, text, immediately)
	res, err := http.Post(p.a2a+"/message:send", "application/json", strings.NewReader(req))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, res)
}

func read(t *testing.T, res *http.Response) (status int, body string) {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
