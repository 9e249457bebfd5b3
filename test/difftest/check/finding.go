package check

import "fmt"

// Channel is what is compared.
type Channel string

// The channels.
const (
	Sent    Channel = "sent"    // the request, as JSON
	Header  Channel = "header"  // method, path and headers
	Bytes   Channel = "bytes"   // those of arguments, schemas and signatures in the request
	Read    Channel = "read"    // the answer
	Damaged Channel = "damaged" // what becomes of damaged answers
)

// Finding is a difference between the SDK and us, or a rule that we break.
type Finding struct {
	Vendor, Scenario string
	Channel          Channel
	At               string // the place: a JSON pointer, a kind of bytes, a way of damage

	SDK, Ours string

	// Fault says that we are wrong whatever the SDK does: no entry of the ledger excuses it.
	Fault bool
}

// String is one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s, %s, %s at %s: the SDK has %s, ours %s", f.Vendor, f.Scenario, f.Channel, f.At, f.SDK, f.Ours)
}
