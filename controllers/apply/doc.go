// Package apply puts a revision on the cluster and takes away what is of no more use.
//
// Rendering is pure: [Rollout.Objects] and [RevisionConfigMap] say how things are to be. An [Applier] compares that with
// what is there and writes only what differs, by server-side apply with one field owner. Nothing that belongs to anybody
// else is ever written or deleted.
package apply
