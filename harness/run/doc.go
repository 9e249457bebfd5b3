// Package run turns messages into runs of one system over one store, and takes up runs that were interrupted. It is what
// the command line and the harness have in common: neither starts the engine by itself.
//
// A [Service] is that alone: a run advances while its caller ranges over the events. A [Supervisor] executes runs apart
// from whoever asked for them, for a process that serves many: it bounds their number, finds a message that is sent
// again, goes on with what an earlier process left, tells any number of watchers what happens, and suspends everything
// when its process ends.
//
// What a supervisor knows is in the journal. It keeps an index of it in memory, which is right as long as no other process
// writes to the same store.
package run
