package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// findWriter returns what writes a verdict in a form.
func findWriter(form string) (func(Streams, *verdict) error, error) {
	switch form {
	case "text":
		return writeText, nil
	case "json":
		return writeJSON, nil
	case "github":
		return writeGitHub, nil
	case "sarif":
		return writeSARIF, nil
	}
	return nil, fmt.Errorf("--output %s: the forms are text, json, github and sarif", form)
}

// writeText names valid inputs on standard output, and explains findings on standard error.
func writeText(streams Streams, v *verdict) error {
	for i, in := range v.inputs {
		if v.valid[i] {
			if _, err := fmt.Fprintf(streams.Out, "%s: valid\n", in); err != nil {
				return err
			}
		}
	}
	return diag.Write(streams.Err, v.found, func(file string) []byte { return v.texts[file] })
}

// jsonVerdict is the form for programs.
type jsonVerdict struct {
	Inputs      []jsonInput `json:"inputs"`
	Diagnostics diag.List   `json:"diagnostics"`
}

type jsonInput struct {
	File      string `json:"file"`
	ConfigMap string `json:"config_map,omitempty"` // NAME/KEY
	Object    string `json:"object,omitempty"`     // KIND NAME, or KIND NAMESPACE/NAME
	Valid     bool   `json:"valid"`
}

func writeJSON(streams Streams, v *verdict) error {
	out := jsonVerdict{Inputs: []jsonInput{}, Diagnostics: diag.List{}}
	for i, in := range v.inputs {
		out.Inputs = append(out.Inputs, jsonInput{File: in.file, ConfigMap: in.key, Object: in.object, Valid: v.valid[i]})
	}
	out.Diagnostics = append(out.Diagnostics, v.found...)
	return encode(streams, out)
}

func encode(streams Streams, value any) error {
	enc := json.NewEncoder(streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// writeGitHub writes workflow commands, which a GitHub runner shows at the lines of a pull request.
func writeGitHub(streams Streams, v *verdict) error {
	var out strings.Builder
	for i := range v.found {
		d := &v.found[i]
		fmt.Fprintf(&out, "::%s file=%s", d.Severity, escapeProperty(d.File))
		if !d.IsZero() {
			fmt.Fprintf(&out, ",line=%d,col=%d,endColumn=%d", d.Line, d.Column, d.EndColumn)
		}
		fmt.Fprintf(&out, ",title=%s::%s\n", d.Code, escapeCommand(sentence(d)))
	}
	_, err := fmt.Fprint(streams.Out, out.String())
	return err
}

// sentence is a finding on one line.
func sentence(d *diag.Diagnostic) string {
	text := d.Message
	if d.Path != "" {
		text = d.Path + ": " + text
	}
	if d.Hint != "" {
		text += "; " + d.Hint
	}
	return text
}

func escapeCommand(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func escapeProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeCommand(text))
}
