// Package manifests reads the objects that revisions are made of from files, in the place of a cluster: what people are
// about to apply can be compiled and run before they do.
package manifests
