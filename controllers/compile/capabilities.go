package compile

import (
	"fmt"
	"slices"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/api/v1alpha1"
)

// checkCapabilities checks that the program runs documents and reads this version of configs.
func (c *compilation) checkCapabilities() *Refusal {
	byo := c.in.Harness.Spec.BYO
	if byo == nil || byo.Capabilities == nil {
		return nil
	}
	can := byo.Capabilities
	refusal := &Refusal{Reason: v1alpha1.ReasonDocumentsUnsupported}
	switch {
	case !can.Documents:
		refusal.Message = of(c.in.Harness) + "spec.byo.capabilities: its program runs no documents"
	case len(can.ConfigVersions) > 0 && !slices.Contains(can.ConfigVersions, adkconfigv1.Version):
		refusal.Message = fmt.Sprintf("%sspec.byo.capabilities: its program reads configs of version %s; this release writes %s",
			of(c.in.Harness), enumerate(can.ConfigVersions), adkconfigv1.Version)
	default:
		return nil
	}
	return refusal
}
