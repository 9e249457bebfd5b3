package main

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Patch is a wrong implementation: edits of one or more files. It is written like a diff without line numbers,
//
//	--- pkg/a/b.go
//	@@
//	 	context
//	-	right
//	+	wrong
//
// so that it still applies when what stands around it moves. The lines with a blank or a minus are the anchor; they stand in
// the file one behind the other, exactly once. White space around lines doesn't count.
type Patch []Edit

// Edit is one hunk of a patch.
type Edit struct {
	File     string
	Old, New []string // lines
}

// ParsePatch reads a patch.
func ParsePatch(text string) (Patch, error) {
	var p Patch
	file := ""
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		name, isFile := strings.CutPrefix(line, "--- ")
		switch {
		case isFile:
			file = name
			continue
		case line == "@@" && file != "":
			p = append(p, Edit{File: file})
			continue
		case len(p) == 0 || p[len(p)-1].File != file:
			return nil, fmt.Errorf("line %d: %q stands in front of a file (--- NAME) and a hunk (@@)", n+1, line)
		}
		e := &p[len(p)-1]
		mark, rest := " ", line
		if line != "" {
			mark, rest = line[:1], line[1:]
		}
		switch mark {
		case " ":
			e.Old, e.New = append(e.Old, rest), append(e.New, rest)
		case "-":
			e.Old = append(e.Old, rest)
		case "+":
			e.New = append(e.New, rest)
		default:
			return nil, fmt.Errorf("line %d: %q begins with none of blank, + and -", n+1, line)
		}
	}
	if len(p) == 0 {
		return nil, errors.New("it has no hunk")
	}
	return p, nil
}

// Apply returns the mutated text of each file of the patch. read returns the text of a file.
func (p Patch) Apply(read func(file string) (string, error)) (map[string]string, error) {
	mutated := map[string]string{}
	for _, e := range p {
		text, begun := mutated[e.File]
		if !begun {
			var err error
			if text, err = read(e.File); err != nil {
				return nil, err
			}
		}
		changed, err := e.apply(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.File, err)
		}
		mutated[e.File] = changed
	}
	return mutated, nil
}

func (e Edit) apply(text string) (string, error) {
	if len(e.Old) == 0 {
		return "", errors.New("a hunk has no anchor")
	}
	lines := strings.Split(text, "\n")
	at := -1
	for i := 0; i+len(e.Old) <= len(lines); i++ {
		if !e.fits(lines[i:]) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("the anchor stands in lines %d and %d: %s", at+1, i+1, e)
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("the anchor isn't there: %s", e)
	}
	changed := strings.Join(slices.Concat(lines[:at], e.New, lines[at+len(e.Old):]), "\n")
	if slices.Equal(code(text), code(changed)) {
		return "", fmt.Errorf("no code is changed: %s", e)
	}
	return changed, nil
}

// fits says whether the lines begin with the anchor.
func (e Edit) fits(lines []string) bool {
	for i, old := range e.Old {
		if strings.TrimSpace(lines[i]) != strings.TrimSpace(old) {
			return false
		}
	}
	return true
}

// String gives the first line of the anchor that tells something.
func (e Edit) String() string {
	for _, line := range e.Old {
		if line = strings.TrimSpace(line); len(line) > 1 {
			return line
		}
	}
	return "(no anchor)"
}

// code returns the tokens of a Go file, without comments.
func code(text string) []string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	var tokens []string
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return tokens
		}
		tokens = append(tokens, tok.String()+" "+literal)
	}
}
