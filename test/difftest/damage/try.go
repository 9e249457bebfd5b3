package damage

import (
	"context"
	"reflect"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Try gives a reader a scenario's answer in all its damaged forms, and compares with what it read in the answer as it is.
func Try(ctx context.Context, ask canned.Ask, vendor string, s scenario.Scenario, undamaged reference.Answer) ([]reference.Damage, error) {
	reply, err := s.Reply(vendor)
	if err != nil {
		return nil, err
	}
	var all []reference.Damage
	for _, way := range Ways(s) {
		var outcomes []reference.Outcome
		for _, body := range way.bodies(reply, vendor) {
			kind := reply.Kind
			if way.kind != "" {
				kind = way.kind
			}
			got, err := ask(ctx, &canned.Vendor{Kind: kind, Body: body}, s)
			switch {
			case err != nil:
				outcomes = append(outcomes, reference.Failed)
			case reflect.DeepEqual(got, undamaged):
				outcomes = append(outcomes, reference.Same)
			default:
				outcomes = append(outcomes, reference.Other)
			}
		}
		all = append(all, reference.Damage{How: way.Name, Outcomes: reference.Tell(outcomes)})
	}
	return all, nil
}
