package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

func newValidate(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE…",
		Short: "Report every problem of documents with its place",
		Long: "validate reads AgentSystem documents (- is standard input) and reports every problem, with the line and column it " +
			"is at and what would be right. It exits with 0 when all files are fine, 1 when one has an error, 2 when one can't be read.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return validate(streams, files) },
	}
}

func validate(streams Streams, files []string) error {
	if i := slices.Index(files, "-"); i >= 0 && slices.Contains(files[i+1:], "-") {
		return errors.New("- stands twice among the files, and standard input can be read once")
	}
	texts := sources{}
	var all diag.List
	for _, name := range files {
		data, err := readInput(streams.In, name)
		if err != nil {
			return err
		}
		texts[name] = data
		_, found := check(name, data)
		all = append(all, found...)
		if !found.HasErrors() {
			if _, err := fmt.Fprintf(streams.Out, "%s: valid\n", name); err != nil {
				return err
			}
		}
	}
	return texts.report(streams.Err, all)
}

// check loads and validates one document. What only a harness knows, its functions and models for instance, isn't
// checked.
func check(name string, data []byte) (*declarative.Checked, diag.List) {
	doc, found := declarative.Load(name, data)
	if doc == nil {
		return nil, found
	}
	checked, more := declarative.Validate(doc, declarative.Options{})
	found = append(found, more...)
	found.Sort()
	return checked, found
}
