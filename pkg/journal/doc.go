// Package journal is the one vocabulary in which plait records what happens, and the log that it is recorded in.
//
// There is one log per session. It is the transcript of the conversation, the journal from which a run goes on after
// its process died, the audit of what was decided, and the source of every event that a client sees. An [Entry] is one
// append and one transition; it holds [Record] values in the order in which they became true, and is there as a whole
// or not at all.
//
// # Writing
//
// A run writes through a [Writer], which it gets from the session's [Appender]. Records of transitions without effects may
// be held back and written with the next one that [NeedsSync]. Commit returns when the entry is durable. Only then do
// effects begin, and only then does anyone see the entry.
//
// # Reading
//
// [Load] folds a log into a [SessionState]: the state, the transcript's tree, and for each run its activations, the
// arrivals that wait at joins, the open questions. Nothing is decided again: which edges fired, which joins, how long a
// retry waits, are read. A log that contradicts itself is an error that names the record, and an entry that is damaged
// suspends the runs that it may concern; the fold never guesses.
//
// # Values
//
// Inputs, outputs and state are normal JSON values: nil, bool, string, int64, uint64 above the largest int64, float64,
// []any and map[string]any. [Normalize] makes them of Go values. They are immutable once they are in a record: nobody
// copies them, and a store in memory doesn't even encode them.
//
// # Stores
//
// A [Store] keeps logs, and next to them large values, configurations, shared state and leases. Packages memory and
// jsonl hold two, package storetest the suite that every store passes. [EncodeEntry] and [DecodeEntry] are the form of
// an entry for all stores that write bytes; values above [InlineLimit] go to the store's blobs in passing.
package journal
