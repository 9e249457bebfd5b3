//go:build unix

package mcp_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// gone reports whether a process has ended. One that its new parent hasn't reaped yet has.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return os.IsNotExist(err) && syscall.Kill(pid, 0) != nil
	}
	name := bytes.LastIndexByte(stat, ')') // the state follows the name
	return bytes.HasPrefix(stat[name+1:], []byte(" Z"))
}

func TestClosingEndsWhatTheServerStarted(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, func() error, string){
		"by closing the pool": func(t *testing.T, closePool func() error, _ string) {
			if err := closePool(); err != nil {
				t.Error(err)
			}
		},
		"by a crash of the server": func(t *testing.T, _ func() error, pid string) {
			n, err := strconv.Atoi(pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(n, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := child("leaves-a-child")
			pidFile := filepath.Join(t.TempDir(), "pid")
			cfg.Env["PLAIT_MCP_TEST_PIDFILE"] = pidFile
			pool := connected(t, patient(), cfg)
			grandchild := pidIn(t, pidFile)
			if gone(grandchild) {
				t.Fatal("it ended by itself")
			}
			end(t, pool.Close, callText(t, pool, "pid"))
			eventually(t, "the grandchild has ended", func() bool { return gone(grandchild) })
		})
	}
}

func TestAServerThatDoesNotLeaveIsKilled(t *testing.T) {
	t.Parallel()
	pool := connected(t, quick(), child("ignores-the-end"))
	pid, err := strconv.Atoi(callText(t, pool, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
	if !gone(pid) {
		t.Error("it is still there")
	}
}

// TestClosingDoesNotWaitForWhoeverLeftTheGroup has a descendant that nothing of ours can find, and that holds our pipes.
func TestClosingDoesNotWaitForWhoeverLeftTheGroup(t *testing.T) {
	t.Parallel()
	cfg := child("leaves-a-daemon")
	pidFile := filepath.Join(t.TempDir(), "pid")
	cfg.Env["PLAIT_MCP_TEST_PIDFILE"] = pidFile
	pool := connected(t, patient(), cfg)
	daemon := pidIn(t, pidFile)
	t.Cleanup(func() { _ = syscall.Kill(daemon, syscall.SIGKILL) })
	begin := time.Now()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 4*time.Second {
		t.Errorf("closing took %v", took)
	}
	if gone(daemon) {
		t.Error("it was there to be found: the test shows nothing")
	}
}

func pidIn(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
