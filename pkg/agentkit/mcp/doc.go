// Package mcp connects agents and graphs to MCP servers: a pool of client sessions, over stdio and streamable HTTP,
// from the present revision of the protocol (2026-07-28) back to 2024-11-05.
//
// The protocol itself is the official SDK's. Around it stands what a host needs that talks to servers it doesn't
// trust, and that outlives them:
//
//   - Every inbound message is screened before the SDK decodes it: size, UTF-8, one spelling of each key, safe ids,
//     bounded depth. A server's child gets a reduced environment and its own process group, and what it wrote to
//     stderr is part of the error when it fails. An HTTP server gets the configured headers at its own origin only,
//     and no address is dialled that belongs to a cloud's metadata service.
//   - A session has an owner. Calls have a time limit of their own, closing is bounded, a connection that was lost is
//     made again by whoever needs it next, and a server that is down is an error of its own calls and of nobody
//     else's.
//   - Tools carry qualified names (server__tool) that every model provider accepts, and schemas that every provider
//     can be sent. Results are capped as a whole. Structured content keeps its bytes.
//
// A [Pool] is safe for concurrent use. Failures are a *[ServerError]; a tool that ran and reported failure is a
// [Result] with IsError and no error.
package mcp
