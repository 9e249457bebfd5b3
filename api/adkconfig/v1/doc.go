// Package adkconfigv1 holds what the controller ships to a harness and what a run is pinned to: [AgentConfig], and in
// it the document as [ADKWorkflowConfig].
//
// The types are generated from proto/plait/adkconfig/v1, which documents every field. A config travels as JSON in the
// canonical form of RFC 8785, so that equal configs have equal bytes and one SHA-256 names them everywhere: in the pod
// spec, in the journal of a run, in the store of configs. Two hashes guard it. That of the whole file comes from
// outside the file and is compared by whoever reads it, with [Digest]; that of the document is inside, and
// [ADKWorkflowConfig.Verify] compares it.
//
// Reading is strict. A field that this version doesn't know is an error that names it, because a harness that skipped
// what it doesn't understand would run something else than what was validated.
package adkconfigv1
