// Package source reads YAML and JSON and forgets nothing about where things stood. [Parse] gives a tree of values in
// which every scalar knows the place in the file of each of its characters; a [Place] walks the tree and keeps the path
// to where it is; an [Object] reads the fields of one map and reports everything that is wrong with them.
//
// The YAML is that of version 1.2 with its core schema: only true and false are booleans, so yes, no, on and off are
// strings, and so are dates. Left out is what a document has no use for: keys that aren't text, %TAG directives, and
// several documents in one file. JSON is read as what it is to YAML 1.2, a flow mapping; pairs of \u escapes are read as
// JSON reads them.
//
// The parser is our own because what it is for, findings that point at the character, can't be had from the libraries:
// they keep one position a value, and of a syntax error at most the line on which the enclosing block began. Tests compare
// it with go.yaml.in/yaml/v3.
package source
