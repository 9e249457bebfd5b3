package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/cmd/plait/internal/objects"
	"github.com/plait-dev/plait/cmd/plait/internal/project"
	"github.com/plait-dev/plait/pkg/declarative"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// validateFlags are the flags of plait validate.
type validateFlags struct {
	output string
	strict bool
}

func newValidate(streams Streams) *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate PATH…",
		Short: "Report every problem of documents with its place",
		Long: "validate reads AgentSystem documents and reports every problem, with the line and column it is at and what would be " +
			"right. A path is a file, - for standard input, or a folder, of which it takes the documents, the run files and the " +
			"manifests of a cluster: documents in ConfigMaps, and the objects of plait.dev, which it checks against each other as " +
			"the controller does. It exits with 0 when all are fine, 1 when one has an error, 2 when one can't be read.",
		Args: arguments(1, anyNumber),
		RunE: func(cmd *cobra.Command, paths []string) error { return f.validate(cmd.Context(), streams, paths) },
	}
	cmd.Flags().StringVarP(&f.output, "output", "o", "text", "text, json, github (workflow commands) or sarif (2.1.0)")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "fail for warnings, too")
	return cmd
}

func (f *validateFlags) validate(ctx context.Context, streams Streams, paths []string) error {
	write, err := findWriter(f.output)
	if err != nil {
		return err
	}
	c := collector{streams: streams, texts: sources{}}
	for _, path := range paths {
		if err := c.collect(path); err != nil {
			return err
		}
	}
	if len(c.inputs) == 0 {
		return fmt.Errorf("%s: there is nothing to validate: no document, no run file and no object of plait.dev", strings.Join(paths, ", "))
	}
	r := verdict{texts: c.texts}
	for _, in := range c.inputs {
		found, err := c.check(in)
		if err != nil {
			return err
		}
		r.add(in, found)
	}
	c.addObjects(ctx, &r)
	if err := write(streams, &r); err != nil {
		return err
	}
	if r.found.HasErrors() || f.strict && len(r.found) > 0 {
		return errReported
	}
	return nil
}

// verdict is what was found in all inputs of an invocation.
type verdict struct {
	texts  sources
	inputs []input
	valid  []bool // by input
	found  diag.List
}

// add adds what was found in an input. A document that a run file names, too, is checked twice, and what both say counts
// once.
func (v *verdict) add(in input, found diag.List) {
	v.inputs = append(v.inputs, in)
	v.valid = append(v.valid, !found.HasErrors())
	for _, d := range found {
		if !slices.Contains(v.found, d) {
			v.found = append(v.found, d)
		}
	}
}

// addObjects adds what objects of a cluster are to each other.
func (c *collector) addObjects(ctx context.Context, v *verdict) {
	var torn []string
	for i, in := range v.inputs {
		if in.torn || in.object != "" && !v.valid[i] {
			torn = append(torn, in.file)
		}
	}
	r := objects.Report{Found: v.found}
	r.Check(ctx, c.objects, c.texts, torn)
	v.found = r.Found
	if len(c.objects) > 0 { // some of what was found last stands first
		v.found.Sort()
	}
	for i, in := range v.inputs {
		v.valid[i] = v.valid[i] && !slices.Contains(r.Invalid, objects.Owner{File: in.file, Object: in.object, Key: in.key})
	}
}

// check validates an input. A document by itself is checked as far as it can be without a harness; a run file, with its
// document against what it says of models and variables.
func (c *collector) check(in input) (diag.List, error) {
	switch {
	case in.object != "": // see addObjects
		return in.found, nil
	case !in.run:
		_, found := checkParsed(in.parsed, in.found)
		return found, nil
	case in.file == "-":
		return nil, errors.New("a run file can't be validated from standard input: its paths are relative to its folder")
	}
	p, found, err := project.Open(in.file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.file, err)
	}
	if !found.HasErrors() {
		_, found, err = p.Compile()
	}
	maps.Copy(c.texts, p.Texts)
	return found, err
}

// checkParsed loads and validates one document. What only a harness knows, its functions and models for instance, isn't
// checked.
func checkParsed(f *source.File, found diag.List) (*declarative.Checked, diag.List) {
	doc, found := declarative.LoadFile(f, found)
	if doc == nil {
		return nil, found
	}
	checked, more := declarative.Validate(doc, declarative.Options{})
	found = append(found, more...)
	found.Sort()
	return checked, found
}
