package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/plait-dev/plait/harness/harnesstest"
)

// TestKillDuringLookup kills the process while it waits for the CRM, and resumes the run in another one.
func TestKillDuringLookup(t *testing.T) {
	plait, crm := harnesstest.Build(t, "cmd/plait"), harnesstest.Build(t, "examples/support-triage/crm")
	dir := t.TempDir()
	file := writeRunFile(t, fmt.Sprintf("command: [%s, -delay, 1s]", filepath.ToSlash(crm)))

	first := exec.Command(plait, "run", file, "--input", mails[0].text)
	first.Dir = dir
	var told bytes.Buffer
	first.Stderr = &told
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	log := waitForLookup(t, dir)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil {
		t.Fatal("the run completed before it was killed")
	}
	id := regexp.MustCompile(`run (r_\w+)`).FindStringSubmatch(told.String())
	if id == nil {
		t.Fatalf("no id of a run in %q", told.String())
	}

	second := exec.Command(plait, "resume", id[1])
	second.Dir = dir
	var again bytes.Buffer
	second.Stderr = &again
	answer, err := second.Output()
	if err != nil {
		t.Fatalf("resume: %v\n%s", err, again.String())
	}
	if got := strings.TrimSpace(string(answer)); got != mails[0].answer {
		t.Errorf("the resumed run answers %q, want %q", got, mails[0].answer)
	}
	if strings.Contains(again.String(), "classify@1") {
		t.Errorf("classify had ended before the kill and was told of again:\n%s", again.String())
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{`"t":"own"`: 1, `"t":"end","p":"classify@1"`: 1, `"t":"end","p":"lookup@1"`: 1} {
		if got := bytes.Count(text, []byte(part)); got != want {
			t.Errorf("the journal has %s %d times, want %d:\n%s", part, got, want, text)
		}
	}
}

// waitForLookup returns the only session's log once it says that the lookup began.
func waitForLookup(t *testing.T, dir string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		logs, err := filepath.Glob(filepath.Join(dir, ".plait", "sessions", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, log := range logs {
			if text, err := os.ReadFile(log); err == nil && bytes.Contains(text, []byte(`"t":"start","p":"lookup@1"`)) {
				return log
			}
		}
	}
	t.Fatal("the lookup didn't begin within a minute")
	return ""
}
