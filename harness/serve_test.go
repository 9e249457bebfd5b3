package harness

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/pkg/workflow"
)

// gate is a function that waits.
type gate struct {
	open    chan struct{}
	entered chan string
}

func newGate() *gate { return &gate{open: make(chan struct{}), entered: make(chan string, 1000)} }

func (g *gate) work(ctx *workflow.Context, input, config any) (workflow.Result, error) {
	g.entered <- ctx.RunID()
	select {
	case <-g.open:
	case <-ctx.Done():
		return workflow.Result{}, ctx.Err()
	}
	greeting, _ := config.(map[string]any)["greeting"].(string)
	text, _ := input.(string)
	return workflow.Result{Output: greeting + " " + text}, nil
}

// A harness of one's own runs documents that name its functions.
func TestServe(t *testing.T) {
	g := newGate()
	close(g.open)
	p := newSetting(t, harnesstest.Config(t, document, "")).start(t, WithFunction("work", g.work))
	eventually(t, "is ready", func() bool { status, _ := get(t, p.health+"/readyz"); return status == http.StatusOK })
	status, body := p.send(t, "m-1", "world", false)
	if status != http.StatusOK || !strings.Contains(body, "hello world") {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := get(t, p.health+"/livez"); status != http.StatusOK {
		t.Errorf("livez: %d", status)
	}
	if status, body := get(t, p.a2a+"/.well-known/agent-card.json"); status != http.StatusOK || !strings.Contains(body, `"id":"root"`) {
		t.Errorf("card: %d %s", status, body)
	}
	if code := p.end(t); code != exitOK {
		t.Errorf("it ends with %d: %s", code, p.log)
	}
}

// What runs is suspended at the end, and goes on in the next process.
func TestServe_again(t *testing.T) {
	g := newGate()
	s := newSetting(t, harnesstest.Config(t, document, ""))
	first := s.start(t, WithFunction("work", g.work))
	eventually(t, "is ready", func() bool { status, _ := get(t, first.health+"/readyz"); return status == http.StatusOK })
	if status, body := first.send(t, "m-1", "world", true); status != http.StatusOK {
		t.Fatal(status, body)
	}
	id := <-g.entered
	if code := first.end(t); code != exitOK {
		t.Fatalf("it ends with %d: %s", code, first.log)
	}
	if !strings.Contains(first.log.String(), `"why":"drain"`) {
		t.Errorf("the run wasn't suspended: %s", first.log)
	}

	close(g.open)
	second := s.start(t, WithFunction("work", g.work))
	eventually(t, "completes the task", func() bool {
		status, body := get(t, second.a2a+"/tasks/"+id)
		return status == http.StatusOK && strings.Contains(body, "TASK_STATE_COMPLETED") && strings.Contains(body, "hello world")
	})
	if code := second.end(t); code != exitOK {
		t.Errorf("it ends with %d: %s", code, second.log)
	}
}

// A run goes on with the config that it began with, also when the process has another one. New runs have the new one.
func TestServe_with_another_config(t *testing.T) {
	g := newGate()
	s := newSetting(t, harnesstest.Config(t, document, ""))
	first := s.start(t, WithFunction("work", g.work))
	eventually(t, "is ready", func() bool { status, _ := get(t, first.health+"/readyz"); return status == http.StatusOK })
	if status, body := first.send(t, "m-1", "world", true); status != http.StatusOK {
		t.Fatal(status, body)
	}
	id := <-g.entered
	first.end(t)

	close(g.open)
	later := newSetting(t, harnesstest.Config(t, strings.Replace(document, "hello", "goodbye", 1), "")).with(setting{envData: s[envData]})
	second := later.start(t, WithFunction("work", g.work))
	eventually(t, "completes the task", func() bool {
		_, body := get(t, second.a2a+"/tasks/"+id)
		return strings.Contains(body, "hello world")
	})
	if _, body := second.send(t, "m-2", "world", false); !strings.Contains(body, "goodbye world") {
		t.Errorf("a new run gives %s", body)
	}
	second.end(t)
}

// From SIGTERM on the process isn't ready. It takes requests for a while all the same, because not everybody knows yet.
func TestServe_drains(t *testing.T) {
	g := newGate()
	s := newSetting(t, harnesstest.Config(t, document, "")).with(setting{envDrainDelay: "1s", envGrace: "10s"})
	p := s.start(t, WithFunction("work", g.work))
	eventually(t, "is ready", func() bool { status, _ := get(t, p.health+"/readyz"); return status == http.StatusOK })
	p.stop()
	eventually(t, "is unready", func() bool {
		status, body := get(t, p.health+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(body, "about to end")
	})
	if status, body := p.send(t, "m-1", "world", true); status != http.StatusOK {
		t.Errorf("a message while it drains: %d %s", status, body)
	}
	<-g.entered
	n := 1
	eventually(t, "refuses messages", func() bool {
		n++
		status, _ := p.send(t, fmt.Sprintf("m-%d", n), "again", true)
		return status == http.StatusServiceUnavailable
	})
	close(g.open) // within its grace the run comes to its end
	if code := p.end(t); code != exitOK || !strings.Contains(p.log.String(), `"status":"completed"`) {
		t.Errorf("it ends with %d: %s", code, p.log)
	}
}

// A server that is away keeps the process from being ready, and not from living, or from ending.
func TestServe_without_its_servers(t *testing.T) {
	p := newSetting(t, harnesstest.SupportTriage(t, "http://127.0.0.1:1/mcp")).start(t)
	eventually(t, "says what is missing", func() bool {
		status, body := get(t, p.health+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(body, `"ready":false`) && strings.Contains(body, "crm")
	})
	if status, body := p.send(t, "m-1", "hello", false); status != http.StatusServiceUnavailable || !strings.Contains(body, "not-ready") {
		t.Errorf("a message: %d %s", status, body)
	}
	if status, _ := get(t, p.health+"/livez"); status != http.StatusOK {
		t.Errorf("livez: %d", status)
	}
	if code := p.end(t); code != exitOK {
		t.Errorf("it ends with %d: %s", code, p.log)
	}
}

func TestServe_bearer(t *testing.T) {
	keys := t.TempDir()
	if err := os.WriteFile(filepath.Join(keys, "web"), []byte("a-key"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSetting(t, harnesstest.Config(t, document, "")).with(setting{envAuth: authBearer, envAuthKeys: keys})
	p := s.start(t, WithFunction("work", work))
	eventually(t, "is ready", func() bool { status, _ := get(t, p.health+"/readyz"); return status == http.StatusOK })
	if status, _ := p.send(t, "m-1", "hello", false); status != http.StatusUnauthorized {
		t.Errorf("without a key: %d", status)
	}
	if _, body := get(t, p.a2a+"/.well-known/agent-card.json"); !strings.Contains(body, `"bearer"`) {
		t.Errorf("the card doesn't ask for a key: %s", body)
	}
	p.end(t)
}

// What is wrong with the surroundings has another exit code than what is wrong with the config.
func TestServe_fails(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, vars := range map[string]setting{
		envListen:       {envListen: taken.Addr().String()},
		envHealthListen: {envHealthListen: taken.Addr().String()},
		envData:         {envData: file},
	} {
		s := newSetting(t, harnesstest.Config(t, document, "")).with(vars)
		code, _, errs := s.run(t, nil, WithFunction("work", work))
		message, _ := os.ReadFile(s[envTerminationLog])
		if code != exitFailed || !strings.Contains(errs, "harness: "+name+": ") || !strings.Contains(string(message), name) {
			t.Errorf("%s: %d %s", name, code, errs)
		}
	}
}
