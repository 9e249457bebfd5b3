package journal

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// keepDoubles gives the numbers of n back the type that they had in v. encoding/json writes the float64 2 as 2, which
// reads as an integer; an expression that multiplies a price by 1.5 would then fail for whole prices only.
func keepDoubles(v reflect.Value, n any) any {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() || marshals(v.Type()) {
			return n
		}
		v = v.Elem()
	}
	if !v.IsValid() || marshals(v.Type()) || v.CanAddr() && marshals(v.Addr().Type()) {
		return n
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return asDouble(n)
	case reflect.Slice, reflect.Array:
		if list, ok := n.([]any); ok && len(list) == v.Len() {
			for i := range list {
				list[i] = keepDoubles(v.Index(i), list[i])
			}
		}
	case reflect.Map:
		if object, ok := n.(map[string]any); ok && v.Type().Key().Kind() == reflect.String {
			for entries := v.MapRange(); entries.Next(); {
				keepMember(object, entries.Key().String(), entries.Value())
			}
		}
	case reflect.Struct:
		if object, ok := n.(map[string]any); ok {
			keepFields(v, object)
		}
	default: // no double, and none within
	}
	return n
}

// keepFields visits the fields that encoding/json has written, those of embedded structs included.
func keepFields(v reflect.Value, object map[string]any) {
	for _, field := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = field.Name
		}
		if member, err := v.FieldByIndexErr(field.Index); err == nil {
			keepMember(object, name, member)
		}
	}
}

func keepMember(object map[string]any, key string, v reflect.Value) {
	if n, ok := object[key]; ok {
		object[key] = keepDoubles(v, n)
	}
}

// asDouble makes a double of an integer; anything else, as the string of a field with the option string, stays.
func asDouble(n any) any {
	switch n := n.(type) {
	case int64:
		return float64(n)
	case uint64:
		return float64(n)
	default:
		return n
	}
}

// marshals reports whether a type writes its own JSON, whose numbers are what they look like.
func marshals(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}
