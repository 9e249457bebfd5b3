package policy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/internal/policy"
)

func TestLicences(t *testing.T) {
	tests := map[string]struct {
		text string
		want []policy.Licence
	}{
		"MIT, broken into lines": {"Permission is hereby\n  granted, free of\ncharge, to any", []policy.Licence{"MIT"}},
		"two in one file": {
			"Permission is hereby granted, free of charge\n\nApache License\n  Version 2.0",
			[]policy.Licence{"Apache-2.0", "MIT"},
		},
		"GPL":                        {"GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007", []policy.Licence{"GPL"}},
		"LGPL":                       {"GNU LESSER GENERAL PUBLIC LICENSE\nVersion 2.1", []policy.Licence{"GPL"}},
		"MPL, which speaks of GPL":   {"Mozilla Public License Version 2.0 … the GNU General Public License, Version 2.0", []policy.Licence{"MPL-2.0"}},
		"none of those that we know": {"All rights reserved.", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, policy.Licences(tt.text)); diff != "" {
				t.Errorf("licences (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOurOwnLicence(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]policy.Licence{"Apache-2.0"}, policy.Licences(string(text))); diff != "" {
		t.Errorf("licences (-want +got):\n%s", diff)
	}
}

func TestModuleProblems(t *testing.T) {
	const (
		mit = "Permission is hereby granted, free of charge"
		gpl = "GNU GENERAL PUBLIC LICENSE Version 2"
	)
	allowed := "; allowed are [Apache-2.0 BSD CC-BY-4.0 ISC MIT MPL-2.0]"
	tests := map[string]struct {
		files map[string]string
		want  []string
	}{
		"an allowed one":             {map[string]string{"LICENSE": mit}, nil},
		"British and with an ending": {map[string]string{"licence.md": mit}, nil},
		"no file":                    {map[string]string{"README": mit, "licenses.go": mit}, []string{"no licence file"}},
		"one that isn't allowed":     {map[string]string{"COPYING": gpl}, []string{"COPYING: GPL" + allowed}},
		"a second one that isn't":    {map[string]string{"LICENSE": mit, "LICENSE-GPL": gpl}, []string{"LICENSE-GPL: GPL" + allowed}},
		"both in one file":           {map[string]string{"LICENSE": mit + "\n" + gpl}, []string{"LICENSE: GPL" + allowed}},
		"an unknown text":            {map[string]string{"LICENSE.txt": "Ask me."}, []string{"LICENSE.txt: a text that is none of the licences we know"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := policy.ModuleProblems(dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := policy.ModuleProblems(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("no error for a directory that isn't there")
	}
}
