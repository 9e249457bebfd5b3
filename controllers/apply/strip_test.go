package apply

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// moment is that of whole seconds which the API server writes.
func moment(seconds int) metav1.Time { return metav1.Unix(1_800_000_000+int64(seconds), 0) }

// managed is what the API server knows of a manager's fields, of a pod or of the whole.
func managed(manager string, operation metav1.ManagedFieldsOperationType, seconds int, fields string) metav1.ManagedFieldsEntry {
	at := moment(seconds)
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: operation, Time: &at, FieldsV1: metav1.NewFieldsV1(fields),
	}
}

func inPod(labels, spec string) string {
	return fmt.Sprintf(`{"f:spec":{"f:template":{"f:metadata":{"f:labels":{%s}},"f:spec":{%s}}}}`, labels, spec)
}

func TestAdditions(t *testing.T) {
	ours := managed(FieldOwner, "Apply", 0, inPod(`"f:a":{}`,
		`"f:containers":{"k:{\"name\":\"harness\"}":{".":{},"f:env":{"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}}},"f:args":{},"f:resources":{}}}`))
	inContainer := func(fields string) string {
		return inPod("", `"f:containers":{"k:{\"name\":\"harness\"}":{`+fields+`}}`)
	}
	for _, tt := range []struct {
		name   string
		fields string
		want   bool
	}{
		{"replicas", `{"f:spec":{"f:replicas":{}}}`, false},
		{"an annotation of the pods", `{"f:spec":{"f:template":{"f:metadata":{"f:annotations":{".":{},"f:x":{}}}}}}`, false},
		{"a label of the Deployment", `{"f:metadata":{"f:labels":{"f:theirs":{}}}}`, false},
		{"what is ours as well", inContainer(`"f:args":{},"f:env":{".":{},"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}}}`), false},
		{"a variable", inContainer(`"f:env":{"k:{\"name\":\"B\"}":{".":{},"f:name":{},"f:value":{}}}`), true},
		{"another source of a variable of ours", inContainer(`"f:env":{"k:{\"name\":\"A\"}":{"f:valueFrom":{}}}`), true},
		{"a command", inContainer(`"f:command":{}`), true},
		{"more of what we leave empty", inContainer(`"f:resources":{"f:limits":{".":{},"f:cpu":{}}}`), true},
		{"a container", inPod("", `"f:containers":{"k:{\"name\":\"sidecar\"}":{".":{},"f:name":{}}}`), true},
		{"a setting of the pod", inPod("", `"f:hostNetwork":{}`), true},
		{"a label of the pods", inPod(`"f:b":{}`, ""), true},
		{"the same label of the pods", inPod(`"f:a":{}`, ""), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := additions([]metav1.ManagedFieldsEntry{
				{Manager: "old"}, ours, managed(FieldOwner, "Update", 1, inPod("", `"f:hostPID":{}`)), managed("kubectl-edit", "Update", 2, tt.fields),
			})
			var want []addition
			if tt.want {
				want = []addition{{manager: "kubectl-edit", at: moment(2).Time}}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(addition{})); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	if _, err := additions([]metav1.ManagedFieldsEntry{managed("kubectl", "Update", 0, "no JSON")}); err == nil {
		t.Error("fields that can't be read are no error")
	}
}

// What comes back at once is left alone, and nothing else.
func TestStripAllows(t *testing.T) {
	d := &appsv1.Deployment{}
	d.Annotations = map[string]string{AnnotationStripped: `{"generation":7,"managers":["meddler"]}`}
	d.ManagedFields = []metav1.ManagedFieldsEntry{managed(FieldOwner, "Apply", 500, "{}"), managed(FieldOwner, "Update", 100, "{}")}
	by := func(manager string, seconds int) addition {
		return addition{manager: manager, at: moment(seconds).Time}
	}
	for _, tt := range []struct {
		name  string
		added []addition
		want  bool
	}{
		{"nothing", nil, false},
		{"somebody adds something", []addition{by("kubectl-edit", 101)}, true},
		{"it comes back at once", []addition{by("meddler", 100)}, false},
		{"it comes back within a minute", []addition{by("meddler", 159)}, false},
		{"it was there before, and is what the API server fills in", []addition{by("meddler", 20)}, false},
		{"it comes back later", []addition{by("meddler", 160)}, true},
		{"somebody else adds something, too", []addition{by("meddler", 101), by("kubectl-edit", 102)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := lastStrip(d).allows(tt.added); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
	d.Annotations[AnnotationStripped] = "no JSON"
	if !lastStrip(d).allows([]addition{by("meddler", 101)}) || !lastStrip(&appsv1.Deployment{}).allows([]addition{by("meddler", 101)}) {
		t.Error("without a note something stays")
	}
}
