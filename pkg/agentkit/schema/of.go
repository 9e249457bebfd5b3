package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Of returns the schema of a struct as encoding/json reads it: a property for each exported field, in their order, under
// the name that its json tag gives it. The tag doc says what a property is for, the tag enum lists the texts that it
// allows, separated by commas. A pointer, and a field with omitempty or omitzero, is optional.
//
// Fields are booleans, integers, floating-point numbers, strings, structs, slices and pointers of these, any and
// json.RawMessage; bytes are none. The error names a field of another type, an embedded one, and a type that contains itself.
func Of[T any]() (ObjectSchema, error) {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return ObjectSchema{}, fmt.Errorf("%s is not a struct", t)
	}
	return objectOf(t, nil)
}

// objectOf reads a struct. Around are the structs that it stands in.
func objectOf(t reflect.Type, around []reflect.Type) (ObjectSchema, error) {
	if slices.Contains(around, t) {
		return ObjectSchema{}, fmt.Errorf("%s contains itself", t)
	}
	around = append(around, t)
	var props []Property
	for f := range t.Fields() {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tag == "-":
			continue
		case f.Anonymous:
			return ObjectSchema{}, fmt.Errorf("%s.%s is embedded", t, f.Name)
		case !f.IsExported():
			continue
		case strings.Contains(options, "string"):
			return ObjectSchema{}, fmt.Errorf("%s.%s: the option string of its json tag has no schema", t, f.Name)
		}
		value, err := valueOf(f.Type, f.Tag, around)
		if err != nil {
			return ObjectSchema{}, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		name := tag
		if name == "" {
			name = f.Name
		}
		props = append(props, Property{name: name, value: value,
			optional: f.Type.Kind() == reflect.Pointer || strings.Contains(options, "omit")})
	}
	return Object(props...), nil
}

// valueOf returns the schema of a field's type, with what the field's tag says.
func valueOf(t reflect.Type, tag reflect.StructTag, around []reflect.Type) (Schema, error) {
	doc := tag.Get("doc")
	if t == reflect.TypeFor[json.RawMessage]() {
		return Any().Doc(doc), nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return valueOf(t.Elem(), tag, around)
	case reflect.Interface:
		return Any().Doc(doc), nil
	case reflect.Bool:
		return Bool().Doc(doc), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int().Doc(doc), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Int().Min(0).Doc(doc), nil
	case reflect.Float32, reflect.Float64:
		return Number().Doc(doc), nil
	case reflect.String:
		if texts := tag.Get("enum"); texts != "" {
			return Enum(strings.Split(texts, ",")...).Doc(doc), nil
		}
		return String().Doc(doc), nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // encoding/json reads base64
			return nil, fmt.Errorf("a %s has no schema", t)
		}
		items, err := valueOf(t.Elem(), reflect.StructTag(`enum:"`+tag.Get("enum")+`"`), around)
		return Array(items).Doc(doc), err
	case reflect.Struct:
		s, err := objectOf(t, around)
		return s.Doc(doc), err
	default:
		return nil, fmt.Errorf("a %s has no schema", t)
	}
}
