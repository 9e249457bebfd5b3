package fields

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/declarative/source"
)

// ExampleJSON is the example as decoded JSON.
func (f *Field) ExampleJSON() any { return decode(f.Example) }

// DefaultJSON is the default as JSON text; nil when there is none.
func (f *Field) DefaultJSON() []byte {
	if f.Default == "" {
		return nil
	}
	text, err := json.Marshal(decode(f.Default))
	if err != nil { // a scalar of our own
		return nil
	}
	return text
}

// decode reads a value of the table. A test sees that all of them can be read.
func decode(text string) any {
	f, _ := source.Parse("", []byte(text))
	if f == nil {
		return nil
	}
	return source.NewReport(nil).JSON(f.Root())
}
