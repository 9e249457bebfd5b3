package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/schema"
)

// A schema that is built by hand. For a struct of Go there is Of.
func Example() {
	s := schema.Object(
		schema.Prop("city", schema.String().Doc("name of the city").MinLen(1)),
		schema.Optional("days", schema.Int().Min(1).Max(7)),
	)
	fmt.Println(string(schema.JSON(s)))
	fmt.Println(schema.Check(s, json.RawMessage(`{"city":"Rome","days":9}`)))
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"name of the city","minLength":1},"days":{"type":"integer","minimum":1,"maximum":7}},"required":["city"],"additionalProperties":false}
	// days: at most 7 is expected, not 9
}
