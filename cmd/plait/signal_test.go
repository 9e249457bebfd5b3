//go:build unix

package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plait-dev/plait/harness/harnesstest"
)

// patience is what a process has to end in.
const patience = 20 * time.Second

// child is a process of plait that signals are sent to.
type child struct {
	*exec.Cmd
	t    *testing.T
	told bytes.Buffer
	done chan error
}

// start starts plait in a folder.
func start(t *testing.T, plait, dir string, stdin *os.File, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(plait, args...), t: t, done: make(chan error, 1)}
	c.Dir, c.Stderr = dir, &c.told
	if stdin != nil {
		c.Stdin = stdin
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.done <- c.Wait() }()
	return c
}

// signal sends a signal again and again, as an impatient person does, or once.
func (c *child) signal(s os.Signal, again bool) syscall.WaitStatus {
	c.t.Helper()
	deadline := time.After(patience)
	var tick <-chan time.Time
	if again {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		if err := c.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
			c.t.Fatal(err)
		}
		select {
		case <-c.done:
			return c.ProcessState.Sys().(syscall.WaitStatus)
		case <-tick:
		case <-deadline:
			_ = c.Process.Kill()
			c.t.Fatalf("%q doesn't end by %s", c.Args[1:], s)
		}
	}
}

// signals are those that end a process. Who starts the test in the background lets it, and its children, ignore the first.
func signals() []syscall.Signal {
	if signal.Ignored(syscall.SIGINT) {
		return []syscall.Signal{syscall.SIGTERM}
	}
	return []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}
}

// TestSignalsEndReading sends a signal while a command waits for the rest of what it reads.
func TestSignalsEndReading(t *testing.T) {
	t.Parallel()
	document, err := filepath.Abs("../../examples/support-triage/agentsystem.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plait := harnesstest.Build(t, "cmd/plait")
	for _, args := range []string{
		"validate -", "canonical -", "graph -", "run " + document + " --input -",
		"validate fifo", "run fifo --input x", "run -f fifo --input x",
	} {
		for _, s := range signals() {
			t.Run(args+" "+s.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				in, out := pipe(t, filepath.Join(dir, "fifo"))
				c := start(t, plait, dir, in, strings.Fields(args)...)
				// More than a pipe holds is written when somebody reads.
				if _, err := out.Write(bytes.Repeat([]byte("# a comment\n"), 1<<14)); err != nil {
					t.Fatal(err)
				}
				if status := c.signal(s, false); !status.Signaled() || status.Signal() != s {
					t.Errorf("it ends with %v:\n%s", status, c.told.String())
				}
			})
		}
	}
}

// pipe makes a FIFO of a name and opens both ends.
func pipe(t *testing.T, name string) (in, out *os.File) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile(name, os.O_RDWR, 0) // so that nobody waits for the other end
	if err != nil {
		t.Fatal(err)
	}
	out, err = os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), out.Close() })
	return in, out
}

// TestSignalSuspends ends a run in order, which goes on later.
func TestSignalSuspends(t *testing.T) {
	plait, crm := harnesstest.Build(t, "cmd/plait"), harnesstest.Build(t, "examples/support-triage/crm")
	dir := t.TempDir()
	file := writeRunFile(t, fmt.Sprintf("command: [%s, -delay, 1s]", filepath.ToSlash(crm)))
	c := start(t, plait, dir, nil, "run", file, "--input", mails[0].text)
	waitForLookup(t, dir)
	if status := c.signal(syscall.SIGTERM, false); status.ExitStatus() != 1 {
		t.Errorf("it ends with %v", status)
	}
	told := c.told.String()
	_, id, found := strings.Cut(strings.TrimSpace(told), "go on with: plait resume ")
	if !found || !strings.Contains(told, "the run is suspended, nothing of it is lost") {
		t.Fatalf("it says nothing of how to go on:\n%s", told)
	}
	again := exec.Command(c.Path, "resume", id)
	again.Dir = dir
	if answer, err := again.Output(); err != nil || strings.TrimSpace(string(answer)) != mails[0].answer {
		t.Errorf("the resumed run answers %q, %v, want %q", answer, err, mails[0].answer)
	}
}

// TestSecondSignal ends a process that waits for a server which doesn't want to end.
func TestSecondSignal(t *testing.T) {
	dir := t.TempDir()
	file := writeRunFile(t, `command: [sh, -c, "trap '' INT TERM; echo $$ > pid; exec sleep 60"]`)
	c := start(t, harnesstest.Build(t, "cmd/plait"), dir, nil, "run", file, "--input", "x")
	server := waitForPID(t, filepath.Join(filepath.Dir(file), "pid"))
	t.Cleanup(func() { _ = syscall.Kill(server, syscall.SIGKILL) })
	if status := c.signal(syscall.SIGTERM, true); !status.Signaled() {
		t.Errorf("it ends with %v:\n%s", status, c.told.String())
	}
}

func waitForPID(t *testing.T, file string) int {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(file)
		if pid, wrong := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && wrong == nil {
			return pid
		}
	}
	t.Fatal("the server didn't start")
	return 0
}
