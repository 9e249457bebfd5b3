// Package intake turns the bytes of a config into a system that runs: strict decoding, the document's own digest,
// validation, models, MCP servers, and the graph. The command line takes configs in by the same way as a pod, so that what
// works on a laptop is what works in a cluster.
package intake
