package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func TestNewPoolRefuses(t *testing.T) {
	url := "http://127.0.0.1/mcp"
	header := func(name, value string) mcp.ServerConfig {
		return mcp.ServerConfig{Name: "a", URL: url, Headers: []mcp.Header{{Name: name, Value: value}}}
	}
	tests := map[string]struct {
		cfg      mcp.ServerConfig
		mentions string
	}{
		"an empty name":               {mcp.ServerConfig{URL: url}, `name ""`},
		"a name with an underscore":   {mcp.ServerConfig{Name: "a_b", URL: url}, `name "a_b"`},
		"a name with a slash":         {mcp.ServerConfig{Name: "a/b", URL: url}, `name "a/b"`},
		"a name that starts wrong":    {mcp.ServerConfig{Name: "1a", URL: url}, "a letter followed by"},
		"a long name":                 {mcp.ServerConfig{Name: strings.Repeat("a", 33), URL: url}, "up to 31"},
		"no endpoint":                 {mcp.ServerConfig{Name: "a"}, "neither a command nor a url"},
		"two endpoints":               {mcp.ServerConfig{Name: "a", URL: url, Command: []string{"x"}}, "both a command and a url"},
		"an empty program":            {mcp.ServerConfig{Name: "a", Command: []string{""}}, "program is empty"},
		"a file":                      {mcp.ServerConfig{Name: "a", URL: "file:///etc/passwd"}, `scheme is "file"`},
		"no scheme":                   {mcp.ServerConfig{Name: "a", URL: "localhost:80"}, "scheme"},
		"no host":                     {mcp.ServerConfig{Name: "a", URL: "http:///mcp"}, "no host"},
		"a port alone":                {mcp.ServerConfig{Name: "a", URL: "http://:80/mcp"}, "no host"},
		"a password in the url":       {mcp.ServerConfig{Name: "a", URL: "http://u:SECRET@h/"}, "use a header"},
		"a broken url":                {mcp.ServerConfig{Name: "a", URL: "http://h/%zz?key=SECRET"}, "can't be parsed"},
		"a line break in a header":    {header("X-Token", "SECRET\r\nX: y"), "control character"},
		"a tab in a header":           {header("X-Token", "SECRET\ty"), "control character"},
		"a header that is no token":   {header("X Token", "SECRET"), "not a header name"},
		"a header without a name":     {header("", "SECRET"), "not a header name"},
		"the host header":             {header("hOST", "SECRET"), "belongs to the protocol"},
		"a cookie":                    {header("Cookie", "SECRET"), "belongs to the protocol"},
		"a header of the protocol":    {header("Mcp-Session-Id", "SECRET"), "belongs to the protocol"},
		"a negative timeout":          {mcp.ServerConfig{Name: "a", URL: url, Timeout: -1}, "negative"},
		"a variable with an equals":   {mcp.ServerConfig{Name: "a", Command: []string{"x"}, Env: map[string]string{"A=B": ""}}, `"A=B"`},
		"a NUL in a variable's value": {mcp.ServerConfig{Name: "a", Command: []string{"x"}, Env: map[string]string{"A": "\x00"}}, `"A"`},
		"a header that is given twice": {
			mcp.ServerConfig{Name: "a", URL: url, Headers: []mcp.Header{{Name: "X-A", Value: "1"}, {Name: "x-a", Value: "2"}}},
			"given twice",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := mcp.NewPool([]mcp.ServerConfig{tt.cfg}, nil)
			if err == nil || !strings.Contains(err.Error(), tt.mentions) {
				t.Fatalf("%v, want an error that mentions %q", err, tt.mentions)
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the error repeats a secret: %v", err)
			}
		})
	}
}

func TestNewPoolReportsEveryMistake(t *testing.T) {
	_, err := mcp.NewPool([]mcp.ServerConfig{
		{Name: "fine", URL: "https://example.com/mcp"},
		{Name: "fine", Command: []string{"x"}},
		{Name: "other", Command: []string{"x"}, URL: "ftp://h/"},
		{Name: "bad name", Timeout: -1},
	}, nil)
	for _, mentions := range []string{"another server has this name", "both a command", `"bad name"`, "negative", "neither"} {
		if err == nil || !strings.Contains(err.Error(), mentions) {
			t.Errorf("%v doesn't mention %q", err, mentions)
		}
	}
}

func TestAHeaderPrintsWithoutItsValue(t *testing.T) {
	cfg := mcp.ServerConfig{Name: "a", Headers: []mcp.Header{{Name: "Authorization", Value: "SECRET"}}}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, cfg); strings.Contains(text, "SECRET") || !strings.Contains(text, "Authorization") {
			t.Errorf("%s: %s", format, text)
		}
	}
}
