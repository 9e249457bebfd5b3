package expr

import (
	"strings"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Every guarded function refuses arguments for which it would run for minutes or fill the memory, and takes others.
func TestGuards(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(n int) ref.Val {
		list := make([]int64, n)
		for i := range list {
			list[i] = int64(i)
		}
		return types.NewList(adapter{}, list)
	}
	texts := func(n int) ref.Val { return types.NewList(adapter{}, make([]string, n)) }
	nested := func(n int) ref.Val {
		return types.NewRefValList(adapter{}, []ref.Val{numbers(n), numbers(n)})
	}
	text := func(n int) ref.Val { return types.String(strings.Repeat("x", n)) }
	const large, little = 1 << 20, 10
	for name, args := range map[string]func(n int) []ref.Val{
		"sets.contains":   func(n int) []ref.Val { return []ref.Val{numbers(n), numbers(n)} },
		"sets.intersects": func(n int) []ref.Val { return []ref.Val{numbers(n), texts(n)} },
		"sets.equivalent": func(n int) []ref.Val { return []ref.Val{numbers(n), numbers(n)} },
		"hasOnly":         func(n int) []ref.Val { return []ref.Val{numbers(n), numbers(n)} },
		"hasAny":          func(n int) []ref.Val { return []ref.Val{numbers(n), texts(n)} },
		"hasAll":          func(n int) []ref.Val { return []ref.Val{numbers(n), numbers(n)} },
		"hasExactly":      func(n int) []ref.Val { return []ref.Val{numbers(n), numbers(n)} },
		"distinct":        func(n int) []ref.Val { return []ref.Val{numbers(n)} },
		"flatten":         func(n int) []ref.Val { return []ref.Val{nested(2 * n)} },
		"indexOf":         func(n int) []ref.Val { return []ref.Val{text(n), text(n / 2)} },
		"lastIndexOf":     func(n int) []ref.Val { return []ref.Val{text(n), text(n / 2)} },
		"join":            func(n int) []ref.Val { return []ref.Val{texts(n), text(n)} },
		"replace":         func(n int) []ref.Val { return []ref.Val{text(n), text(1), text(n)} },
	} {
		op, ok := env.guards[name]
		if !ok {
			t.Errorf("%s() is not guarded", name)
			continue
		}
		if e, isErr := op(args(large)...).(*types.Err); !isErr || !strings.HasPrefix(e.Error(), name+"() would take too long") {
			t.Errorf("%s() takes arguments of size %d: %v", name, large, e)
		}
		few := args(little)
		if v := op(few...); types.IsError(v) {
			t.Errorf("%s() refuses arguments of size %d: %v", name, little, v)
		}
		for i := range few {
			few[i] = types.IntOne // the refusal of wrong types is left to the function
		}
		if v := op(few...); !types.IsError(v) {
			t.Errorf("%s() of ints gives %v", name, v)
		}
	}
	if len(guarded()) != 13 {
		t.Errorf("%d functions are guarded, 13 are tested", len(guarded()))
	}
}
