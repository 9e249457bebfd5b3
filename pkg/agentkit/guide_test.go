package agentkit_test

import (
	"os"
	"strings"
	"testing"
)

// What docs/agentkit.md shows stands in the examples, which are run.
func TestTheGuideShowsCodeThatRuns(t *testing.T) {
	var examples strings.Builder
	for _, file := range []string{"example_test.go", "session/example_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples.Write(text)
	}
	guide, err := os.ReadFile("../../docs/agentkit.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(guide), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Error("the guide shows no code")
	}
	for _, b := range blocks {
		code, _, _ := strings.Cut(b, "```")
		if !strings.Contains(examples.String(), code) {
			t.Errorf("no example has this code:\n%s", code)
		}
	}
}
