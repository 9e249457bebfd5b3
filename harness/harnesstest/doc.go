// Package harnesstest is what tests of a harness need: configs of any document, the support-triage example as it is
// shipped, and the programs of the repository.
package harnesstest
