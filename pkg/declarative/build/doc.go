// Package build makes a runnable [System] of a checked document: a workflow for the engine, with the document's
// expressions, tools and agents as its nodes. It is the only package that knows documents and engines alike.
//
// Registries belong to the [Options] of one system. Nothing is registered by import, so two systems in one process
// never see each other's functions.
package build
