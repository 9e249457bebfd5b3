package cli

import (
	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative/jsonschema"
)

func newSchema(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of documents, for editors",
		Long: "schema prints the JSON Schema 2020-12 of an AgentSystem document. Editors complete and explain fields by it; what it " +
			"refuses, validate refuses, and validate finds more. With the YAML language server, write it to a file and put\n" +
			"  # yaml-language-server: $schema=FILE\n" +
			"at the top of a document.",
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			text, err := jsonschema.Schema()
			if err != nil {
				return err
			}
			_, err = streams.Out.Write(text)
			return err
		},
	}
}
