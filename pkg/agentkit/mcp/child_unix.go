//go:build unix

package mcp

import (
	"os"
	"os/exec"
	"syscall"
)

// processGroup is a process and all its descendants that didn't leave its group.
type processGroup struct{ pgid int }

// setGroup makes the command the leader of a new group. A Ctrl-C in the terminal then reaches plait alone, which ends
// its servers in order.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func newProcessGroup(p *os.Process) (processGroup, error) { return processGroup{pgid: p.Pid}, nil }

func (g processGroup) terminate() { _ = syscall.Kill(-g.pgid, syscall.SIGTERM) }

func (g processGroup) kill() { _ = syscall.Kill(-g.pgid, syscall.SIGKILL) }

func (g processGroup) close() {}
