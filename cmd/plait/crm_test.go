package main_test

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"
)

// buildProgram builds a program of this module. The name is one that every operating system executes.
func buildProgram(t *testing.T, pkg string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "program.exe")
	if out, err := exec.Command("go", "build", "-o", binary, pkg).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return binary
}

// crmServer is the example's CRM as a process that listens on loopback. What it logs tells which calls it had.
type crmServer struct {
	url string

	mu   sync.Mutex
	keys []string // of the calls, in order
}

var (
	servingAt = regexp.MustCompile(`url=(http://\S+)`)
	calledAs  = regexp.MustCompile(`msg=answered .*key=(\S+)`)
)

// startCRM builds and starts the CRM, which ends with the test.
func startCRM(t *testing.T) *crmServer {
	t.Helper()
	cmd := exec.Command(buildProgram(t, "../../examples/support-triage/crm"), "-http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &crmServer{}
	ready := make(chan string, 1)
	var reader sync.WaitGroup
	reader.Go(func() { s.read(stderr, ready) })
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		reader.Wait()
		_ = cmd.Wait() // it was killed
	})
	select {
	case s.url = <-ready:
	case <-time.After(30 * time.Second):
		t.Fatal("the CRM doesn't serve after 30 s")
	}
	return s
}

// read follows the log of the CRM.
func (s *crmServer) read(log io.Reader, ready chan<- string) {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if m := servingAt.FindStringSubmatch(lines.Text()); m != nil {
			ready <- m[1]
		}
		if m := calledAs.FindStringSubmatch(lines.Text()); m != nil {
			s.mu.Lock()
			s.keys = append(s.keys, m[1])
			s.mu.Unlock()
		}
	}
}

func (s *crmServer) answered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys)
}

// keysSince returns the different keys of the calls after the first n.
func (s *crmServer) keysSince(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := slices.Clone(s.keys[n:])
	slices.Sort(keys)
	return slices.Compact(keys)
}
