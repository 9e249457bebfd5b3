// Package memory is a store that lives and ends with its process: for tests, for runs that nobody takes up again, and
// as the yardstick for other stores.
//
// Entries and values are kept as they are handed over, not encoded: an append costs next to nothing, and a reader gets
// the very values that the writer gave. Nothing is copied, so whoever changes a value afterwards changes the log.
package memory
