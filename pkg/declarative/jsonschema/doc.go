// Package jsonschema writes the table of fields as a JSON Schema 2020-12, for editors and for whoever wants to check a
// document without plait. It is weaker than the loader: what it refuses, the loader refuses, and the loader refuses more.
//
// The file agentsystem.schema.json is what [Schema] returns; a test compares them.
package jsonschema
