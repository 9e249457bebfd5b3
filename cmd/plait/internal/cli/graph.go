package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/draw"
)

func newGraph(streams Streams) *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "graph PATH",
		Short: "Draw a document",
		Long: "graph draws the agents of a document and the graphs of its workflows: routes are labels, nested graphs are boxes. " +
			"Mermaid is text that Markdown viewers draw; SVG is a picture.",
		Example: "  plait graph agents.yaml\n  plait graph agents.yaml -o svg > agents.svg",
		Args:    arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if form != "mermaid" && form != "svg" {
				return fmt.Errorf("--output %s: the forms are mermaid and svg", form)
			}
			checked, err := onlyDocument(streams, args[0])
			if err != nil {
				return err
			}
			picture := draw.Of(checked.Document)
			text := draw.Mermaid(picture)
			if form == "svg" {
				text = draw.SVG(picture)
			}
			_, err = io.WriteString(streams.Out, text)
			return err
		},
	}
	cmd.Flags().StringVarP(&form, "output", "o", "mermaid", "mermaid or svg")
	return cmd
}

// onlyDocument reads the one document that a path leads to, in a file of its own or in a ConfigMap, and reports what is
// wrong with it.
func onlyDocument(streams Streams, path string) (*declarative.Checked, error) {
	c := collector{streams: streams, texts: sources{}}
	if err := c.collect(path); err != nil {
		return nil, err
	}
	documents := slices.DeleteFunc(c.inputs, func(in input) bool { return in.run })
	switch len(documents) {
	case 0:
		return nil, fmt.Errorf("%s is a run file: name the document", path)
	case 1:
	default:
		return nil, fmt.Errorf("%s holds %d documents, %s and %s among them: name one", path, len(documents), documents[0], documents[1])
	}
	checked, found := checkParsed(documents[0].parsed, documents[0].found)
	return checked, c.texts.report(streams.Err, found)
}
