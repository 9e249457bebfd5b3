// Package session turns a transcript into a prompt. What an agent may see of the session is its [View]; what a provider
// would refuse is mended by [Repair]. Both are functions of values: they read and write no store.
//
// [Conversation] keeps a transcript, its state and the run that is under way in the log of a journal, for programs whose
// agents aren't nodes of a graph; [Memory] keeps one as long as the process lives.
package session
