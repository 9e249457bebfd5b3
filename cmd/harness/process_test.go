package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
)

// patience is what a test waits for something that must happen.
const patience = time.Minute

// pod is what a harness is started with.
type pod struct {
	binary string
	dir    string
	env    []string
}

// newPod makes a pod with a config, and a key for the principal "web".
func newPod(t *testing.T, binary string, config []byte) *pod {
	t.Helper()
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	if err := os.Mkdir(keys, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{filepath.Join(dir, "config.json"): config, filepath.Join(keys, "web"): []byte("a-key")} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &pod{binary: binary, dir: dir, env: append(os.Environ(),
		"PLAIT_CONFIG="+filepath.Join(dir, "config.json"),
		"PLAIT_CONFIG_SHA256="+adkconfigv1.Digest(config),
		"PLAIT_NAMESPACE=default", "PLAIT_TEMPLATE=support-triage", "PLAIT_HARNESS=standard", "PLAIT_REVISION=3f9ac1d20b7e",
		"PLAIT_AUTH=bearer", "PLAIT_AUTH_KEYS="+keys,
		"PLAIT_LISTEN=127.0.0.1:0", "PLAIT_HEALTH_LISTEN=127.0.0.1:0",
		"PLAIT_DATA="+filepath.Join(dir, "data"), "PLAIT_WORKSPACE="+filepath.Join(dir, "workspace"),
		"PLAIT_DRAIN_DELAY=100ms", "PLAIT_GRACE_PERIOD=100ms",
		"PLAIT_TERMINATION_LOG="+filepath.Join(dir, "termination-log"),
	)}
}

func (p *pod) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.binary, args...)
	cmd.Env = p.env
	return cmd
}

// container is a harness that runs.
type container struct {
	cmd         *exec.Cmd
	a2a, health string

	mu  sync.Mutex
	log strings.Builder
}

// start starts the harness and waits until it listens.
func (p *pod) start(t *testing.T) *container {
	t.Helper()
	c := &container{cmd: p.command()}
	log, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	listens := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() { c.read(log, listens) })
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		reader.Wait()
		_ = c.cmd.Wait() // it was killed, now or before
		if t.Failed() {
			c.mu.Lock()
			defer c.mu.Unlock()
			t.Logf("the log of the harness:\n%s", c.log.String())
		}
	})
	select {
	case <-listens:
	case <-time.After(patience):
		t.Fatal("the harness doesn't listen")
	}
	return c
}

func (c *container) read(log io.Reader, listens chan<- struct{}) {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		c.mu.Lock()
		c.log.WriteString(lines.Text() + "\n")
		c.mu.Unlock()
		var entry struct {
			Msg    string `json:"msg"`
			A2A    string `json:"a2a"`
			Health string `json:"health"`
		}
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "listening" {
			c.a2a, c.health = "http://"+entry.A2A, "http://"+entry.Health
			close(listens)
		}
	}
}

// ready waits until the harness is ready.
func (c *container) ready(t *testing.T) *container {
	t.Helper()
	eventually(t, "is ready", func() bool { return c.readyz(t) == http.StatusOK })
	return c
}

func (c *container) readyz(t *testing.T) int {
	t.Helper()
	res, err := http.Get(c.health + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// signal sends a signal and returns the exit code, -1 for a process that was killed.
func (c *container) signal(t *testing.T, sig syscall.Signal) int {
	t.Helper()
	if err := c.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	state, err := c.cmd.Process.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return state.ExitCode()
}

// client makes an official client from the card of the harness.
func (c *container) client(t *testing.T) (*a2aclient.Client, context.Context) {
	t.Helper()
	card, err := agentcard.DefaultResolver.Resolve(t.Context(), c.a2a)
	if err != nil {
		t.Fatal(err)
	}
	client, err := a2aclient.NewFromCard(t.Context(), card)
	if err != nil {
		t.Fatal(err)
	}
	return client, a2aclient.AttachServiceParams(t.Context(), a2aclient.ServiceParams{"Authorization": {"Bearer a-key"}})
}

func message(text string) *a2a.SendMessageRequest {
	return &a2a.SendMessageRequest{Message: a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))}
}

// output is the text of a task's artifact "output".
func output(task *a2a.Task) string {
	for _, artifact := range task.Artifacts {
		if artifact.ID == "output" {
			return artifact.Parts[0].Text()
		}
	}
	return ""
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it never %s", what)
}
