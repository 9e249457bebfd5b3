// Package controllers is the operator: it watches the objects of plait.dev and keeps what they ask for on the cluster.
//
// The work is in the packages below: gather reads, compile decides, apply writes, status tells, and template and harness
// put these together.
package controllers
