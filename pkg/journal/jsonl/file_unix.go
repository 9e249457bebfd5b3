//go:build unix

package jsonl

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the exclusive lock of an open file and reports whether it got it. The lock belongs to this opening of
// the file and ends with it, also when the process dies.
func tryLock(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// lock waits for the exclusive lock.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// truncate cuts off what is behind a size.
func truncate(f *os.File, size int64) error { return f.Truncate(size) }

// syncDir forces a directory to the disk, and with it the names of the files that were made in it.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
