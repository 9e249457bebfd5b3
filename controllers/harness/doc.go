// Package harness keeps the status of Harnesses: whether what they refer to is there, and which templates they take.
package harness
