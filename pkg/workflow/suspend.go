package workflow

// Why runs are suspended.
const (
	SuspendedDrain         = "drain"          // its process ends
	SuspendedCaller        = "caller"         // its caller stopped listening
	SuspendedConfigDiffers = "config-differs" // the workflow was built from another configuration
	SuspendedConfigMissing = "config-missing" // the store doesn't have its configuration
	SuspendedGraphDiffers  = "graph-differs"  // the workflow lacks a node that the run knows
)
