// Package objects checks the objects of a cluster in files against each other, as the controller would: what is missing,
// what breaks a rule of its kind, and what a Harness refuses, each at its place in the file.
package objects
