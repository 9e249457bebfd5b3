package mcp

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processGroup is a job object: a process and all its descendants, wherever they went.
type processGroup struct{ job windows.Handle }

// setGroup keeps Ctrl-C in the console from reaching the command; plait ends its servers in order.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &windows.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// newProcessGroup puts a process into a job that ends with its last handle, so the processes go even when plait is
// killed.
func newProcessGroup(p *os.Process) (processGroup, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return processGroup{}, err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return processGroup{}, err
	}
	return processGroup{job: job}, nil
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	return windows.AssignProcessToJobObject(job, process)
}

// terminate does nothing: Windows has no signal that a process without a window would get.
func (g processGroup) terminate() {}

func (g processGroup) kill() { _ = windows.TerminateJobObject(g.job, 1) }

func (g processGroup) close() { _ = windows.CloseHandle(g.job) }
