// Command controller is the operator: it keeps on a cluster what the objects of plait.dev ask for.
package main

import (
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	os.Exit(run(ctrl.SetupSignalHandler(), os.Args[1:], os.LookupEnv, os.Stderr))
}
