package jsonl_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// smallDisk names the directory of a test that is the other process of TestFaultsOfASmallDisk.
const smallDisk = "JSONL_TEST_SMALL_DISK"

// TestFaultsOfASmallDisk runs itself with mounts of its own, where the stores are on a file system of 512 KiB.
func TestFaultsOfASmallDisk(t *testing.T) {
	if dir := os.Getenv(smallDisk); dir != "" {
		mount(t, dir, 0)
		tellFaults(t, "smalldisk.txt", []fault{
			{name: "the disk is full", size: overPage, happen: fillDisk},
			{name: "the disk is full when a value goes to a blob", size: toBlob, happen: fillDisk},
			{name: "the file system is mounted read-only", closed: true, happen: func(t *testing.T, _ *world) func() {
				mount(t, dir, syscall.MS_REMOUNT|syscall.MS_RDONLY)
				return func() { mount(t, dir, syscall.MS_REMOUNT) }
			}},
		})
		return
	}
	dir := t.TempDir()
	child := inAProcessOfItsOwn(t, smallDisk+"="+dir, "TMPDIR="+dir)
	child.SysProcAttr = ownMounts()
	out, err := child.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOSYS), strings.Contains(string(out), noMount):
		t.Skipf("this system lets a test have no mounts of its own: %v %s", err, out)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	}
}

// inAProcessOfItsOwn is the test once more, in a process that is told by its environment that it is the other one.
func inAProcessOfItsOwn(t *testing.T, env ...string) *exec.Cmd {
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	if *update {
		child.Args = append(child.Args, "-update")
	}
	child.Env = append(os.Environ(), env...)
	return child
}

// noMount is what the other process says when it may not mount.
const noMount = "no mount: "

// ownMounts gives a process mounts that nobody else sees; to who isn't root, as the root of a namespace of its own.
func ownMounts() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	}
	return attr
}

func mount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	if err == nil {
		err = syscall.Mount("tmpfs", dir, "tmpfs", flags, "size=512k")
	}
	if err != nil {
		t.Fatal(noMount, err)
	}
}

// fillDisk leaves no page free.
func fillDisk(t *testing.T, w *world) func() {
	ballast, err := os.Create(filepath.Join(w.dir, "ballast"))
	must(t, err)
	for err == nil {
		_, err = ballast.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, ballast.Close())
	return func() { must(t, os.Remove(ballast.Name())) }
}

// limited tells the process of TestFaultOfALimit whose files are limited from the one that starts it.
const limited = "JSONL_TEST_LIMITED"

// What happens when files may be no larger than they are, which needs no rights. The limit is one of the whole process, whose
// tests, and go test itself, write files of their own: so it runs in another one.
func TestFaultOfALimit(t *testing.T) {
	if os.Getenv(limited) == "" {
		if out, err := inAProcessOfItsOwn(t, limited+"=yes").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	tellFaults(t, "limit.txt", []fault{
		{name: "the largest size of a file is reached", happen: func(t *testing.T, w *world) func() {
			info, err := os.Stat(file(w.dir, "s"))
			must(t, err)
			var before syscall.Rlimit
			must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
			limit := syscall.Rlimit{Cur: uint64(info.Size()) + 20, Max: before.Max}
			must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
			return func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }
		}},
	})
}

// What happens when the store may not do what it wants to.
func TestFaultsOfPermissions(t *testing.T) {
	tellFaults(t, "permissions.txt", []fault{
		{name: "the file may not be read", closed: true, happen: forbid(0, "sessions/s.jsonl")},
		{name: "the file may not be written", closed: true, happen: forbid(0o400, "sessions/s.jsonl")},
		{name: "the directory of sessions may not be read", closed: true, happen: forbid(0, "sessions")},
		{name: "no file may be made", closed: true, happen: forbid(0o500, "sessions", "blobs")},
		{name: "no blob may be made", size: toBlob, happen: forbid(0o500, "blobs")},
	})
}

// forbid changes the mode of files, for somebody who has to respect it.
func forbid(mode os.FileMode, names ...string) func(*testing.T, *world) func() {
	return func(t *testing.T, w *world) func() {
		var before []os.FileMode
		for _, name := range names {
			info, err := os.Stat(filepath.Join(w.dir, name))
			must(t, err)
			before = append(before, info.Mode())
		}
		for _, name := range names {
			must(t, os.Chmod(filepath.Join(w.dir, name), mode))
		}
		back := becomeNobody(t, w.dir)
		return func() {
			back()
			for i, name := range names {
				must(t, os.Chmod(filepath.Join(w.dir, name), before[i]))
			}
		}
	}
}

// becomeNobody takes root's right to pass over modes away from this goroutine, for files; others have no such right.
func becomeNobody(t *testing.T, dir string) (back func()) {
	const nobody = 65534
	if os.Geteuid() != 0 {
		return func() {}
	}
	must(t, os.Chmod(filepath.Dir(dir), 0o755)) // or nobody can't get there
	must(t, filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Chown(path, nobody, nobody))
	}))
	runtime.LockOSThread()
	setUser(nobody)
	if before := setUser(nobody); before != nobody {
		runtime.UnlockOSThread()
		t.Skipf("root may not become user %d here", nobody)
	}
	return func() {
		setUser(0)
		runtime.UnlockOSThread()
	}
}

// setUser sets the user of this thread as far as files are concerned, and returns the one before. The system tells in no
// other way whether it could.
func setUser(id uintptr) uintptr {
	before, _, _ := syscall.RawSyscall(syscall.SYS_SETFSUID, id, 0, 0)
	return before
}
