package mcp

import (
	"fmt"
	"strings"
	"testing"
)

func TestTailKeepsTheLastLines(t *testing.T) {
	var tl tail
	for i := range 10_000 {
		fmt.Fprintf(&tl, "line %d \x1b[31m\n", i)
	}
	if len(tl.buf) > stderrBytes {
		t.Errorf("%d bytes are kept", len(tl.buf))
	}
	want := "line 9995 [31m | line 9996 [31m | line 9997 [31m | line 9998 [31m | line 9999 [31m"
	if got := tl.last(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTailOfOneLongLine(t *testing.T) {
	var tl tail
	if _, err := tl.Write([]byte(strings.Repeat("x", 3*stderrBytes) + "end")); err != nil {
		t.Fatal(err)
	}
	if got := tl.last(); len(got) != stderrBytes || !strings.HasSuffix(got, "end") {
		t.Errorf("%d bytes that end in %q", len(got), got[len(got)-5:])
	}
}

func TestTailOfNothing(t *testing.T) {
	if got := new(tail).last(); got != "" {
		t.Errorf("%q", got)
	}
}
