// Package reference is the form of what the SDKs said: for each vendor and scenario one file with the request that the SDK
// sent, what it read in the answer, and what it made of damaged answers. Programs write these files; nobody edits them.
package reference
