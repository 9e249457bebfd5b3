package mcp_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// asChild makes the test binary behave as one of the servers in childServers.
const asChild = "PLAIT_MCP_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(asChild); name != "" {
		serve, ok := childServers()[name]
		if !ok {
			panic("no child server " + name)
		}
		serve()
		return
	}
	goleak.VerifyTestMain(m)
}
