// Package draw makes pictures of documents: [Of] turns a document into boxes and arrows, [Mermaid] writes these as text
// that Markdown viewers draw, and [SVG] as a picture with a layout of its own. The same document always gives the same
// bytes.
package draw
