package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/plait-dev/plait/controllers"
)

// The exit codes, which are those of a harness, too.
const (
	exitFine        = 0
	exitSurrounding = 1 // the cluster can't be reached, an address is taken, the lease was lost
	exitRefused     = 2 // the command line is wrong
)

// leaseName is the Lease by which replicas elect a leader.
const leaseName = "plait-controller"

// run works until ctx ends, and returns the exit code.
func run(ctx context.Context, args []string, lookupEnv func(string) (string, bool), stderr io.Writer) int {
	s, err := readSettings(args, lookupEnv, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitFine
	case err != nil:
		return exitRefused
	}
	log := slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: s.logLevel}))
	ctrl.SetLogger(logr.FromSlogHandler(log.Handler()))
	klog.SetSlogLogger(log) // of the client library
	if err := serve(ctx, s); err != nil {
		log.Error("the controller ends", "error", err)
		return exitSurrounding
	}
	return exitFine
}

// serve connects to the cluster and works until ctx ends.
func serve(ctx context.Context, s settings) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1 // the API server itself shares its time out fairly
	scheme, err := controllers.NewScheme()
	if err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         controllers.CacheOptions(s.watchNamespaces...),
		Client:                        controllers.ClientOptions(s.watchNamespaces...),
		Metrics:                       metricsserver.Options{BindAddress: s.metricsAddr},
		HealthProbeBindAddress:        s.healthAddr,
		LeaderElection:                s.leaderElect,
		LeaderElectionID:              leaseName,
		LeaderElectionNamespace:       s.namespace,
		LeaderElectionReleaseOnCancel: true, // nothing is done after that
	})
	if err != nil {
		return err
	}
	if err := errors.Join(mgr.AddHealthzCheck("ping", healthz.Ping), mgr.AddReadyzCheck("ping", healthz.Ping)); err != nil {
		return err
	}
	if err := controllers.SetupWithManager(ctx, mgr, controllers.Options{
		Namespace:    s.namespace,
		ManagedImage: s.harnessImage,
		Controller:   controller.Options{MaxConcurrentReconciles: s.concurrency},
	}); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
