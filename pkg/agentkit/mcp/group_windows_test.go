package mcp_test

import "syscall"

// ownGroup changes nothing here: a job object has no way out.
func ownGroup() *syscall.SysProcAttr { return nil }
