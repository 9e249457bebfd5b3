// Command harness runs one agent system in a pod and answers for it over A2A.
package main

import (
	"os"

	"github.com/plait-dev/plait/harness"
)

func main() { os.Exit(harness.Main()) }
