//go:build integration

package controllers_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/harness/harnesstest"
)

var _ = Describe("cmd/controller", func() {
	It("does with the permissions of config/rbac what the controllers do here", func(ctx context.Context) {
		binary := harnesstest.Build(GinkgoTB(), "cmd/controller")
		kubeconfig := filepath.Join(GinkgoT().TempDir(), "kubeconfig")
		Expect(os.WriteFile(kubeconfig, cluster.kubeconfig, 0o600)).To(Succeed())
		cluster.stop()
		defer startController()

		w, second, foreign := newWorld(ctx), newWorld(ctx), newWorld(ctx)
		health := freeAddress()
		cmd := exec.Command(binary, "--namespace", systemNamespace, "--harness-image", managedImage,
			"--metrics-bind-address", "0", "--health-bind-address", health,
			"--watch-namespaces", w.namespace+","+second.namespace)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		session, err := gexec.Start(cmd, nil, GinkgoWriter)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func() { session.Kill().Wait() })
		Eventually(func(g Gomega) {
			res, err := http.Get("http://" + health + "/readyz")
			g.Expect(err).NotTo(HaveOccurred())
			defer res.Body.Close()
			g.Expect(res.StatusCode).To(Equal(http.StatusOK))
		}).Should(Succeed())

		for _, w := range []*world{foreign, w, second} {
			w.supportTriage()
		}
		w.revision()
		second.revision()
		Expect(foreign.exists(&appsv1.Deployment{}, "support-triage-standard")()).To(BeFalse())
		Eventually(w.condition("support-triage", v1alpha1.ConditionReady)).Should(HavePrefix("False Progressing "))
		Expect(session.Interrupt()).To(BeIdenticalTo(session))
		Eventually(session).Should(gexec.Exit(0))
		Expect(string(session.Err.Contents())).NotTo(ContainSubstring("forbidden"))
	})
})

// freeAddress is an address of loopback that nobody listens at.
func freeAddress() string {
	GinkgoHelper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer socket.Close()
	return socket.Addr().String()
}
