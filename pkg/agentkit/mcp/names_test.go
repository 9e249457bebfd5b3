package mcp_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/agentkit/mcp"
)

func TestQualifiedName(t *testing.T) {
	long := strings.Repeat("n", 80)
	tests := []struct{ server, tool, want string }{
		{"crm", "lookup_customer", "crm__lookup_customer"},
		{"crm", "__x", "crm____x"},
		{"crm", "files.read", "crm__files_read_5123c4b7"},
		{"crm", "files/read", "crm__files_read_ff413f9b"},
		{"crm", strings.Repeat("n", 59), "crm__" + strings.Repeat("n", 59)},
		{"crm", long, "crm__" + strings.Repeat("n", 50) + "_515fee59"},
		{"crm", long + "2", "crm__" + strings.Repeat("n", 50) + "_6ceaec8f"},
	}
	for _, tt := range tests {
		if got := mcp.QualifiedName(tt.server, tt.tool); got != tt.want {
			t.Errorf("QualifiedName(%q, %q) = %q, want %q", tt.server, tt.tool, got, tt.want)
		}
	}
}

func TestQualifiedNamesFitEveryProviderAndStayApart(t *testing.T) {
	fits := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	rapid.Check(t, func(t *rapid.T) {
		server := rapid.StringMatching(`[A-Za-z][A-Za-z0-9-]{0,31}`)
		tool := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z./ _é-]{1,90}`))
		s1, t1 := server.Draw(t, "server"), tool.Draw(t, "tool")
		s2, t2 := server.Draw(t, "other server"), tool.Draw(t, "other tool")
		one, two := mcp.QualifiedName(s1, t1), mcp.QualifiedName(s2, t2)
		if !fits.MatchString(one) {
			t.Fatalf("%q", one)
		}
		if !strings.HasPrefix(one, s1+"__") {
			t.Fatalf("%q doesn't begin with server %q", one, s1)
		}
		if one == two && (s1 != s2 || t1 != t2) {
			t.Fatalf("%q and %q of %q and %q are both %q", t1, t2, s1, s2, one)
		}
	})
}
