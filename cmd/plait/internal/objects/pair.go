package objects

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/compile/manifests"
	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// pair is a template and a harness that takes it.
type pair struct {
	*checker

	template *v1alpha1.AgentTemplate
	harness  *v1alpha1.Harness
}

// check compiles the template for the harness, and reports everything that keeps it from running there.
func (p pair) check(ctx context.Context) {
	// No image is started, so any name will do.
	in := &compile.Inputs{Template: p.template, Harness: p.harness, ManagedImage: "managed"}
	missing, err := compile.Resolve(ctx, p.set.Reader(manifests.ReaderOptions{AssumeSecrets: true}), in)
	if err != nil {
		p.say(diag.ObjectInvalid, err.Error(), "")
		return
	}
	standIn(in, missing)
	result := compile.Compile(in)
	for _, d := range result.Diagnostics {
		p.finding(in, d)
	}
	for _, m := range missing {
		if result.Document != nil && strings.HasPrefix(m.By, documentName(p.template)) {
			continue // the document's own finding says it
		}
		p.missing(m)
	}
	if result.Refusal == nil {
		return
	}
	p.report.invalidate(p.templateOwner())
	if len(missing) == 0 && !result.Diagnostics.HasErrors() && !p.wrong(in) {
		p.refused(result.Refusal.Message)
	}
}

// standIn puts servers in the place of those that are missing, without which the compiler looks no further.
func standIn(in *compile.Inputs, missing []compile.Missing) {
	for _, m := range missing {
		if m.Kind == kindServer {
			in.Servers[m.Name] = &v1alpha1.RemoteMCPServer{
				ObjectMeta: metav1.ObjectMeta{Name: m.Name, Namespace: in.Template.Namespace},
				Spec:       v1alpha1.RemoteMCPServerSpec{URL: "http://" + m.Name},
			}
		}
	}
}

// wrong says whether one of the objects breaks a rule of its kind, which was reported and from which a refusal follows.
func (p pair) wrong(in *compile.Inputs) bool {
	n := len(compile.Problems(in.Template)) + len(compile.Problems(in.Harness))
	for _, m := range in.ModelConfigs {
		n += len(compile.Problems(m))
	}
	for _, s := range in.Servers {
		n += len(compile.Problems(s))
	}
	return n > 0
}

// refused reports why there is no revision.
func (p pair) refused(message string) {
	if cutSentence(message).object == "" {
		message = fmt.Sprintf("%s %s: %s", kindAgentTemplate, p.template.Name, message)
	}
	p.say(diag.HarnessRefuses, message, p.where())
}

// forPair begins the hint of what is wrong with a document for some pair only.
const forPair = "found for the AgentTemplate "

func (p pair) where() string {
	return fmt.Sprintf("%s%s on the Harness %s", forPair, p.template.Name, p.harness.Name)
}

// missing reports a reference to what isn't in the files.
func (p pair) missing(m compile.Missing) {
	var known []string
	what := fmt.Sprintf("there is no %s %s", m.Kind, m.Name)
	if m.Key != "" {
		what = fmt.Sprintf("the %s %s has no key %s", m.Kind, m.Name, m.Key)
	}
	for _, o := range p.objects {
		switch {
		case o.Kind != m.Kind:
		case m.Key == "":
			known = append(known, o.Name)
		case o.Name == m.Name:
			for _, e := range o.At.Field("data").Entries() {
				known = append(known, e.Key())
			}
		}
	}
	hint := diag.DidYouMean(cmp.Or(m.Key, m.Name), known)
	if hint == "" && m.Key == "" {
		hint = "name its file, too, if it has one"
	}
	p.say(diag.ObjectMissing, m.By+": "+what, hint)
	p.report.invalidate(p.templateOwner())
}

// documentName is what the compiler calls the document of a template.
func documentName(t *v1alpha1.AgentTemplate) string {
	ref := t.Spec.WorkflowFrom
	if ref == nil {
		return "configmap/"
	}
	return "configmap/" + ref.Name + "/" + ref.Key
}

// finding reports what the compiler found in the document, at its place in the file that the ConfigMap is in. What the
// document alone is wrong with is reported already.
func (p pair) finding(in *compile.Inputs, d diag.Diagnostic) {
	ref := p.template.Spec.WorkflowFrom
	if in.Source == nil { // the document of a prompt has no text
		p.say(d.Code, fmt.Sprintf("%s %s: spec: %s", kindAgentTemplate, p.template.Name, d.Message), cmp.Or(d.Hint, p.where()))
		return
	}
	o, _ := p.find(kindConfigMap + " " + ref.Name)
	key := o.At.Field("data").Entry(ref.Key)
	d.File = key.File()
	if d.IsZero() {
		if f, _ := source.ParseWithin(key); f != nil && d.Path != "" {
			d.Pos = f.Root().Find(d.Path).Pos()
		}
	} else {
		d.Pos = key.Relocate(d.Pos)
	}
	switch same := p.report.find(d); {
	case same == nil:
		d.Hint = joinHints(d.Hint, p.where())
		p.report.add(Owner{File: key.File(), Key: o.Name + "/" + ref.Key}, d)
	case strings.Contains(same.Hint, forPair):
		p.report.invalidate(Owner{File: key.File(), Key: o.Name + "/" + ref.Key})
		same.Hint = p.foundAgain(same.Hint)
	}
}

// foundAgain is the hint of a finding that another pair has, too.
func (p pair) foundAgain(hint string) string {
	if !strings.Contains(hint, forPair+p.template.Name+" ") {
		return joinHints(hint, p.where())
	}
	if on := "on the Harness " + p.harness.Name; !strings.Contains(hint+"; ", on+"; ") {
		return joinHints(hint, on)
	}
	return hint
}

func joinHints(a, b string) string { return strings.TrimPrefix(a+"; "+b, "; ") }

// templateOwner is what is invalid when the pair is.
func (p pair) templateOwner() Owner {
	o, _ := p.find(kindAgentTemplate + " " + p.template.Name)
	return o.owner("")
}
