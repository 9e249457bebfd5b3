package wiretest

import "testing"

// Run runs the suite.
func Run(t *testing.T, d Dialect) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *vendor)
	}{
		{"answers", testAnswers},
		{"cuts", testCuts},
		{"unknown events", testUnknownEvents},
		{"stop reasons", testStops},
		{"failures", testFailures},
		{"errors within a stream", testOverloaded},
		{"the first delta", testFirstDelta},
		{"leaving", testLeaving},
		{"a vendor that isn't there", testUnreachable},
		{"transcript", testTranscript},
		{"repaired transcripts", testRepaired},
		{"generate", testGenerate},
		{"kinds of tools", testKindsOfTools},
		{"images that can't be loaded", testImagesMissing},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, newVendor(t, d)) })
	}
	t.Run("forms of streams", func(t *testing.T) { testForms(t, d) })
	t.Run("cuts of every form", func(t *testing.T) { testCutForms(t, d) })
}
