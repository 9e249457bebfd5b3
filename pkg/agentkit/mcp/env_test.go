package mcp

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAChildInheritsLittle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other variables there")
	}
	environ := []string{
		"PATH=/bin", "HOME=/root", "LANG=C", "ANTHROPIC_API_KEY=SECRET", "PLAIT_CONFIG=x", "LD_PRELOAD=evil.so",
		"path=/lower", "PATHS=/more", "broken", "TERM=dumb",
	}
	got := childEnv(environ, map[string]string{"TERM": "own", "CRM_TOKEN": "given", "EMPTY": ""})
	want := []string{"CRM_TOKEN=given", "EMPTY=", "HOME=/root", "LANG=C", "PATH=/bin", "TERM=own"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
