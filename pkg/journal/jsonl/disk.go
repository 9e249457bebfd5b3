package jsonl

import "os"

// disk is the part of the system that decides what is kept. Tests put one in its place that counts, that fails, or that
// loses what wasn't forced.
type disk interface {
	// Write writes all of the text, where the file is. With an error a part of it may have been written, or all.
	Write(f *os.File, text []byte) error

	// Sync forces a file's bytes and its length.
	Sync(f *os.File) error

	// SyncDir forces the names in a directory, and with them the files that were made there or renamed.
	SyncDir(path string) error
}

// systemDisk is the system's.
type systemDisk struct{}

// Write implements disk.
func (systemDisk) Write(f *os.File, text []byte) error {
	_, err := f.Write(text)
	return err
}

// Sync implements disk.
func (systemDisk) Sync(f *os.File) error { return f.Sync() }

// SyncDir implements disk.
func (systemDisk) SyncDir(path string) error { return syncDir(path) }
