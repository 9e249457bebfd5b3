package main_test

import (
	"slices"
	"testing"

	"github.com/plait-dev/plait/harness/harnesstest"
)

// startCRM builds and starts the example's CRM, which ends with the test.
func startCRM(t *testing.T) *harnesstest.CRM {
	t.Helper()
	return harnesstest.StartCRM(t, harnesstest.Build(t, "examples/support-triage/crm"))
}

// keysSince returns the different keys of the calls after the first n.
func keysSince(crm *harnesstest.CRM, n int) []string {
	keys := crm.Keys()[n:]
	slices.Sort(keys)
	return slices.Compact(keys)
}
