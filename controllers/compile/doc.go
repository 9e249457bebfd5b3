// Package compile turns the objects that people write into the revision that runs: the canonical config, the pod that
// gets it, and the hash that names both.
//
// It is pure: no client, no clock, no log. [Inputs] are all that a revision is made of, [Resolve] fills them from a
// [Reader], and [Compile] makes a [Result] of them. The controller reads a cluster and the CLI reads files, through the
// same two functions, so that both say the same of the same objects.
package compile
