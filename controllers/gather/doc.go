// Package gather reads what a revision is made of. It is the [compile.Reader] of a cluster.
//
// ConfigMaps and Secrets are watched as metadata, so that no content of theirs stays in memory, and read one by one from
// the API server. A Secret's value leaves the package as an HMAC only. What a template reads is noted in a [Tracker]
// before it is read, so that a change of it, or its coming into being, leads back to exactly the templates that use it.
package gather
