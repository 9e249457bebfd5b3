//go:build integration

package controllers_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/plait-dev/plait/controllers"
	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/internal/kubetest"
)

// The time that something may take which has to happen, and that nothing may happen in.
const (
	patience = 30 * time.Second
	silence  = 700 * time.Millisecond
)

// cluster is the API server that all specs share, each with a namespace of its own.
var cluster struct {
	config     *rest.Config
	kubeconfig []byte        // of the controller
	client     client.Client // of the people and of the tests: it reads from the API server
	writes     *writes       // of the controller
	stop       func()        // ends the controller
}

func TestControllers(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(patience)
	SetDefaultEventuallyPollingInterval(20 * time.Millisecond)
	SetDefaultConsistentlyDuration(silence)
	SetDefaultConsistentlyPollingInterval(20 * time.Millisecond)
	EnforceDefaultTimeoutsWhenUsingContexts()
	RunSpecs(t, "controllers")
}

var _ = BeforeSuite(func() {
	ctrl.SetLogger(logr.Discard())
	assets, err := kubetest.Assets()
	Expect(err).NotTo(HaveOccurred())
	api := &envtest.Environment{
		BinaryAssetsDirectory: assets,
		CRDDirectoryPaths:     []string{filepath.Join(harnesstest.Repository(), "config", "crd")},
		ErrorIfCRDPathMissing: true,
	}
	cluster.config, err = api.Start()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(api.Stop)
	scheme, err := controllers.NewScheme()
	Expect(err).NotTo(HaveOccurred())
	cluster.client, err = client.New(cluster.config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	Expect(cluster.client.Create(context.Background(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: systemNamespace}})).To(Succeed())
	grant(context.Background())
	user, err := api.AddUser(envtest.User{Name: controllerUser}, nil)
	Expect(err).NotTo(HaveOccurred())
	cluster.kubeconfig, err = user.KubeConfig()
	Expect(err).NotTo(HaveOccurred())
	startController()
	DeferCleanup(func() { cluster.stop() })
})

// Where the controller lives, who it is, and the image of managed harnesses.
const (
	systemNamespace = "plait-system"
	controllerUser  = "system:serviceaccount:" + systemNamespace + ":plait-controller"
	managedImage    = "registry.example/plait/harness@sha256:0000000000000000000000000000000000000000000000000000000000000000"
)

// grant gives the controller the permissions of config/rbac, and no others.
func grant(ctx context.Context) {
	GinkgoHelper()
	files, err := filepath.Glob(filepath.Join(harnesstest.Repository(), "config", "rbac", "*.yaml"))
	Expect(err).NotTo(HaveOccurred())
	for _, file := range files {
		text, err := os.ReadFile(file)
		Expect(err).NotTo(HaveOccurred())
		Expect(applyYAML(ctx, string(text), "")).To(Succeed(), file)
	}
}

// startController starts the controller as cmd/controller does; cluster.stop ends it.
func startController() {
	GinkgoHelper()
	cluster.writes = &writes{}
	config := rest.CopyConfig(cluster.config)
	config.QPS = -1
	config.Impersonate.UserName = controllerUser
	config.Wrap(cluster.writes.count)
	scheme, err := controllers.NewScheme()
	Expect(err).NotTo(HaveOccurred())
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Cache:   controllers.CacheOptions(),
		Client:  controllers.ClientOptions(),
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	Expect(err).NotTo(HaveOccurred())
	ctx, cancel := context.WithCancel(context.Background())
	again := true // the names of controllers are those of the one before
	Expect(controllers.SetupWithManager(ctx, mgr, controllers.Options{
		Namespace:    systemNamespace,
		ManagedImage: managedImage,
		Controller:   controller.Options{SkipNameValidation: &again, MaxConcurrentReconciles: 2},
	})).To(Succeed())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	Expect(mgr.GetCache().WaitForCacheSync(ctx)).To(BeTrue())
	cluster.stop = func() {
		GinkgoHelper()
		cancel()
		Eventually(done).Should(Receive(BeNil()))
	}
}
