// Package tools holds the tools that a harness offers beside those of MCP servers. They work on a [Workspace]: a folder
// that no path, however it is written and whatever links it leads through, gets out of.
//
// Names, descriptions and schemas are part of the product's contract: models are prompted with them, and their bytes are
// the head of every vendor's prompt cache. One golden file holds them.
package tools
