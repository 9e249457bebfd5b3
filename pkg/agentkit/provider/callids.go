package provider

import (
	"strconv"
	"strings"
)

// madeUp begins the ids of calls that the server gave none. Behind it stands the call's position in the answer, so that an
// answer has the same ids whether it is streamed or not.
const madeUp = "position_"

// CallIDs gives the calls of one answer an index and an id, on wires where a server may leave ids out or give one twice.
// The zero CallIDs is ready.
type CallIDs struct{ used map[string]bool }

// Next returns the index and the id of the next call; the server's own id is kept if it is one.
func (c *CallIDs) Next(id string) (index int, unique string) {
	if c.used == nil {
		c.used = map[string]bool{}
	}
	index = len(c.used)
	for i := index; id == "" || c.used[id]; i++ {
		id = madeUp + strconv.Itoa(i)
	}
	c.used[id] = true
	return index, id
}

// MadeUp reports an id that the server doesn't know, because it gave none.
func MadeUp(id string) bool { return strings.HasPrefix(id, madeUp) }

// Len is the number of calls so far.
func (c *CallIDs) Len() int { return len(c.used) }
