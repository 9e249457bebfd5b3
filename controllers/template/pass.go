package template

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/gather"
	"github.com/plait-dev/plait/controllers/status"
)

// pass is one reconciliation of one template.
type pass struct {
	*Reconciler

	before, template *v1alpha1.AgentTemplate
	uses             *gather.Uses
	reader           *gather.Reader

	// taken are the harnesses that take the template, by name, and refusals those that don't.
	taken    []*v1alpha1.Harness
	refusals []status.Refusal
	// unclear are the harnesses of which nobody knows whether they take the template, as their selector is wrong.
	unclear []string

	// source is the document: parsed for the first harness, and shared by all.
	source *compile.Source

	rollouts []v1alpha1.HarnessRollout
	results  map[string]*compile.Result // by harness
	news     []status.Event
	err      error
}

// begin finds the harnesses of the template.
func (r *Reconciler) begin(ctx context.Context, t *v1alpha1.AgentTemplate) (*pass, error) {
	uses := r.Tracker.Begin(client.ObjectKeyFromObject(t))
	p := &pass{
		Reconciler: r, before: t.DeepCopy(), template: t,
		uses: uses, reader: r.Source.Reader(t.Namespace, uses), results: map[string]*compile.Result{},
	}
	var list v1alpha1.HarnessList
	if err := r.Client.List(ctx, &list, client.InNamespace(t.Namespace), client.DisableReadYourWritesConsistency); err != nil {
		return nil, err
	}
	slices.SortFunc(list.Items, func(a, b v1alpha1.Harness) int { return cmp.Compare(a.Name, b.Name) })
	for i := range list.Items {
		h := &list.Items[i]
		if compile.SelectorProblem(h) != "" {
			p.unclear = append(p.unclear, h.Name)
		}
		if selected, reason := compile.Selected(h, t); selected {
			p.taken = append(p.taken, h)
		} else {
			p.refusals = append(p.refusals, status.Refusal{Harness: h.Name, Reason: reason})
		}
	}
	return p, nil
}

// kept are the harnesses on which the template may have something: a mistake in a selector ends nothing that runs.
func (p *pass) kept() []string {
	names := slices.Clone(p.unclear)
	for _, h := range p.taken {
		names = append(names, h.Name)
	}
	return names
}

// rollOut brings one harness to the revision that it is to run, and notes how far it is. When that fails and passes, it
// stands as it stood before.
func (p *pass) rollOut(ctx context.Context, h *v1alpha1.Harness) error {
	before := p.rolloutBefore(h.Name)
	f := &status.Facts{Harness: h.Name, Generation: p.template.Generation, Desired: before.DesiredRevision}
	err := p.bring(ctx, h, f)
	switch {
	case err != nil && f.Obstacle == nil:
		p.rollouts = append(p.rollouts, before)
		return err
	case !repeatable(err):
		err = nil
	}
	after := status.Rollout(before, f)
	p.rollouts = append(p.rollouts, after)
	return errors.Join(err, p.Applier.Trim(ctx, p.template, h.Name,
		after.DesiredRevision, after.LatestSuccessfulRevision, apply.RevisionOf(f.Deployment)))
}

// bring gathers, compiles and applies; f says afterwards what came of it.
func (p *pass) bring(ctx context.Context, h *v1alpha1.Harness, f *status.Facts) error {
	in := &compile.Inputs{Template: p.template, Harness: h, ManagedImage: p.ManagedImage, Source: p.source}
	missing, err := compile.Resolve(ctx, p.reader, in) // all reads
	if err != nil {
		return err
	}
	p.source = in.Source
	if f.Missing = missing; len(missing) == 0 {
		f.Result = compile.Compile(in) // pure
		p.results[h.Name] = f.Result
	} else { // the watches bring us back when it is there
		log.FromContext(ctx).Info("waiting for what is missing", "harness", h.Name, "missing", status.MissingMessage(missing))
	}
	if f.Deployment, err = p.Applier.Deployment(ctx, p.uses, p.template, h.Name); err != nil {
		return err
	}
	rollout, err := p.desired(ctx, h, f)
	if err == nil && rollout != nil {
		err = p.apply(ctx, rollout, f)
	}
	f.Obstacle = cmp.Or(f.Obstacle, obstacle(err))
	if err != nil || !status.Stuck(f.Deployment) {
		return err
	}
	pods, err := p.Applier.Pods(ctx, p.template, h.Name, apply.RevisionOf(f.Deployment))
	f.PodMessage = status.PodMessage(f.Deployment, pods)
	return err
}

// apply writes what differs and takes away what is left over.
func (p *pass) apply(ctx context.Context, rollout *apply.Rollout, f *status.Facts) error {
	wanted := rollout.Objects()
	objects, err := p.Applier.Apply(ctx, p.uses, wanted)
	if err != nil {
		return err
	}
	f.Deployment = objects[len(objects)-1].(*appsv1.Deployment)
	return p.Applier.PruneRollout(ctx, rollout, wanted)
}

// rolloutBefore is what the status says of a harness so far.
func (p *pass) rolloutBefore(harness string) v1alpha1.HarnessRollout {
	for _, r := range p.before.Status.Harnesses {
		if r.Harness == harness {
			return r
		}
	}
	return v1alpha1.HarnessRollout{Harness: harness}
}

// summarise makes the status of the whole.
func (p *pass) summarise() {
	var results []*compile.Result
	for _, h := range p.taken {
		if result := p.results[h.Name]; result != nil {
			results = append(results, result)
		}
	}
	status.Template(p.template, p.rollouts, p.refusals, results)
}

// fail notes what went wrong and passes.
func (p *pass) fail(harness string, err error) {
	if err == nil {
		return
	}
	if harness != "" {
		err = fmt.Errorf("on Harness %s: %w", harness, err)
	}
	p.err = errors.Join(p.err, err)
}

// tell tells of events.
func (p *pass) tell(list []status.Event) {
	for _, e := range list {
		p.Recorder.Eventf(p.before, nil, e.Type, e.Reason, e.Action, "%s", e.Note)
	}
}
