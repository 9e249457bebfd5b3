// Package wire cuts the bytes that a peer streams into messages: server-sent events and lines of JSON. Its readers take
// what the standards allow (each kind of line end, a byte order mark, comments, data of several lines), hold no more than
// one message and no more than they were allowed to, and never take the end of a stream for the end of a message.
//
// What is in a message is read with package jsonx.
package wire
