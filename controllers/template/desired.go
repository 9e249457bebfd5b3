package template

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/status"
)

// desired finds the revision that is to run on a harness: the pinned one, the one that runs while the template is
// suspended, or else the one that was compiled. Nil says that the Deployment is to be left as it is.
func (p *pass) desired(ctx context.Context, h *v1alpha1.Harness, f *status.Facts) (*apply.Rollout, error) {
	switch {
	case p.template.Spec.Revision != "":
		f.Hold, f.Desired = v1alpha1.ReasonPinned, p.template.Spec.Revision
		return p.stored(ctx, h, f)
	case p.template.Spec.Suspend:
		f.Hold, f.Desired = v1alpha1.ReasonSuspended, apply.RevisionOf(f.Deployment)
		if f.Desired == "" {
			return nil, nil
		}
		return p.stored(ctx, h, f)
	case f.Result == nil || f.Result.Revision == nil:
		return nil, nil
	}
	rev := f.Result.Revision
	cm, err := apply.RevisionConfigMap(p.template, h.Name, rev)
	if err != nil {
		return nil, err
	}
	created, err := p.Applier.Store(ctx, p.uses, cm)
	if err != nil {
		return nil, err
	}
	if created {
		p.news = append(p.news, status.RevisionCreated(h.Name, rev.Short()))
	}
	before := f.Desired
	f.Desired = rev.Short()
	if err := p.tellInputs(ctx, h, f, before); err != nil {
		return nil, err
	}
	return &apply.Rollout{Template: p.template, Harness: h, Revision: rev.Short(), Manifest: rev.Manifest}, nil
}

// stored takes a revision up again from its ConfigMap.
func (p *pass) stored(ctx context.Context, h *v1alpha1.Harness, f *status.Facts) (*apply.Rollout, error) {
	cm, err := p.Applier.Revision(ctx, p.uses, p.template, h.Name, f.Desired)
	if err != nil {
		return nil, err
	}
	if cm == nil {
		f.Obstacle = &status.Obstacle{Reason: v1alpha1.ReasonRevisionMissing, Message: fmt.Sprintf(
			"there is no ConfigMap %s, which revision %s is kept in", apply.RevisionName(p.template.Name, h.Name, f.Desired), f.Desired)}
		return nil, nil
	}
	manifest, err := apply.ReadRevision(cm, p.template, h.Name, f.Desired)
	if err != nil {
		f.Obstacle = &status.Obstacle{Reason: v1alpha1.ReasonRevisionMissing, Message: err.Error()}
		return nil, nil //nolint:nilerr // it was tampered with: the status says so, and trying again makes it no better
	}
	return &apply.Rollout{Template: p.template, Harness: h, Revision: f.Desired, Manifest: manifest}, nil
}

// tellInputs tells which inputs made another revision of the one before, if that can still be read.
func (p *pass) tellInputs(ctx context.Context, h *v1alpha1.Harness, f *status.Facts, before string) error {
	if before == "" || before == f.Desired {
		return nil
	}
	old, err := p.Applier.Revision(ctx, p.uses, p.template, h.Name, before)
	if err != nil || old == nil {
		return err
	}
	p.news = append(p.news, status.InputChanged(
		h.Name, before, f.Desired, apply.ReadProvenance(old), f.Result.Revision.Provenance))
	return nil
}
