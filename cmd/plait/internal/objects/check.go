package objects

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plait-dev/plait/controllers/compile"
	"github.com/plait-dev/plait/controllers/compile/manifests"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Check checks objects against each other: each AgentTemplate is compiled for every Harness that takes it. Without a Harness
// it waits for one that is elsewhere. Texts are those of the files of the objects. Secrets that aren't in them are taken to
// be there, with every key.
//
// Torn are files in which something can't be read, which the report has already. With one of them nothing is said of what
// objects are to each other, as it may be the torn file's doing.
func (r *Report) Check(ctx context.Context, objects []Object, texts map[string][]byte, torn []string) {
	if !slices.ContainsFunc(objects, Object.Ours) {
		return
	}
	files := map[string][]byte{}
	for _, o := range objects {
		if file := o.At.File(); !slices.Contains(torn, file) {
			files[file] = texts[file]
		}
	}
	for _, ns := range namespaces(objects) {
		c := checker{report: r}
		for _, o := range objects {
			if o.Namespace == "" || o.Namespace == ns {
				c.objects = append(c.objects, o)
			}
		}
		if c.load(ns, files); c.set == nil {
			continue // nothing can be said of the others that doesn't follow from it
		}
		c.alone()
		if len(torn) == 0 {
			c.together(ctx)
		}
	}
}

// checker checks the objects of one namespace.
type checker struct {
	report  *Report
	objects []Object
	set     *manifests.Set // nil when one can't be read
}

func (c *checker) load(namespace string, files map[string][]byte) {
	set, err := manifests.Loader{Namespace: namespace}.LoadTexts(files)
	for _, problem := range manifests.Problems(err) {
		c.unreadable(problem)
	}
	c.set = set
}

// wrongField matches what is said of a field that a kind doesn't have, or that has a value of another type. It is never
// written to.
var wrongField = regexp.MustCompile(`^unknown field "([^"]+)"|^json: cannot unmarshal \w+ into Go struct field \w+\.([\w.]+) of`)

// unreadable reports an object that the API server wouldn't take.
func (c *checker) unreadable(problem *manifests.Problem) {
	said := cutSentence(problem.Message)
	d := diag.Diagnostic{File: problem.File, Pos: diag.Pos{Line: problem.Line, Column: 1, EndColumn: 2}}
	owner := Owner{File: problem.File}
	for _, o := range c.objects {
		if o.At.File() != problem.File || o.String() != said.object {
			continue
		}
		if at := o.At; at.Pos().Line >= problem.Line { // of several with this name, the one that begins there
			d, owner = at.Diagnostic("", "", ""), Owner{File: problem.File, Object: o.Label()}
			if field := wrongField.FindStringSubmatch(said.message); field != nil {
				said.path = cmp.Or(field[1:]...)
				d = follow(at, said.path).KeyDiagnostic("", "", "")
			}
			break
		}
	}
	d.Code, d.Severity = diag.ObjectInvalid, diag.ObjectInvalid.Severity()
	d.Path, d.Message = said.where(), said.message
	c.report.add(owner, d)
}

// alone checks each object by the rules of its kind.
func (c *checker) alone() {
	problems := [][]string{}
	for _, t := range c.set.Templates() {
		problems = append(problems, compile.Problems(t))
	}
	for _, h := range c.set.Harnesses() {
		problems = append(problems, compile.Problems(h))
	}
	for _, m := range c.set.ModelConfigs() {
		problems = append(problems, compile.Problems(m))
	}
	for _, s := range c.set.Servers() {
		problems = append(problems, compile.Problems(s))
	}
	for _, text := range slices.Concat(problems...) {
		c.say(diag.ObjectInvalid, text, "")
	}
}

// together checks the templates on the harnesses that take them. Without a Harness in the files they wait for one that is
// elsewhere.
func (c *checker) together(ctx context.Context) {
	harnesses := c.set.Harnesses()
	for _, t := range c.set.Templates() {
		taken := false
		var why []string
		for _, h := range harnesses {
			selected, reason := compile.Selected(h, t)
			if compile.SelectorProblem(h) != "" { // it is reported, and whom it takes isn't known
				taken = true
				continue
			}
			if !selected {
				why = append(why, fmt.Sprintf("the Harness %s %s", h.Name, reason))
				continue
			}
			taken = true
			pair{checker: c, template: t, harness: h}.check(ctx)
		}
		if !taken && len(harnesses) > 0 {
			c.say(diag.NoHarness, fmt.Sprintf("AgentTemplate %s: metadata.labels: no Harness of the files takes it", t.Name), strings.Join(why, "; "))
		}
	}
}

// find returns an object by the name that sentences have for it.
func (c *checker) find(name string) (Object, bool) {
	i := slices.IndexFunc(c.objects, func(o Object) bool { return o.String() == name })
	if i < 0 {
		return Object{}, false
	}
	return c.objects[i], true
}

// say reports a sentence about an object at its place.
func (c *checker) say(code diag.Code, text, hint string) {
	said := cutSentence(text)
	o, known := c.find(said.object)
	d := diag.Diagnostic{Code: code, Severity: code.Severity(), Message: said.message, Hint: hint}
	if known {
		d = o.place(said.path).Diagnostic(code, said.message, hint)
	}
	d.Path = said.where()
	c.report.add(o.owner(said.path), d)
}

// owner is what an error about the object, or a key of it, makes invalid.
func (o Object) owner(path string) Owner {
	if o.Kind == kindConfigMap {
		return Owner{File: o.At.File(), Key: o.Name + "/" + strings.TrimSuffix(strings.TrimPrefix(path, "data["), "]")}
	}
	return Owner{File: o.At.File(), Object: o.Label()}
}
