package agentkit

import "encoding/json"

// Check reports whether a JSON value fits a schema; the error says where it doesn't, and what was expected there. It is
// safe for concurrent use.
type Check func(value json.RawMessage) error

// Schemas compiles JSON Schemas (2020-12) into checks. It keeps the validator, which is a library, out of the loop.
type Schemas interface {
	Compile(schema json.RawMessage) (Check, error)
}
