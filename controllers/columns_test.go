//go:build integration

package controllers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// table is how kubectl prints the objects of a resource: the names of the columns, and the cells of each row. Wide has
// the columns of `-o wide`, too.
func (w *world) table(resource string, wide bool) (columns []string, rows [][]string) {
	GinkgoHelper()
	transport, err := rest.HTTPClientFor(cluster.config)
	Expect(err).NotTo(HaveOccurred())
	server, _, err := rest.DefaultServerUrlFor(cluster.config)
	Expect(err).NotTo(HaveOccurred())
	list := server.JoinPath("apis/plait.dev/v1alpha1/namespaces", w.namespace, resource)
	req, err := http.NewRequestWithContext(w.ctx, http.MethodGet, list.String(), nil)
	Expect(err).NotTo(HaveOccurred())
	req.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	res, err := transport.Do(req)
	Expect(err).NotTo(HaveOccurred())
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	Expect(err).NotTo(HaveOccurred())
	var t metav1.Table
	Expect(json.Unmarshal(body, &t)).To(Succeed(), string(body))
	for i := range t.Rows {
		rows = append(rows, nil)
		for c, column := range t.ColumnDefinitions {
			if column.Priority > 0 && !wide || column.Name == "Age" {
				continue
			}
			rows[i] = append(rows[i], fmt.Sprint(t.Rows[i].Cells[c]))
		}
	}
	for _, column := range t.ColumnDefinitions {
		if column.Priority == 0 || wide {
			columns = append(columns, column.Name)
		}
	}
	return columns, rows
}

var _ = Describe("kubectl get", func() {
	It("shows how templates and harnesses are", func(ctx context.Context) {
		w := newWorld(ctx)
		w.supportTriage()
		revision := w.revision()
		rows := func(resource string, wide bool) func() [][]string {
			return func() [][]string {
				_, rows := w.table(resource, wide)
				return rows
			}
		}
		columns, _ := w.table("agenttemplates", false)
		Expect(columns).To(Equal([]string{"Name", "Mode", "Harness", "Ready", "Revision", "Reason", "Age"}))
		columns, _ = w.table("agenttemplates", true)
		Expect(columns).To(HaveExactElements("Name", "Mode", "Harness", "Ready", "Revision", "Reason", "Age", "Message"))
		Eventually(rows("agenttemplates", false)).Should(Equal([][]string{
			{"support-triage", "Workflow", "standard", "False", revision, "Progressing"},
		}))
		w.becomesReady()
		Eventually(rows("agenttemplates", true)).Should(Equal([][]string{
			{"support-triage", "Workflow", "standard", "True", revision, "Ready", "revision " + revision + " serves"},
		}))

		columns, _ = w.table("harnesses", false)
		Expect(columns).To(Equal([]string{"Name", "Ready", "Templates", "Age"}))
		Eventually(rows("harnesses", false)).Should(Equal([][]string{{"standard", "True", "1"}}))
		Expect(rows("modelconfigs", false)()).To(Equal([][]string{{"default-model", "faux", "scripted"}}))
		w.apply(`{apiVersion: plait.dev/v1alpha1, kind: RemoteMCPServer, metadata: {name: crm}, spec: {url: "http://crm/mcp"}}`)
		Expect(rows("remotemcpservers", false)()).To(Equal([][]string{{"crm", "http://crm/mcp"}}))
	})
})
