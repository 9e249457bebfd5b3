package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

type readFile struct{ w *Workspace }

func (readFile) Spec() core.Spec {
	return core.Spec{
		Name: "read_file",
		Description: "Reads a text file of the workspace. Returns its text as it is, without line numbers. " +
			"A long file is returned in parts: the result then says how to go on.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"Path of the file, relative to the workspace."},` +
			`"offset":{"type":"integer","minimum":1,"description":"First line to return, from 1. Default 1."},` +
			`"limit":{"type":"integer","minimum":1,"description":"Number of lines to return. Default: all."}},` +
			`"required":["path"],"additionalProperties":false}`),
		Guidelines: []string{"Paths are relative to the workspace."},
		ReadOnly:   true,
		Idempotent: true,
	}
}

func (t readFile) Run(_ context.Context, call core.Call) (core.Result, error) {
	var name string
	offset, limit := 1, 0
	if err := bind(call.Args, field{"path", &name, true}, field{"offset", &offset, false},
		field{"limit", &limit, false}); err != nil {
		return core.Result{}, err
	}
	if offset < 1 || limit < 0 {
		return core.Result{}, errors.New("offset and limit count from 1")
	}
	file, err := local(name)
	if err != nil {
		return core.Result{}, err
	}
	f, err := t.w.open(name, file)
	if err != nil {
		return core.Result{}, err
	}
	defer f.Close()
	text, more, err := lines(f, offset, limit)
	if err != nil {
		return core.Result{}, explain(name, err)
	}
	if !isText(text) {
		return core.Result{}, fmt.Errorf("%q is not a text file in UTF-8", name)
	}
	if text == "" && offset > 1 {
		return core.Result{}, fmt.Errorf("%q has fewer than %d lines", name, offset)
	}
	return core.TextResult(text + more), nil
}

// open opens a file for reading. Folders, devices and pipes are refused before they are touched: opening a pipe may
// block for ever.
func (w *Workspace) open(name, file string) (*os.File, error) {
	info, err := w.root.Stat(file)
	switch {
	case err != nil:
		return nil, explain(name, err)
	case info.IsDir():
		return nil, fmt.Errorf("%q is a folder; list_files shows what is in it", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%q is not a regular file", name)
	}
	f, err := w.root.Open(file)
	return f, explain(name, err)
}

// lines returns the wanted lines as far as they fit, and the remark that says how to go on when they don't. It never
// holds more than it returns.
func lines(r io.Reader, offset, limit int) (text, more string, err error) {
	var kept bytes.Buffer
	buf := make([]byte, 32<<10)
	line, size := 1, 0 // size is where the last whole line that was kept ends
	for {
		n, err := r.Read(buf)
		for rest := buf[:n]; len(rest) > 0; {
			piece := rest
			if i := bytes.IndexByte(rest, '\n'); i >= 0 {
				piece = rest[:i+1]
			}
			rest = rest[len(piece):]
			if limit > 0 && line >= offset+limit {
				return kept.String(), "", nil
			}
			if line >= offset {
				if kept.Len()+len(piece) > MaxRead {
					return cut(&kept, size, line)
				}
				kept.Write(piece)
			}
			if piece[len(piece)-1] == '\n' {
				line++
				size = kept.Len()
			}
		}
		if errors.Is(err, io.EOF) {
			return kept.String(), "", nil
		}
		if err != nil {
			return "", "", err
		}
	}
}

// cut ends the text behind its last whole line, or within a line that is too long by itself.
func cut(kept *bytes.Buffer, size, line int) (text, more string, err error) {
	if size > 0 {
		return kept.String()[:size], fmt.Sprintf("[cut: the file goes on; continue with offset %d]\n", line), nil
	}
	whole := kept.Bytes()
	for range utf8.UTFMax - 1 { // the rest of a character that was cut in two
		if r, n := utf8.DecodeLastRune(whole); r == utf8.RuneError && n == 1 {
			whole = whole[:len(whole)-1]
		}
	}
	return string(whole), fmt.Sprintf("\n[cut: line %d is longer than %d bytes; continue with offset %d]\n",
		line, MaxRead, line+1), nil
}

// isText tells text from the rest.
func isText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
