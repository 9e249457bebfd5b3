package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Licence is the SPDX identifier of a licence that we know by its text.
type Licence string

// licenceTexts recognises licences by words that their texts, with white space folded, can't do without.
func licenceTexts() map[Licence]*regexp.Regexp {
	texts := map[Licence]string{
		"Apache-2.0": `Apache License,? Version 2\.0`,
		"BSD":        `Redistribution and use in source and binary forms`,
		"GPL":        `GNU (LESSER |AFFERO |LIBRARY )?GENERAL PUBLIC LICENSE Version [23]`,
		"ISC":        `Permission to use, copy, modify, and(/or)? distribute this software for any purpose`,
		"MIT":        `Permission is hereby granted, free of charge`,
		"MPL-2.0":    `Mozilla Public License,? (Version|v\.) ?2\.0`,
		"CC-BY-4.0":  `Creative Commons Attribution 4\.0`,
		"Unlicense":  `This is free and unencumbered software released into the public domain`,
		"BUSL":       `Business Source License`,
		"SSPL":       `Server Side Public License`,
	}
	compiled := map[Licence]*regexp.Regexp{}
	for licence, text := range texts {
		compiled[licence] = regexp.MustCompile("(?i)" + text)
	}
	return compiled
}

// AllowedLicences are those of modules that may be linked into plait. CC-BY-4.0 is there for modules that publish their
// documentation under it.
func AllowedLicences() []Licence {
	return []Licence{"Apache-2.0", "BSD", "CC-BY-4.0", "ISC", "MIT", "MPL-2.0"}
}

// Licences gives the licences that a text holds, in order.
func Licences(text string) []Licence {
	folded := strings.Join(strings.Fields(text), " ")
	var found []Licence
	for licence, words := range licenceTexts() {
		if words.MatchString(folded) {
			found = append(found, licence)
		}
	}
	slices.Sort(found)
	return found
}

// ModuleProblems says what keeps us from using the module whose files are in dir: no licence file at all, or one that
// holds no licence we know or one that isn't allowed.
func ModuleProblems(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	licenceFile := regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(\.|-|$)`)
	var problems []string
	seen := false
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		seen = true
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		problems = append(problems, textProblems(entry.Name(), string(text))...)
	}
	if !seen {
		problems = append(problems, "no licence file")
	}
	return problems, nil
}

func textProblems(name, text string) []string {
	found := Licences(text)
	if len(found) == 0 {
		return []string{name + ": a text that is none of the licences we know"}
	}
	var problems []string
	for _, licence := range found {
		if !slices.Contains(AllowedLicences(), licence) {
			problems = append(problems, fmt.Sprintf("%s: %s; allowed are %v", name, licence, AllowedLicences()))
		}
	}
	return problems
}

// Modules gives the modules of the graph's packages, without our own, by path.
func (g Graph) Modules() map[string]*Module {
	modules := map[string]*Module{}
	for _, pkg := range g {
		if pkg.Module != nil && !pkg.Module.Main {
			modules[pkg.Module.Path] = pkg.Module
		}
	}
	return modules
}
