//go:build unix

package jsonl_test

import (
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// faultyDisk is the system's disk, of which one operation fails with an I/O error.
type faultyDisk struct {
	jsonl.SystemDisk

	fails string
	// written is how much of a text is written although the write fails, in percent.
	written int
}

// Write implements jsonl.Disk.
func (d *faultyDisk) Write(f *os.File, text []byte) error {
	if d.fails != "write" {
		return d.SystemDisk.Write(f, text)
	}
	if err := d.SystemDisk.Write(f, text[:len(text)*d.written/100]); err != nil {
		return err
	}
	return ioError("write", f.Name())
}

// Sync implements jsonl.Disk.
func (d *faultyDisk) Sync(f *os.File) error {
	if d.fails != "sync" {
		return d.SystemDisk.Sync(f)
	}
	return ioError("sync", f.Name())
}

// SyncDir implements jsonl.Disk.
func (d *faultyDisk) SyncDir(path string) error {
	if d.fails != "names" {
		return d.SystemDisk.SyncDir(path)
	}
	return ioError("sync", path)
}

func ioError(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: syscall.EIO} }

// What happens when the disk fails. Entries are forced to it one by one.
func TestFaultsOfTheDisk(t *testing.T) {
	fails := func(op string, written int) func(*testing.T, *world) func() {
		return func(_ *testing.T, w *world) func() {
			w.disk.fails, w.disk.written = op, written
			return func() { w.disk.fails = "" }
		}
	}
	tellFaults(t, "diskfaults.txt", []fault{
		{name: "a write fails at once", happen: fails("write", 0)},
		{name: "a write fails in the middle", happen: fails("write", 50)},
		{name: "a write fails, but all was written", happen: fails("write", 100)},
		{name: "a sync fails", happen: fails("sync", 0)},
		{name: "the write of a blob fails in the middle", size: toBlob, happen: fails("write", 50)},
		{name: "the sync of a blob fails", size: toBlob, happen: fails("sync", 0)},
		{name: "the sync of a blob's name fails", size: toBlob, happen: fails("names", 0)},
	})
}
