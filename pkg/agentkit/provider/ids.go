package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// IDs gives the calls of one request ids that fit a wire: of letters, digits, "_", "-" and what else it takes, not too long,
// and none twice
// (the transcript's ids are unique within a turn only). An id that fits is sent as it is. The same transcript gets the
// same ids every time, so the vendor's cached prefix stays valid.
type IDs struct {
	longest int
	others  string
	used    map[string]bool
	derived map[string]int // how many ids were made of one: a session may have the same id in thousands of turns
	open    []sentCall     // those without a result so far, a few
}

// sentCall is a call by its id in the transcript and the one that was sent.
type sentCall struct{ id, wire string }

// NewIDs returns the ids of a request whose wire allows that many bytes an id, at least 32, and other characters than
// those above.
func NewIDs(longest int, others string) *IDs {
	return &IDs{longest: longest, others: others, used: map[string]bool{}, derived: map[string]int{}}
}

// Call returns the id to send for a call. Messages are given in their order.
func (m *IDs) Call(id string) string {
	wire := id
	for !m.fits(wire) || m.used[wire] {
		wire = derive(id, m.derived[id])
		m.derived[id]++
	}
	m.used[wire] = true
	m.open = append(m.open, sentCall{id, wire})
	return wire
}

// Result returns the id to send for a result: that of the first call with this id that has none.
func (m *IDs) Result(id string) string {
	n := slices.IndexFunc(m.open, func(c sentCall) bool { return c.id == id })
	if n < 0 {
		return m.Call(id)
	}
	wire := m.open[n].wire
	m.open = slices.Delete(m.open, n, n+1)
	return wire
}

func (m *IDs) fits(id string) bool {
	if id == "" || len(id) > m.longest {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && strings.IndexByte(m.others, c) < 0 {
			return false
		}
	}
	return true
}

// derive makes an id of 29 bytes from one that can't be sent.
func derive(id string, n int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(n) + "\x00" + id))
	return "call_" + hex.EncodeToString(sum[:12])
}
