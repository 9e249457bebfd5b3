package main_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/harnesstest"
)

// mails are the three ways through the example's graph, with the answers that `plait run` gives.
var mails = []struct{ text, answer string }{
	{"I was charged twice, invoice 1042", "Plan: pro"},
	{"Which plan is ada@lovett.example on?",
		"I found ada@lovett.example in the CRM and kept the record in answers/customer.json."},
	{"hello there", "Please rephrase."},
}

// TestHarness goes through the life of the program with one build of it.
func TestHarness(t *testing.T) {
	p := build(t)
	t.Run("answers", p.answers)
	t.Run("many at once", p.manyAtOnce)
	t.Run("waits for its servers", p.waitsForServers)
	t.Run("refuses another config", p.refusesAnotherConfig)
	t.Run("ends when it is told to", p.ends)
	t.Run("is killed", p.isKilled)
}

func (p programs) answers(t *testing.T) {
	crm := harnesstest.StartCRM(t, p.crm)
	client, ctx := newPod(t, p.harness, harnesstest.SupportTriage(t, crm.URL)).start(t).ready(t).client(t)
	for _, m := range mails {
		res, err := client.SendMessage(ctx, message(m.text))
		if err != nil {
			t.Fatal(err)
		}
		task, ok := res.(*a2a.Task)
		if !ok || task.Status.State != a2a.TaskStateCompleted || output(task) != m.answer {
			t.Errorf("%q is answered by %+v", m.text, res)
		}
		var last *a2a.Artifact
		var state a2a.TaskState
		for e, err := range client.SendStreamingMessage(ctx, message(m.text)) {
			if err != nil {
				t.Fatal(err)
			}
			switch e := e.(type) {
			case *a2a.TaskArtifactUpdateEvent:
				last = e.Artifact
			case *a2a.TaskStatusUpdateEvent:
				state = e.Status.State
			}
		}
		if state != a2a.TaskStateCompleted || last == nil || last.Parts[0].Text() != m.answer {
			t.Errorf("%q is answered in a stream by %+v, %s", m.text, last, state)
		}
	}
}

// Runs of different sessions don't wait for each other, and each has its own answer.
func (p programs) manyAtOnce(t *testing.T) {
	crm := harnesstest.StartCRM(t, p.crm, "-delay", "50ms")
	client, ctx := newPod(t, p.harness, harnesstest.SupportTriage(t, crm.URL)).start(t).ready(t).client(t)
	var all sync.WaitGroup
	for i := range 30 {
		m := mails[i%len(mails)]
		all.Go(func() {
			res, err := client.SendMessage(ctx, message(m.text))
			if task, ok := res.(*a2a.Task); err != nil || !ok || output(task) != m.answer {
				t.Errorf("%q is answered by %+v, %v", m.text, res, err)
			}
		})
	}
	all.Wait()
}

func (p programs) waitsForServers(t *testing.T) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := socket.Addr().String()
	socket.Close()
	c := newPod(t, p.harness, harnesstest.SupportTriage(t, "http://"+addr+"/mcp")).start(t)
	if status := c.readyz(t); status != 503 {
		t.Errorf("without its server it answers %d", status)
	}
	harnesstest.StartCRM(t, p.crm, "-http", addr)
	c.ready(t)
}

func (p programs) refusesAnotherConfig(t *testing.T) {
	pod := newPod(t, p.harness, harnesstest.SupportTriage(t, "http://127.0.0.1:1/mcp"))
	path := filepath.Join(pod.dir, "config.json")
	config, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(config, []byte("rephrase"), []byte("Rephrase"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--check"}} {
		cmd := pod.command(args...)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "it isn't the config that was announced") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		message, err := os.ReadFile(filepath.Join(pod.dir, "termination-log"))
		if err != nil || string(message) != string(out) {
			t.Errorf("%v: the termination log is %q, %v", args, message, err)
		}
	}
}

func (p programs) ends(t *testing.T) {
	crm := harnesstest.StartCRM(t, p.crm)
	c := newPod(t, p.harness, harnesstest.SupportTriage(t, crm.URL)).start(t).ready(t)
	if code := c.signal(t, syscall.SIGTERM); code != 0 {
		t.Errorf("it ends with %d", code)
	}
}

// A process that is killed in the middle of a lookup loses nothing: the next one over the same folder completes the task,
// and makes the call again with the key that it had.
func (p programs) isKilled(t *testing.T) {
	crm := harnesstest.StartCRM(t, p.crm, "-delay", "1s")
	pod := newPod(t, p.harness, harnesstest.SupportTriage(t, crm.URL))
	first := pod.start(t).ready(t)
	client, ctx := first.client(t)
	req := message(mails[0].text)
	req.Config = &a2a.SendMessageConfig{ReturnImmediately: true}
	res, err := client.SendMessage(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	id := res.TaskInfo().TaskID
	eventually(t, "looks the customer up", func() bool { return logs(t, pod, `"t":"start","p":"lookup@1"`) == 1 })
	if code := first.signal(t, syscall.SIGKILL); code != -1 {
		t.Fatalf("it ended with %d", code)
	}

	client, ctx = pod.start(t).client(t)
	var task *a2a.Task
	eventually(t, "completes the task", func() bool {
		task = get(ctx, client, id)
		return task != nil && task.Status.State == a2a.TaskStateCompleted
	})
	if output(task) != mails[0].answer {
		t.Errorf("the task gives %q", output(task))
	}
	for record, want := range map[string]int{`"t":"own"`: 1, `"t":"end","p":"classify@1"`: 1, `"t":"end","p":"lookup@1"`: 1} {
		if got := logs(t, pod, record); got != want {
			t.Errorf("the journal has %s %d times, want %d", record, got, want)
		}
	}
	if keys := slices.Compact(crm.Keys()); len(keys) != 1 {
		t.Errorf("the lookup was made with the keys %v", keys)
	}
}

// getter is as much of a client as getting a task needs.
type getter interface {
	GetTask(ctx context.Context, req *a2a.GetTaskRequest) (*a2a.Task, error)
}

// get returns a task, or nil while there is no answer.
func get(ctx context.Context, c getter, id a2a.TaskID) *a2a.Task {
	task, err := c.GetTask(ctx, &a2a.GetTaskRequest{ID: id})
	if err != nil {
		return nil
	}
	return task
}

// logs counts how often a piece of text stands in the logs of all sessions.
func logs(t *testing.T, p *pod, text string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.dir, "data", "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		log, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(fmt.Errorf("the log of a session: %w", err))
		}
		n += strings.Count(string(log), text)
	}
	return n
}

// programs are the binaries that the tests start.
type programs struct{ harness, crm string }

func build(t *testing.T) programs {
	t.Helper()
	if testing.Short() {
		t.Skip("building and starting the programs takes a while")
	}
	return programs{harnesstest.Build(t, "cmd/harness"), harnesstest.Build(t, "examples/support-triage/crm")}
}
