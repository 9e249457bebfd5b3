package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative"
)

func newCanonical(streams Streams) *cobra.Command {
	var digest bool
	cmd := &cobra.Command{
		Use:   "canonical PATH",
		Short: "Print a document's canonical form, or its digest",
		Long: "canonical prints the one form (RFC 8785 JSON) that all spellings of a document have, and with --digest its SHA-256. " +
			"Comments, key order, quoting, anchors, list sugar and written-out defaults don't change it.",
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return canonical(streams, args[0], digest) },
	}
	cmd.Flags().BoolVar(&digest, "digest", false, "print the SHA-256 instead")
	return cmd
}

func canonical(streams Streams, path string, digest bool) error {
	checked, err := onlyDocument(streams, path)
	if err != nil {
		return err
	}
	form, err := declarative.Canonicalize(checked.Document)
	if err != nil {
		return err
	}
	if digest {
		_, err = fmt.Fprintln(streams.Out, declarative.Digest(form))
		return err
	}
	_, err = fmt.Fprintf(streams.Out, "%s\n", form)
	return err
}
