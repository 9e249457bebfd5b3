package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
	"github.com/plait-dev/plait/pkg/workflow"
)

// envVictim makes the test binary a process that advances the run of the folder it names.
const envVictim = "PLAIT_TEST_VICTIM"

// victimGraph is a long run: a loop with a graph, a list and a dynamic node in each lap. What a node does is a line in the
// file effects, with the idempotency key.
func victimGraph(t *testing.T, dir string) *workflow.Workflow {
	t.Helper()
	l := newLab()
	effect := func(ctx *workflow.Context, input any) (workflow.Result, error) {
		f, err := os.OpenFile(filepath.Join(dir, "effects"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return workflow.Result{}, err
		}
		_, err = fmt.Fprintln(f, ctx.Path(), ctx.IdempotencyKey())
		time.Sleep(time.Millisecond)
		return workflow.Result{Output: input}, errors.Join(err, f.Close())
	}
	for _, node := range []string{"a", "x", "y", "item", "c"} {
		l.does(node, effect)
	}
	l.inner["w"] = "START -> x -> J; START -> y -> J"
	l.items["each"] = worker{body: "item", max: 2}
	l.config["each"] = workflow.NodeConfig{Input: func(*workflow.Context) (any, error) { return []any{"1", "2", "3"}, nil }}
	l.schedules("d", func(run runChild) (any, error) {
		first, err := run("c", "first")
		second, err2 := run("c", "second")
		return []any{first, second}, errors.Join(err, err2)
	})
	l.routes("gate", append(strings.Split(strings.Repeat("again ", 39)+"done", " "), "done")...)
	return l.build(t, "START -> a -> w -> each -> d -> gate -[again]-> a; gate -[done]-> end")
}

// TestVictim isn't a test of its own, see TestKill_at_random_moments.
func TestVictim(t *testing.T) {
	dir := os.Getenv(envVictim)
	if dir == "" {
		return
	}
	store, err := jsonl.Open(filepath.Join(dir, "store"), jsonl.WithSync(jsonl.SyncNever))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w := victimGraph(t, dir)
	got := resume(w, workflow.ResumeRequest{Store: store, Session: "s", Run: "r"})
	if codeOf(got.err) == workflow.CodeRequest {
		got = run(w, workflow.RunRequest{Store: store, Session: "s", Run: "r", Input: "in"})
	}
	if got.err != nil {
		t.Fatal(got.err)
	}
	if err := os.WriteFile(filepath.Join(dir, "output"), fmt.Append(nil, got.output), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A process is killed at random moments, again and again, until the run is over. Nothing that had ended is executed again,
// what is executed again has the key that it had, and the result is that of an undisturbed run.
func TestKill_at_random_moments(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes")
	}
	undisturbed := run(victimGraph(t, t.TempDir()), workflow.RunRequest{Input: "in"})
	kills, keys := 0, map[string]string{}
	for kills < 200 {
		dir := t.TempDir()
		longest := 90 * time.Millisecond // grows where a process can't get anywhere in that time
		for over := false; !over; {
			ended := endedIn(t, filepath.Join(dir, "store"))
			before := effects(t, dir)
			killed := startAndKill(t, dir, 10*time.Millisecond+rand.N(longest))
			if over = !killed; killed {
				kills++
			}
			done := effects(t, dir)[len(before):]
			if len(done) == 0 {
				longest += longest / 4
			}
			for _, line := range done {
				path, key, _ := strings.Cut(line, " ")
				if ended[path] {
					t.Fatalf("after %d kills: %s was executed again", kills, path)
				}
				if known := keys[path]; known != "" && known != key {
					t.Fatalf("%s had the keys %s and %s", path, known, key)
				}
				keys[path] = key
			}
		}
		output, err := os.ReadFile(filepath.Join(dir, "output"))
		if diff := cmp.Diff(fmt.Sprint(undisturbed.output), string(output)); diff != "" || err != nil {
			t.Fatalf("after %d kills: %v (-want +got):\n%s", kills, err, diff)
		}
	}
	t.Logf("%d kills", kills)
}

// startAndKill starts the victim and kills it after a while, unless it has ended by then.
func startAndKill(t *testing.T, dir string, after time.Duration) (killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$")
	cmd.Env = append(os.Environ(), envVictim+"="+dir)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("the victim failed: %v\n%s", err, out.String())
		}
		return false
	case <-time.After(after):
		_ = cmd.Process.Kill() // it may have ended this moment
		return <-ended != nil
	}
}

func effects(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "effects"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

// endedIn lists the activations that a store knows to be over.
func endedIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	store, err := jsonl.Open(dir, jsonl.WithSync(jsonl.SyncNever))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ended := map[string]bool{}
	fold, err := journal.Load(context.Background(), store, "s")
	if err != nil || fold.Run("r") == nil {
		return ended
	}
	for _, a := range fold.Run("r").Activations {
		ended[a.Path] = !a.State.Live()
	}
	return ended
}
