// Package check holds what our wires do against the references: what they send, what they read, and what they make of damaged
// answers. Each difference has to stand in the ledger, with a reason, and nothing else may stand there. No SDK is needed for it.
package check
