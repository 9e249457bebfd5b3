//go:build integration

package main_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plait-dev/plait/harness/harnesstest"
)

// The official command line gets the answers of `plait run`.
func TestOfficialCommandLine(t *testing.T) {
	p := build(t)
	cli := harnesstest.BuildIn(t, filepath.Join(harnesstest.Repository(), "test", "a2aconf"), "github.com/a2aproject/a2a-go/v2/cmd/a2a")
	crm := harnesstest.StartCRM(t, p.crm)
	c := newPod(t, p.harness, harnesstest.SupportTriage(t, crm.URL)).start(t).ready(t)
	for _, m := range mails {
		for _, transport := range []string{"", "rest", "jsonrpc"} {
			for _, flags := range [][]string{{"send"}, {"send", "--stream"}} {
				args := slices.Concat(flags, []string{"--auth", "Bearer a-key", c.a2a, m.text})
				if transport != "" {
					args = append(args, "--transport", transport)
				}
				out, err := exec.Command(cli, args...).CombinedOutput()
				if err != nil || !strings.Contains(string(out), m.answer) || !strings.Contains(string(out), "completed") {
					t.Errorf("a2a %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
		}
	}
	if out, err := exec.Command(cli, "send", c.a2a, "hello").CombinedOutput(); err == nil {
		t.Errorf("without a key it gets\n%s", out)
	}
	out, err := exec.Command(cli, "list", "tasks", "--auth", "Bearer a-key", c.a2a).CombinedOutput()
	if err != nil || strings.Count(string(out), "completed") < len(mails) {
		t.Errorf("a2a list: %v\n%s", err, out)
	}
}
