package a2a

import (
	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/intake"
)

// outputArtifact is the artifact of a run with one output.
const outputArtifact = "output"

// output is what a terminal gave.
type output struct {
	node  string
	value any // never nil
}

// inOrder sorts the outputs of nodes as the terminals are; nodes that are no terminals, or gave nothing, are left out.
func inOrder(values map[string]any, o intake.Outline) []output {
	var outputs []output
	for _, t := range o.Terminals {
		if v := values[t.Node]; v != nil {
			outputs = append(outputs, output{t.Node, v})
		}
	}
	return outputs
}

// artifacts are the artifacts of a run with those outputs, in their order.
func artifacts(outputs []output, o intake.Outline) []*a2a.Artifact {
	var all []*a2a.Artifact
	for _, out := range outputs {
		all = append(all, out.artifact(nameOutputs(outputs, o)))
	}
	return all
}

// nameOutputs says whether the artifacts of a run with those outputs have the names of their nodes, as there are several.
func nameOutputs(outputs []output, o intake.Outline) bool { return o.Several || len(outputs) > 1 }

// artifact shows the output, named by its node or as the only one.
func (out output) artifact(named bool) *a2a.Artifact {
	id := outputArtifact
	if named {
		id = out.node
	}
	return &a2a.Artifact{ID: a2a.ArtifactID(id), Parts: a2a.ContentParts{part(out.value)}}
}

// part is a value as a part: text as such, anything else as data.
func part(value any) *a2a.Part {
	if text, ok := value.(string); ok {
		return a2a.NewTextPart(text)
	}
	return a2a.NewDataPart(value)
}

// previewOf is the artifact that shows the text of a terminal while it is written.
func previewOf(t intake.Terminal, o intake.Outline) a2a.ArtifactID {
	if o.Several {
		return a2a.ArtifactID(t.Node)
	}
	return outputArtifact
}
