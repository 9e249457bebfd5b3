package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/plait-dev/plait/pkg/agentkit/schema"
)

// order is a schema with one of each.
func order() schema.Schema {
	return schema.Object(
		schema.Prop("number", schema.String().Doc("the order's number").MinLen(2).MaxLen(4)),
		schema.Prop("state", schema.Enum("open", "paid")),
		schema.Optional("amount", schema.Number().Min(0.5).Max(10).Doc("in EUR")),
		schema.Optional("items", schema.Array(schema.Object(schema.Prop("count", schema.Int().Min(1).Max(3)))).MinItems(1).MaxItems(2)),
		schema.Optional("gift", schema.Bool().Doc("wrapped")),
		schema.Optional("note", schema.Any().Doc("whatever")),
		schema.Optional("tags", schema.Array(schema.String()).Doc("words")),
	).Doc("an order")
}

func TestASchemaIsWrittenInItsOrder(t *testing.T) {
	want := `{"type":"object","description":"an order","properties":{` +
		`"number":{"type":"string","description":"the order's number","minLength":2,"maxLength":4},` +
		`"state":{"type":"string","enum":["open","paid"]},` +
		`"amount":{"type":"number","description":"in EUR","minimum":0.5,"maximum":10},` +
		`"items":{"type":"array","items":{"type":"object","properties":{"count":{"type":"integer","minimum":1,"maximum":3}},` +
		`"required":["count"],"additionalProperties":false},"minItems":1,"maxItems":2},` +
		`"gift":{"type":"boolean","description":"wrapped"},"note":{"description":"whatever"},` +
		`"tags":{"type":"array","description":"words","items":{"type":"string"}}},` +
		`"required":["number","state"],"additionalProperties":false}`
	if got := string(schema.JSON(order())); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(schema.JSON(schema.Object())); got != `{"type":"object","properties":{},"additionalProperties":false}` {
		t.Errorf("an object without properties is %s", got)
	}
}

// values are texts with what Check says of them; empty: nothing.
var values = map[string]string{
	`{"number":"12","state":"open"}`: "",
	` { "state" : "paid", "number":"ä\u00e9","amount":0.5,"items":[{"count":3}],"gift":true,"note":null,"tags":[]} `: "",
	`{"number":"12","state":"open","amount":1e1,"items":[ {"count":1} , {"count":2}]}`:                               "",
	`{"number":"1","state":"open"}`:                             "number: at least 2 characters are expected, not 1",
	`{"number":"12345","state":"open"}`:                         "number: at most 4 characters are expected, not 5",
	`{"number":12,"state":"open"}`:                              "number: a string is expected, not 12",
	`{"number":"12","state":"lost"}`:                            `state: "lost" is none of open, paid`,
	`{"number":"12"}`:                                           `the property "state" is missing`,
	`{"number":"12","state":"open","State":"open"}`:             `there is no property "State"; they are number, state, amount, items, gift, note, tags`,
	`{"number":"12","state":"open","amount":0.4}`:               "amount: at least 0.5 is expected, not 0.4",
	`{"number":"12","state":"open","amount":11}`:                "amount: at most 10 is expected, not 11",
	`{"number":"12","state":"open","amount":"1"}`:               `amount: a number is expected, not "1"`,
	`{"number":"12","state":"open","amount":null}`:              "amount: a number is expected, not null",
	`{"number":"12","state":"open","items":[]}`:                 "items: at least 1 elements are expected, not 0",
	`{"number":"12","state":"open","items":[1,2,3]}`:            "items: at most 2 elements are expected, not 3",
	`{"number":"12","state":"open","items":{}}`:                 "items: an array is expected, not {}",
	`{"number":"12","state":"open","items":[{"count":0}]}`:      "items[0].count: at least 1 is expected, not 0",
	`{"number":"12","state":"open","items":[{"count":4}]}`:      "items[0].count: at most 3 is expected, not 4",
	`{"number":"12","state":"open","items":[{"count":1.5}]}`:    "items[0].count: an integer is expected, not 1.5",
	`{"number":"12","state":"open","items":[{"count":1},true]}`: "items[1]: an object is expected, not true",
	`{"number":"12","state":"open","gift":"yes"}`:               `gift: true or false is expected, not "yes"`,
	`[]`:            "an object is expected, not []",
	`{"a":1,"a":2}`: "the key",
	`{"number":`:    "the text ends",
}

func TestCheckNamesThePlaceAndWhatIsExpected(t *testing.T) {
	for value, want := range values {
		err := schema.Check(order(), json.RawMessage(value))
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", value, err, want)
		}
	}
	if err := schema.Check(schema.Object(), json.RawMessage(`{"a":1}`)); err == nil || err.Error() != `there is no property "a"; there are none` {
		t.Errorf("err = %v", err)
	}
}

// A full validator says the same of what is JSON at all.
func TestCheckAgreesWithAValidator(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema.JSON(order()), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range values {
		var v any
		if strings.Contains(want, "the key") || json.Unmarshal([]byte(text), &v) != nil {
			continue
		}
		if err := resolved.Validate(v); (err == nil) != (want == "") {
			t.Errorf("%s: the validator says %v, Check says %q", text, err, want)
		}
	}
}

type item struct {
	Count uint8 `json:"count"`
}

type typed struct {
	Number string          `json:"number" doc:"the number"`
	State  string          `json:"state,omitempty" enum:"open,paid"`
	Tags   []string        `json:"tags" enum:"a,b"`
	Amount *float64        `json:"amount"`
	Items  []item          `json:"items,omitzero" doc:"what is in it"`
	Gift   bool            `json:"gift"`
	Days   int             // under its own name
	Raw    json.RawMessage `json:"raw"`
	Any    any             `json:"any"`
	Skip   string          `json:"-"`
	secret string
}

func TestASchemaOfAStruct(t *testing.T) {
	s, err := schema.Of[typed]()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"number":{"type":"string","description":"the number"},` +
		`"state":{"type":"string","enum":["open","paid"]},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}},` +
		`"amount":{"type":"number"},"items":{"type":"array","description":"what is in it","items":{"type":"object",` +
		`"properties":{"count":{"type":"integer","minimum":0}},"required":["count"],"additionalProperties":false}},` +
		`"gift":{"type":"boolean"},"Days":{"type":"integer"},"raw":{},"any":{}},` +
		`"required":["number","tags","gift","Days","raw","any"],"additionalProperties":false}`
	if got := string(schema.JSON(s)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	_ = typed{secret: ""}
}

type node struct {
	Next *node `json:"next"`
}

type embedding struct{ item }

type Public struct{ A int }

type embeddingPublic struct{ Public }

type bytes struct{ B []byte }

type quoted struct {
	N int `json:"n,string"`
}

type mapped struct {
	M map[string]int
}

type listed struct {
	L []chan int
}

func TestTypesWithoutASchemaAreNamed(t *testing.T) {
	for want, of := range map[string]func() (schema.ObjectSchema, error){
		"string is not a struct":                         schema.Of[string],
		"schema_test.node contains itself":               schema.Of[node],
		"schema_test.embeddingPublic.Public is embedded": schema.Of[embeddingPublic],
		"embedding.item is embedded":                     schema.Of[embedding],
		"bytes.B: a []uint8 has no schema":               schema.Of[bytes],
		"quoted.N: the option string":                    schema.Of[quoted],
		"mapped.M: a map[string]int has no schema":       schema.Of[mapped],
		"listed.L: a chan int has no schema":             schema.Of[listed],
	} {
		if _, err := of(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err %v, want %s", err, want)
		}
	}
}
