package expr

import (
	"encoding/json"
	"reflect"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// adapter turns Go values into CEL values. It differs from cel-go's own in that maps iterate in the order of their
// keys, that our objects are known, and that a Go type which can't come out of JSON is an error and not a panic.
type adapter struct{}

// NativeToValue implements types.Adapter.
func (a adapter) NativeToValue(value any) ref.Val {
	switch v := value.(type) {
	case nil:
		return types.NullValue
	case ref.Val:
		return v
	case string:
		return types.String(v)
	case bool:
		return types.Bool(v)
	case int64:
		return types.Int(v)
	case float64:
		return types.Double(v)
	case map[string]any:
		return &stringMap{entries: StateMap(v)}
	case []any:
		return &anyList{items: v}
	case *stateVar:
		return &stringMap{entries: v.State}
	case int:
		return types.Int(v)
	case uint64:
		return types.Uint(v)
	case json.Number:
		return a.number(v)
	case []byte:
		return types.Bytes(v)
	case time.Time:
		return timestamp(v)
	case time.Duration:
		return types.Duration{Duration: v}
	case []string:
		return types.NewList(a, v)
	case []ref.Val:
		return types.NewRefValList(a, v)
	case []int:
		return types.NewList(a, v)
	case []File:
		return files(v)
	case interface{ object() *object }:
		return &stringMap{entries: StateMap(wholeObject(v))}
	case map[ref.Val]ref.Val:
		return orderedMap{types.NewRefValMap(a, v)}
	default:
		return a.other(value)
	}
}

// other handles the Go types that are rare enough to go through reflection.
func (a adapter) other(value any) ref.Val {
	rv := reflect.ValueOf(value)
	switch rv.Kind() {
	case reflect.String:
		return types.String(rv.String())
	case reflect.Bool:
		return types.Bool(rv.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return types.Int(rv.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return types.Uint(rv.Uint())
	case reflect.Float32, reflect.Float64:
		return types.Double(rv.Float())
	case reflect.Slice, reflect.Array:
		items := make([]any, rv.Len())
		for i := range items {
			items[i] = rv.Index(i).Interface()
		}
		return &anyList{items: items}
	case reflect.Map:
		return a.reflectMap(rv)
	default:
		return types.NewErr("a Go value of type %T is not a JSON value", value)
	}
}

func (a adapter) reflectMap(rv reflect.Value) ref.Val {
	if rv.Type().Key().Kind() == reflect.String {
		entries := make(StateMap, rv.Len())
		for it := rv.MapRange(); it.Next(); {
			entries[it.Key().String()] = it.Value().Interface()
		}
		return &stringMap{entries: entries}
	}
	entries := make(map[ref.Val]ref.Val, rv.Len())
	for it := rv.MapRange(); it.Next(); {
		key := a.NativeToValue(it.Key().Interface())
		if types.IsError(key) {
			return key
		}
		entries[key] = a.NativeToValue(it.Value().Interface())
	}
	return orderedMap{types.NewRefValMap(a, entries)}
}

func (a adapter) number(n json.Number) ref.Val {
	v, err := parseNumber(string(n))
	if err != nil {
		return types.WrapErr(err)
	}
	return a.NativeToValue(v)
}

func timestamp(t time.Time) ref.Val { return types.Timestamp{Time: t.UTC()} }

func files(list []File) ref.Val {
	items := make([]any, len(list))
	for i := range list {
		items[i] = &list[i]
	}
	return &anyList{items: items}
}
