// Package jsonl is a store in a directory: a log is a file of JSON lines, so that a person can read it, search it and
// copy it with the tools they have.
//
//	sessions/ID.jsonl   one entry a line, in order
//	blobs/HEX           values that are too large for a line, by SHA-256
//	configs/HEX         configurations, by SHA-256
//	kv/SCOPE.json       shared state, a file a scope
//
// The last member of a line, crc, is the CRC-32C of the bytes before it. A last line that ends in the middle was never
// acknowledged: it is passed over by readers and cut off by the next append. Every other line that isn't whole is an
// entry that was lost since; reading reports it as a [journal.DamagedError] and goes on, and the line stays. The golden
// files in testdata say what comes of each fault.
//
// # Processes
//
// One process at a time writes to a session: it holds an exclusive lock on the session's file from its first append or
// lease on, until [Store.Close] or until it has used [WithMaxOpen] other sessions since. Others get a
// [journal.LockedError]; they may read at any time. The lock is the right to advance the session's runs. The leases of
// this store only tell owners within the process apart and fence those that were replaced; their epochs go on from
// those in the file. Everything but sessions can be written by several processes at once.
//
// # Durability
//
// An append that has returned survives the death of the process: it is one write of one line to the end of the file.
// What survives a power failure depends on the [SyncPolicy]. Blobs, configurations and shared state are written to
// another name and renamed, so that they are there as a whole or not at all; unless the policy is [SyncNever] they are
// forced to the disk at once, and so are the names of new files.
//
// An append that fails leaves nothing in the log, if that is possible: a line that is whole is taken back, and what is
// left of another one is cut off by the next append, which takes the same number. The session's file is then opened
// anew, so the store is of use again as soon as the disk is.
package jsonl
