package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/plait-dev/plait/pkg/declarative/diag"
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

// readInput reads a file, or standard input for "-".
func readInput(stdin io.Reader, name string) ([]byte, error) {
	if name == "-" {
		data, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return data, nil
	}
	return os.ReadFile(name)
}
