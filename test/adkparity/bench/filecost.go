package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/plait-dev/plait/test/benchkit"
)

// fileCost is what the system takes for the two things that a journal asks of it: to make a file, once a session, and to
// write a line to its end, once a node. Where many files were removed within the last minutes ext4 takes half a
// millisecond to make one, because it passes over every one of them.
type fileCost struct {
	create, write time.Duration
}

// line is about as long as what is written for a node.
const line = 200

// measureFiles makes files in a directory and writes to the last one.
func measureFiles(dir string) (c fileCost, err error) {
	const files, lines = 100, 10_000
	var all []*os.File
	defer func() {
		for _, f := range all {
			_ = f.Close() // nothing in it matters
		}
	}()
	if c.create, err = benchkit.Each(files, func(i int) error {
		f, err := os.Create(filepath.Join(dir, fmt.Sprint("file", i)))
		all = append(all, f)
		return err
	}); err != nil {
		return c, err
	}
	text := make([]byte, line)
	c.write, err = benchkit.Each(lines, func(i int) error {
		_, err := all[len(all)-1].WriteAt(text, int64(i)*line)
		return err
	})
	return c, err
}
