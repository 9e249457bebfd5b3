package capture

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
)

// Verify writes all references anew, into a directory that is removed again, and lists the files in which they are others than
// those in dir.
func Verify(ctx context.Context, dir string) (wrong []string, err error) {
	fresh, err := os.MkdirTemp("", "references-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := All(ctx, fresh); err != nil {
		return nil, err
	}
	return differ(dir, fresh)
}

// differ lists the files that aren't the same below two directories.
func differ(kept, fresh string) (wrong []string, err error) {
	old, err := read(kept)
	if err != nil {
		return nil, err
	}
	written, err := read(fresh)
	if err != nil {
		return nil, err
	}
	for path, data := range written {
		switch was, ok := old[path]; {
		case !ok:
			wrong = append(wrong, path+" isn't there")
		case !bytes.Equal(was, data):
			wrong = append(wrong, fmt.Sprintf("%s isn't what the SDK does, from byte %d on", path, common(was, data)))
		}
		delete(old, path)
	}
	for path := range old {
		wrong = append(wrong, path+" belongs to no scenario")
	}
	return wrong, nil
}

// common is the length of what both begin with.
func common(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func read(dir string) (map[string][]byte, error) {
	all := map[string][]byte{}
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[path], err = fs.ReadFile(files, path)
		return err
	})
	return all, err
}
