package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/plait-dev/plait/test/difftest/canned"
	"github.com/plait-dev/plait/test/difftest/damage"
	"github.com/plait-dev/plait/test/difftest/reference"
	"github.com/plait-dev/plait/test/difftest/scenario"
	"github.com/plait-dev/plait/test/difftest/subject"
)

// DarkError says that there is no reference to compare with, or one of something else: nothing is known then.
type DarkError struct{ Vendor, Scenario, Why string }

// Error says which one, and what to do.
func (e *DarkError) Error() string {
	return fmt.Sprintf("DARK: %s of %s: %s; make difftest-capture writes it", e.Scenario, e.Vendor, e.Why)
}

// References are those of all vendors and scenarios.
type References map[string]map[string]reference.File

// SDK is the module and the version that a vendor's references were made with.
func (r References) SDK(vendor string) string {
	for _, f := range r[vendor] {
		return f.Provenance.Module + " " + f.Provenance.Version // the same for all
	}
	return "none"
}

// Load reads the references in a directory. They have to be of the scenarios and answers as they are now; a [*DarkError] for each
// that isn't is joined into the error.
func Load(dir string) (References, error) {
	refs := References{}
	var wrong []error
	for _, vendor := range scenario.Vendors() {
		refs[vendor] = map[string]reference.File{}
		for _, s := range scenario.All() {
			ref, err := known(dir, vendor, s)
			refs[vendor][s.Name] = ref
			wrong = append(wrong, err)
		}
	}
	return refs, errors.Join(wrong...)
}

// All compares our wires with the references.
func All(ctx context.Context, refs References) ([]Finding, error) {
	var all []Finding
	for _, vendor := range scenario.Vendors() {
		for _, s := range scenario.All() {
			found, err := one(ctx, vendor, s, refs[vendor][s.Name])
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", s.Name, vendor, err)
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

// known reads a reference and checks what it was made from.
func known(dir, vendor string, s scenario.Scenario) (reference.File, error) {
	ref, err := reference.Read(dir, vendor, s.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return ref, &DarkError{vendor, s.Name, "it has no reference"}
	}
	if err != nil {
		return ref, err
	}
	reply, err := s.Reply(vendor)
	switch {
	case err != nil:
		return ref, err
	case ref.Provenance.Scenario != s.Sum():
		return ref, &DarkError{vendor, s.Name, "its reference was made from another scenario"}
	case ref.Provenance.Stream != reply.Sum():
		return ref, &DarkError{vendor, s.Name, "its reference was made from another answer"}
	case len(ref.Damage) != len(damage.Ways(s)):
		return ref, &DarkError{vendor, s.Name, "its reference knows other ways of damage"}
	}
	return ref, nil
}

func one(ctx context.Context, vendor string, s scenario.Scenario, ref reference.File) ([]Finding, error) {
	reply, err := s.Reply(vendor)
	if err != nil {
		return nil, err
	}
	var v canned.Vendor
	v.Says(reply.Kind, reply.Body)
	got, err := subject.With(vendor)(ctx, &v, s)
	if err != nil {
		return nil, err
	}
	all, err := requests(vendor, s, ref.Request, v.Got)
	if err != nil {
		return nil, err
	}
	all = append(all, exact(vendor, s, ref.Request, v.Got)...)
	read, err := differences(Finding{Vendor: vendor, Scenario: s.Name, Channel: Read}, ref.Answer, got)
	if err != nil {
		return nil, err
	}
	damaged, err := damages(ctx, vendor, s, ref.Damage, got)
	return slices.Concat(all, read, damaged), err
}

// damages compares what became of damaged answers. We have to read those that are still the same by the rules of their framing,
// and must never take others for complete.
func damages(ctx context.Context, vendor string, s scenario.Scenario, sdk []reference.Damage, undamaged reference.Answer) ([]Finding, error) {
	ours, err := damage.Try(ctx, subject.With(vendor), vendor, s, undamaged)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for i, way := range damage.Ways(s) {
		fault := broken(way, ours[i])
		if fault || broken(way, sdk[i]) {
			all = append(all, Finding{Vendor: vendor, Scenario: s.Name, Channel: Damaged, At: way.Name, SDK: sdk[i].Outcomes, Ours: ours[i].Outcomes,
				Fault: fault})
		}
	}
	return all, nil
}

func broken(way damage.Way, d reference.Damage) bool {
	return d.Has(reference.Other) || way.Harmless && d.Has(reference.Failed)
}
