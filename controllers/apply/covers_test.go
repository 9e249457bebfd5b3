package apply

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/compile"
)

// testRollout is a rollout whose objects have lists of all sorts.
func testRollout() *Rollout {
	replicas := int32(1)
	t := &v1alpha1.AgentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "agents", Name: "triage", UID: "1"}}
	h := &v1alpha1.Harness{ObjectMeta: metav1.ObjectMeta{Name: "standard"}}
	h.Spec.Replicas = &replicas
	return &Rollout{Template: t, Harness: h, Revision: "0123456789ab", Manifest: &compile.Manifest{
		Image: "registry.example/harness:v1", Args: []string{"a", "b"}, Restricted: true,
		Env:    []compile.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}},
		Egress: []compile.Endpoint{{Host: "a", Port: 443}},
	}}
}

// coversCase changes what is there, and says whether all that is wanted is still there.
type coversCase[T client.Object] struct {
	name   string
	change func(T)
	want   bool
}

func (c coversCase[T]) run(t *testing.T, want T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		have := want.DeepCopyObject().(T)
		c.change(have)
		have.GetObjectKind().SetGroupVersionKind(want.GetObjectKind().GroupVersionKind().GroupVersion().WithKind("")) // as clients do
		fields, err := content(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := covers(have, fields)
		if err != nil || got != c.want {
			t.Errorf("got %t, %v, want %t", got, err, c.want)
		}
	})
}

func container(d *appsv1.Deployment) *corev1.Container { return &d.Spec.Template.Spec.Containers[0] }

func TestCoversDeployment(t *testing.T) {
	yes := true
	for _, c := range []coversCase[*appsv1.Deployment]{
		{"the same", func(*appsv1.Deployment) {}, true},
		{"what the API server fills in", func(d *appsv1.Deployment) {
			d.UID, d.ResourceVersion, d.Generation = "2", "3", 4
			d.Status.Replicas = 5
			d.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
			container(d).ImagePullPolicy = corev1.PullAlways
		}, true},
		{"a label of somebody else", func(d *appsv1.Deployment) { d.Labels["theirs"] = "x" }, true},
		{"a container of somebody else", func(d *appsv1.Deployment) {
			d.Spec.Template.Spec.Containers = append([]corev1.Container{{Name: "sidecar"}}, d.Spec.Template.Spec.Containers...)
		}, true},
		{"a variable of somebody else", func(d *appsv1.Deployment) {
			container(d).Env = append(container(d).Env, corev1.EnvVar{Name: "THEIRS", Value: "x"})
		}, true},
		{"another image", func(d *appsv1.Deployment) { container(d).Image = "registry.example/other:v1" }, false},
		{"another variable", func(d *appsv1.Deployment) { container(d).Env[0].Value = "9" }, false},
		{"a variable less", func(d *appsv1.Deployment) { container(d).Env = container(d).Env[1:] }, false},
		{"an argument more", func(d *appsv1.Deployment) { container(d).Args = append(container(d).Args, "c") }, false},
		{"arguments the other way round", func(d *appsv1.Deployment) { container(d).Args = []string{"b", "a"} }, false},
		{"a label less", func(d *appsv1.Deployment) { delete(d.Labels, LabelHarness) }, false},
		{"a token", func(d *appsv1.Deployment) { d.Spec.Template.Spec.AutomountServiceAccountToken = &yes }, false},
		{"a capability", func(d *appsv1.Deployment) { container(d).SecurityContext.Capabilities.Drop = nil }, false},
		{"no security context", func(d *appsv1.Deployment) { container(d).SecurityContext = nil }, false},
		{"a volume less", func(d *appsv1.Deployment) { d.Spec.Template.Spec.Volumes = d.Spec.Template.Spec.Volumes[1:] }, false},
		{"more replicas", func(d *appsv1.Deployment) { n := int32(3); d.Spec.Replicas = &n }, false},
		{"no owner", func(d *appsv1.Deployment) { d.OwnerReferences = nil }, false},
		{"another owner as well", func(d *appsv1.Deployment) {
			d.OwnerReferences = append(d.OwnerReferences, metav1.OwnerReference{Kind: "Other", Name: "o", UID: "9"})
		}, true},
	} {
		c.run(t, testRollout().deployment())
	}
}

// The rules of a NetworkPolicy have one owner: one more opens what is shut.
func TestCoversNetworkPolicy(t *testing.T) {
	for _, c := range []coversCase[*networkingv1.NetworkPolicy]{
		{"the same", func(*networkingv1.NetworkPolicy) {}, true},
		{"a rule more", func(p *networkingv1.NetworkPolicy) {
			p.Spec.Egress = append(p.Spec.Egress, networkingv1.NetworkPolicyEgressRule{})
		}, false},
		{"a port more", func(p *networkingv1.NetworkPolicy) {
			p.Spec.Ingress[0].Ports = append(p.Spec.Ingress[0].Ports, port(corev1.ProtocolTCP, 22))
		}, false},
		{"no direction", func(p *networkingv1.NetworkPolicy) { p.Spec.PolicyTypes = p.Spec.PolicyTypes[:1] }, false},
	} {
		c.run(t, testRollout().networkPolicy())
	}
}

// Every list that is written is known to be merged by keys or to have one owner: covers would miss changes, or write
// again and again, if one were taken for the other.
func TestSharedListsAreThere(t *testing.T) {
	r := testRollout()
	r.Manifest.Pod = &v1alpha1.PodOverlay{
		ImagePullSecrets:          []v1alpha1.Reference{{Name: "registry"}},
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{TopologyKey: "zone"}},
	}
	seen := map[string]bool{}
	for _, obj := range r.Objects() {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
		if err != nil {
			t.Fatal(err)
		}
		lists(fields, "", seen)
	}
	for _, path := range shared() {
		if !seen[path] {
			t.Errorf("no object has the list %s", path)
		}
	}
}

func lists(value any, path string, seen map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			if path != "" {
				name = path + "." + name
			}
			lists(below, name, seen)
		}
	case []any:
		seen[path] = true
		for _, item := range value {
			lists(item, path, seen)
		}
	}
}

// A field that isn't wanted any more shows up by the stamp.
func TestStampTellsWhatIsNotWantedAnyMore(t *testing.T) {
	before, after := testRollout(), testRollout()
	after.Manifest.Env = after.Manifest.Env[:1]
	have, want := before.deployment(), after.deployment()
	for _, d := range []*appsv1.Deployment{have, want} {
		if err := stamp(d); err != nil {
			t.Fatal(err)
		}
	}
	fields, err := content(want)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := covers(have, fields); err != nil || same {
		t.Errorf("got %t, %v: the variable would stay", same, err)
	}
}

func TestIsForeign(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*corev1.Service)
		want   bool
	}{
		{"ours", func(*corev1.Service) {}, false},
		{"ours without labels", func(s *corev1.Service) { s.Labels = nil }, false},
		{"nobody's with our labels", func(s *corev1.Service) { s.OwnerReferences = nil }, true},
		{"another kind's", func(s *corev1.Service) { s.OwnerReferences[0].Kind = "Other" }, true},
		{"another group's", func(s *corev1.Service) { s.OwnerReferences[0].APIVersion = "example.com/v1" }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testRollout().service()
			tt.change(s)
			if got := IsForeign(s); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
