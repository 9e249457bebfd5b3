// Package session turns a transcript into a prompt. What an agent may see of the session is its [View]; what a provider
// would refuse is mended by [Repair]. Both are functions of values: nothing here reads or writes a store.
//
// [Memory] is a transcript for programs that have no engine and no journal.
package session
