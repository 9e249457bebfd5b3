package jsonl

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

const (
	lockFailImmediately = 1
	lockExclusive       = 2

	errorLockViolation = syscall.Errno(33)
	errorIOPending     = syscall.Errno(997)
)

// tryLock takes the exclusive lock of an open file and reports whether it got it. The lock belongs to this opening of
// the file and ends with it, also when the process dies.
func tryLock(f *os.File) (bool, error) {
	err := lockFileEx(f, lockExclusive|lockFailImmediately)
	if errors.Is(err, errorLockViolation) || errors.Is(err, errorIOPending) {
		return false, nil
	}
	return err == nil, err
}

// lock waits for the exclusive lock.
func lock(f *os.File) error { return lockFileEx(f, lockExclusive) }

// lockFileEx locks one byte far behind any end of a file: locks are mandatory on this system, and readers must be able
// to read.
func lockFileEx(f *os.File, flags uint32) error {
	const farBehind = 1 << 30
	at := syscall.Overlapped{OffsetHigh: farBehind}
	proc := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	ok, _, err := proc.Call(f.Fd(), uintptr(flags), 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	if ok != 0 {
		return nil
	}
	return err
}

// truncate cuts off what is behind a size. A file that was opened to append can't be truncated here, and its name can't
// be given to another one.
func truncate(f *os.File, size int64) error { return os.Truncate(f.Name(), size) }

// syncDir does nothing: directories can't be forced to the disk here, the file system journals its names.
func syncDir(string) error { return nil }
