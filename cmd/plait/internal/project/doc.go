// Package project reads what a laptop has in the place of a cluster: a document, and a run file (plait.yaml) that says
// which models, MCP endpoints, prompts and variables stand behind the document's names. It compiles both to the same
// AgentConfig that a controller would ship.
package project
