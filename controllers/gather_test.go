//go:build integration

package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/gather"
)

// watched is a reader that notes what it reads, and whether the tracker knew before.
type watched struct {
	client.Reader
	tracker *gather.Tracker
	user    types.NamespacedName
	reads   []string
}

func (r *watched) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	kind := map[bool]string{true: gather.KindSecret, false: gather.KindConfigMap}[isSecret(obj)]
	if _, model := obj.(*v1alpha1.ModelConfig); model {
		kind = gather.KindModelConfig
	}
	Expect(r.tracker.Users(key.Namespace, gather.Ref{Kind: kind, Name: key.Name})).To(ConsistOf(r.user), kind+" "+key.Name)
	r.reads = append(r.reads, kind+" "+key.Name)
	return r.Reader.Get(ctx, key, obj, opts...)
}

func isSecret(obj client.Object) bool {
	_, ok := obj.(*corev1.Secret)
	return ok
}

var _ = Describe("A reader", func() {
	var w *world
	var from *watched
	var reader *gather.Reader
	BeforeEach(func(ctx context.Context) {
		w = newWorld(ctx)
		tracker, user := &gather.Tracker{}, types.NamespacedName{Namespace: w.namespace, Name: "triage"}
		from = &watched{Reader: cluster.client, tracker: tracker, user: user}
		source := &gather.Source{Cached: from, Live: from, Foreign: apply.IsForeign, Installation: &gather.Installation{
			Live: cluster.client, Writer: cluster.client, Namespace: w.namespace,
		}}
		reader = source.Reader(w.namespace, tracker.Begin(user))
	})

	It("says what is there of ConfigMaps, and reads each once", func(ctx context.Context) {
		w.ctx = ctx
		w.configMap("docs", map[string]string{"a": "text", "empty": ""})
		for _, tt := range []struct {
			name, key  string
			text       string
			object, ok bool
		}{
			{"docs", "a", "text", true, true},
			{"docs", "empty", "", true, true},
			{"docs", "none", "", true, false},
			{"none", "a", "", false, false},
			{"none", "b", "", false, false},
		} {
			text, object, ok, err := reader.Text(ctx, v1alpha1.KeyReference{Name: tt.name, Key: tt.key})
			Expect(err).NotTo(HaveOccurred())
			Expect([]any{text.Text, object, ok}).To(Equal([]any{tt.text, tt.object, tt.ok}), tt.name+"/"+tt.key)
		}
		Expect(from.reads).To(Equal([]string{"ConfigMap docs", "ConfigMap none"}))
	})

	It("gives away no value of a Secret", func(ctx context.Context) {
		w.ctx = ctx
		w.apply(`{apiVersion: v1, kind: Secret, metadata: {name: tokens}, stringData: {a: one, b: one, c: two}}`)
		macs := map[string]string{}
		for _, key := range []string{"a", "b", "c"} {
			secret, object, ok, err := reader.Secret(ctx, v1alpha1.KeyReference{Name: "tokens", Key: key})
			Expect(err).NotTo(HaveOccurred())
			Expect([]bool{object, ok}).To(Equal([]bool{true, true}))
			Expect(secret.HMAC).To(MatchRegexp("^[0-9a-f]{64}$"))
			Expect(secret.UID).NotTo(BeEmpty())
			macs[secret.HMAC] = key
		}
		Expect(macs).To(HaveLen(3)) // equal values of two keys don't look equal
		_, object, ok, err := reader.Secret(ctx, v1alpha1.KeyReference{Name: "tokens", Key: "none"})
		Expect([]any{object, ok, err}).To(Equal([]any{true, false, nil}))
		_, object, ok, err = reader.Secret(ctx, v1alpha1.KeyReference{Name: "none", Key: "a"})
		Expect([]any{object, ok, err}).To(Equal([]any{false, false, nil}))
		for name, want := range map[string]bool{"tokens": true, "none": false} {
			there, err := reader.HasSecret(ctx, name)
			Expect([]any{there, err}).To(Equal([]any{want, nil}))
		}
		Expect(from.reads).To(Equal([]string{"Secret tokens", "Secret none"}))
	})

	It("lists Services and servers of the namespace, but none of the controller's", func(ctx context.Context) {
		w.ctx = ctx
		Expect(reader.Services(ctx)).To(And(BeEmpty(), Not(BeNil())))
		w.apply(crmService)
		w.apply(`{apiVersion: v1, kind: Service, metadata: {name: agent, ownerReferences: [
{apiVersion: plait.dev/v1alpha1, kind: AgentTemplate, name: a, uid: "1", controller: true}]}, spec: {ports: [{port: 80}]}}`)
		w.apply(`{apiVersion: v1, kind: Service, metadata: {name: another}, spec: {ports: [{port: 80}]}}`)
		Expect(reader.Services(ctx)).To(Equal([]string{"another", "crm-mcp"}))
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: RemoteMCPServer, metadata: {name: crm}, spec: {url: "http://crm/mcp"}}`)
		servers, err := reader.Servers(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(servers).To(And(HaveLen(1), HaveKey("crm")))
		for _, kind := range []string{gather.KindService, gather.KindRemoteMCPServer} {
			Expect(from.tracker.Users(w.namespace, gather.Ref{Kind: kind})).To(ConsistOf(from.user))
		}
	})

	It("says that a ModelConfig isn't there", func(ctx context.Context) {
		w.ctx = ctx
		model, err := reader.ModelConfig(ctx, "default-model")
		Expect(err).NotTo(HaveOccurred())
		Expect(model).To(BeNil())
		w.apply(supportTriage)
		model, err = reader.ModelConfig(ctx, "default-model")
		Expect(err).NotTo(HaveOccurred())
		Expect(model.Spec.Provider).To(Equal("faux"))
	})
})
