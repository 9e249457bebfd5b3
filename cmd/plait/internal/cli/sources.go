package cli

import (
	"fmt"
	"io"

	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// sources are the texts of the files of one invocation, for the excerpts of its diagnostics.
type sources map[string][]byte

// report writes diagnostics; the error says whether the verb failed by them.
func (s sources) report(w io.Writer, found diag.List) error {
	if len(found) == 0 {
		return nil
	}
	if err := diag.Write(w, found, func(file string) []byte { return s[file] }); err != nil {
		return err
	}
	if found.HasErrors() {
		return errReported
	}
	return nil
}

// readInput reads a file, or standard input for "-", up to the size that a document may have and a byte more.
func readInput(stdin io.Reader, name string) ([]byte, error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(stdin, source.MaxBytes+1))
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return data, nil
	}
	return project.ReadFile(name)
}
