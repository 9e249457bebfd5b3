//go:build unix

package mcp_test

import "syscall"

// ownGroup makes a process leave the group of its parent.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
