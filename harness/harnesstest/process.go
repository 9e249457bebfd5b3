package harnesstest

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

// startTimeout is what a program may take to serve.
const startTimeout = 30 * time.Second

// Build builds a program of the repository, named by its package below it, and returns its path.
func Build(tb testing.TB, pkg string) string {
	tb.Helper()
	return BuildIn(tb, Repository(), "./"+pkg)
}

// BuildIn builds a program in the module of a folder.
func BuildIn(tb testing.TB, dir, pkg string) string {
	tb.Helper()
	binary := filepath.Join(tb.TempDir(), "program.exe")
	cmd := exec.Command("go", "build", "-o", binary, pkg)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return binary
}

// CRM is the example's MCP server as a process that listens on loopback.
type CRM struct {
	URL string

	mu   sync.Mutex
	keys []string // of the calls, in order
}

var (
	crmServes  = regexp.MustCompile(`url=(http://\S+)`)
	crmAnswers = regexp.MustCompile(`msg="?(?:answered|given up by the caller)"? .*key=(\S+)`)
)

// StartCRM starts the example's CRM, which ends with the test. The arguments are those of its command line; without an
// address it chooses one.
func StartCRM(tb testing.TB, binary string, args ...string) *CRM {
	tb.Helper()
	if !slices.Contains(args, "-http") {
		args = append(args, "-http", "127.0.0.1:0")
	}
	cmd := exec.Command(binary, args...)
	log, err := cmd.StderrPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	crm := &CRM{}
	serves := make(chan string, 1)
	var reader sync.WaitGroup
	reader.Go(func() { crm.read(log, serves) })
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		reader.Wait()
		_ = cmd.Wait() // it was killed
	})
	select {
	case crm.URL = <-serves:
	case <-time.After(startTimeout):
		tb.Fatalf("the CRM doesn't serve after %v", startTimeout)
	}
	return crm
}

// read follows the log of the CRM.
func (c *CRM) read(log io.Reader, serves chan<- string) {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if m := crmServes.FindStringSubmatch(lines.Text()); m != nil {
			serves <- m[1]
		}
		if m := crmAnswers.FindStringSubmatch(lines.Text()); m != nil {
			c.mu.Lock()
			c.keys = append(c.keys, m[1])
			c.mu.Unlock()
		}
	}
}

// Keys are the idempotency keys of the calls that have ended, in order.
func (c *CRM) Keys() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.keys)
}
