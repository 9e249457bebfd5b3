//go:build integration

package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// events lists what was told of the example, as "REASON NOTE".
func (w *world) events() func() []string {
	return func() []string {
		GinkgoHelper()
		var list eventsv1.EventList
		Expect(cluster.client.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
		var all []string
		for _, e := range list.Items {
			if e.Regarding.Name == "support-triage" {
				all = append(all, e.Reason+" "+e.Note)
			}
		}
		return all
	}
}
