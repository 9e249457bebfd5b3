// Command crm is the MCP server of the support-triage example: a customer database of three, with tools to look a
// customer up by the text of a mail and to list a customer's invoices. It speaks over stdin and stdout, or over HTTP
// with -http, and logs to stderr.
//
// Two flags show what a caller does about a slow or failing server: -delay answers every call late, and -fail-first
// leaves the first calls unanswered, so that they end by the caller's own time limit.
package main
