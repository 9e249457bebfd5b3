// Package run turns messages into runs of one system over one store, and takes up runs that were interrupted. It is what
// the command line and the harness have in common: neither starts the engine by itself.
package run
