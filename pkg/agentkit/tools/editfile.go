package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

type editFile struct{ w *Workspace }

func (editFile) Spec() core.Spec {
	return core.Spec{
		Name: "edit_file",
		Description: "Changes parts of a text file of the workspace. Each old_string has to occur exactly once in the file as " +
			"it is now, with the same white space; take in neighbouring lines to make it unique. All edits are made, or none.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"Path of the file, relative to the workspace."},` +
			`"edits":{"type":"array","minItems":1,"items":{"type":"object","properties":{` +
			`"old_string":{"type":"string","minLength":1,"description":"The text to replace, exactly as it stands in the file."},` +
			`"new_string":{"type":"string","description":"What stands there afterwards."}},` +
			`"required":["old_string","new_string"],"additionalProperties":false}}},` +
			`"required":["path","edits"],"additionalProperties":false}`),
		Guidelines: []string{"Paths are relative to the workspace.", "Read a file before you edit it."},
	}
}

func (t editFile) Run(_ context.Context, call core.Call) (core.Result, error) {
	var name string
	var raw []json.RawMessage
	if err := bind(call.Args, field{"path", &name, true}, field{"edits", &raw, true}); err != nil {
		return core.Result{}, err
	}
	file, err := local(name)
	if err != nil {
		return core.Result{}, err
	}
	edits, err := bindEdits(raw)
	if err != nil {
		return core.Result{}, err
	}
	t.w.changes.Lock()
	defer t.w.changes.Unlock()
	text, err := t.w.content(name, file)
	if err != nil {
		return core.Result{}, err
	}
	changed, err := apply(text, edits)
	if err != nil {
		return core.Result{}, fmt.Errorf("%q is unchanged: %w", name, err)
	}
	if _, err := t.w.replace(name, file, changed); err != nil {
		return core.Result{}, err
	}
	return core.TextResult(fmt.Sprintf("made %d of %d edits of %s", len(edits), len(edits), name)), nil
}

// edit is one replacement; at is where its old text stands.
type edit struct {
	n        int
	old, new string
	at       int
}

func bindEdits(raw []json.RawMessage) ([]edit, error) {
	if len(raw) == 0 {
		return nil, errors.New("edits is empty")
	}
	edits := make([]edit, len(raw))
	for i, r := range raw {
		e := &edits[i]
		e.n = i + 1
		if err := bind(r, field{"old_string", &e.old, true}, field{"new_string", &e.new, true}); err != nil {
			return nil, fmt.Errorf("edit %d: %w", e.n, err)
		}
		switch e.old {
		case "":
			return nil, fmt.Errorf("edit %d: old_string is empty; to write a new file use write_file", e.n)
		case e.new:
			return nil, fmt.Errorf("edit %d: old_string and new_string are the same", e.n)
		}
	}
	return edits, nil
}

// content reads a file that is going to be changed. The caller holds changes.
func (w *Workspace) content(name, file string) (string, error) {
	f, err := w.open(name, file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxWrite+1))
	switch {
	case err != nil:
		return "", explain(name, err)
	case len(data) > MaxWrite:
		return "", fmt.Errorf("%q has more than %d bytes and can't be edited", name, MaxWrite)
	case !isText(string(data)):
		return "", fmt.Errorf("%q is not a text file in UTF-8", name)
	}
	return string(data), nil
}

// apply makes all edits or none. Every old text is looked for in the text as it was, where it has to stand once: an edit
// at each of several places, or at a place that another edit made, is how files are ruined.
func apply(text string, edits []edit) (string, error) {
	for i := range edits {
		e := &edits[i]
		if e.at = strings.Index(text, e.old); e.at < 0 {
			return "", fmt.Errorf("edit %d: old_string doesn't occur; read the file again and copy the text exactly", e.n)
		}
		if again := strings.Index(text[e.at+1:], e.old); again >= 0 {
			return "", fmt.Errorf("edit %d: old_string occurs more than once, in lines %d and %d; "+
				"take in more of the text around it", e.n, lineAt(text, e.at), lineAt(text, e.at+1+again))
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	end := 0
	for i, e := range edits {
		if e.at < end {
			return "", fmt.Errorf("edits %d and %d overlap; make them one", edits[i-1].n, e.n)
		}
		b.WriteString(text[end:e.at])
		b.WriteString(e.new)
		end = e.at + len(e.old)
	}
	b.WriteString(text[end:])
	return b.String(), nil
}

// lineAt is the number of the line that a position lies in.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
