// Package status says how things are: conditions, the summary of a template, and the events that tell of changes.
//
// All of it is functions of values. A message is a sentence without a final stop, at most 1 KiB long, and never holds the
// value of a Secret.
package status
