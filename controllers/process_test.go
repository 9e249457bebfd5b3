//go:build integration

package controllers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
	corev1 "k8s.io/api/core/v1"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/harness/harnesstest"
)

// kubelet starts the program of a Deployment's pod with the variables of the pod and the config of its ConfigMap. Only
// folders and addresses are those of a test.
type kubelet struct {
	binary string
	dir    string
	env    []string
}

// newKubelet takes the pod of a Deployment, and mounts a config.
func newKubelet(binary string, pod corev1.PodSpec, config []byte) *kubelet {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	Expect(os.WriteFile(filepath.Join(dir, apply.KeyConfig), config, 0o600)).To(Succeed())
	k := &kubelet{binary: binary, dir: dir, env: os.Environ()}
	for _, v := range pod.Containers[0].Env {
		Expect(v.ValueFrom).To(BeNil())
		k.env = append(k.env, v.Name+"="+v.Value)
	}
	k.env = append(k.env,
		"PLAIT_CONFIG="+filepath.Join(dir, apply.KeyConfig),
		"PLAIT_LISTEN=127.0.0.1:0", "PLAIT_HEALTH_LISTEN=127.0.0.1:0",
		"PLAIT_DATA="+filepath.Join(dir, "data"), "PLAIT_WORKSPACE="+filepath.Join(dir, "workspace"),
		"PLAIT_TERMINATION_LOG="+filepath.Join(dir, "termination-log"),
	)
	return k
}

func (k *kubelet) start() *gexec.Session {
	GinkgoHelper()
	cmd := exec.Command(k.binary)
	cmd.Env = k.env
	session, err := gexec.Start(cmd, nil, GinkgoWriter)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { session.Kill().Wait() })
	return session
}

// serve starts the program, waits until it is ready, and returns the address of A2A.
func (k *kubelet) serve() string {
	GinkgoHelper()
	session := k.start()
	var listening struct {
		Msg    string `json:"msg"`
		A2A    string `json:"a2a"`
		Health string `json:"health"`
	}
	Eventually(func() string {
		for lines := bufio.NewScanner(bytes.NewReader(session.Err.Contents())); lines.Scan(); {
			if json.Unmarshal(lines.Bytes(), &listening) == nil && listening.Msg == "listening" {
				return listening.Msg
			}
		}
		return ""
	}).Should(Equal("listening"), func() string { return string(session.Err.Contents()) })
	Eventually(func(g Gomega) {
		res, err := http.Get("http://" + listening.Health + "/readyz")
		g.Expect(err).NotTo(HaveOccurred())
		defer res.Body.Close()
		g.Expect(res.StatusCode).To(Equal(http.StatusOK))
	}).Should(Succeed(), func() string { return string(session.Err.Contents()) })
	return "http://" + listening.A2A
}

// refuses starts the program, which has to end at once with the code for a config that is wrong.
func (k *kubelet) refuses() string {
	GinkgoHelper()
	session := k.start()
	Eventually(session).Should(gexec.Exit(2))
	message, err := os.ReadFile(filepath.Join(k.dir, "termination-log"))
	Expect(err).NotTo(HaveOccurred())
	return string(message)
}

var _ = Describe("The harness", func() {
	It("takes in what the controller has made, and nothing else", func(ctx context.Context) {
		crm := harnesstest.StartCRM(GinkgoTB(), harnesstest.Build(GinkgoTB(), "examples/support-triage/crm"))
		binary := harnesstest.Build(GinkgoTB(), "cmd/harness")
		a2a := harnesstest.BuildIn(GinkgoTB(), filepath.Join(harnesstest.Repository(), "test", "a2aconf"), "github.com/a2aproject/a2a-go/v2/cmd/a2a")
		at, err := url.Parse(crm.URL)
		Expect(err).NotTo(HaveOccurred())

		w := newWorld(ctx)
		w.supportTriage()
		first := w.revision()
		w.apply(strings.Replace(standard, "{harnessTools: [write_file]}", `{harnessTools: [write_file], mcpHosts: ["`+at.Host+`"]}`, 1))
		w.edit("http://crm-mcp:8080/mcp", crm.URL)
		revision := w.revision(first)
		cm := &corev1.ConfigMap{}
		Expect(cluster.client.Get(ctx, w.key("support-triage-standard-"+revision), cm)).To(Succeed())
		pod := w.deployment().Spec.Template.Spec
		config := []byte(cm.Data[apply.KeyConfig])

		agent := newKubelet(binary, pod, config).serve()
		for mail, answer := range map[string]string{
			"I was charged twice, invoice 1042":         "Plan: pro",
			"Which plan is ada@lovett.example on?":      "I found ada@lovett.example in the CRM and kept the record in answers/customer.json.",
			"Please tell me which plan I am on, or so?": "Please tell me the e-mail address of your account, then I can look it up.",
			"hello there": "Please rephrase.",
		} {
			out, err := exec.CommandContext(ctx, a2a, "send", agent, mail).CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), string(out))
			Expect(string(out)).To(And(ContainSubstring(answer), ContainSubstring("completed")))
		}

		changed := bytes.Replace(config, []byte("rephrase"), []byte("Rephrase"), 1)
		Expect(changed).NotTo(Equal(config))
		Expect(newKubelet(binary, pod, changed).refuses()).To(ContainSubstring("it isn't the config that was announced"))

		cfg, err := adkconfigv1.Unmarshal(config)
		Expect(err).NotTo(HaveOccurred())
		cfg.Workflow.DocumentJson = strings.Replace(cfg.GetWorkflow().GetDocumentJson(), "rephrase", "Rephrase", 1)
		cfg.Workflow.Sha256 = adkconfigv1.Digest([]byte(cfg.GetWorkflow().GetDocumentJson()))
		forged, err := adkconfigv1.Marshal(cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(newKubelet(binary, pod, forged).refuses()).To(ContainSubstring("it isn't the config that was announced"))
	})
})
