// Package declarative is the AgentSystem document: its plain values, the loader that keeps the place of each of them in
// the file, the validator, and the canonical form with its digest. The controller, the harness and the CLI share it, so
// that they agree on what a document says and on what is wrong with it.
//
// [Load] reads YAML or JSON into a [Document], and [Validate] checks what its parts are to each other and to the program
// that is to run it; both report everything at once, as a [diag.List]. What Validate returns, [Checked], has every
// expression compiled. [InlinePrompts] replaces references to prompts by their texts, [Canonicalize] writes the one
// spelling of a document, and [Digest] names it.
//
// The package imports neither the engine nor Kubernetes. Its parts: diag holds the codes and the text form of findings,
// source reads YAML and JSON with positions, expr is the language of expressions, and build makes agents and graphs of a
// document.
package declarative
