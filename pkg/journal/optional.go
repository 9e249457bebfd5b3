package journal

// Optional is a value that may be absent, which is something else than null: an activation without output differs from
// one whose output is null, and an input that isn't recorded differs from the input null. The zero Optional is absent.
type Optional struct {
	value   any
	present bool
}

// Some is a value that is present; it may be nil, which is null.
func Some(v any) Optional { return Optional{value: v, present: true} }

// Get returns the value, and whether there is one.
func (o Optional) Get() (v any, ok bool) { return o.value, o.present }

// Value returns the value, or nil when it is absent: the form in which an absent output is handed on.
func (o Optional) Value() any { return o.value }

// Present reports whether there is a value.
func (o Optional) Present() bool { return o.present }

// Equal reports whether both are absent or both hold equal values, see [Equal].
func (o Optional) Equal(p Optional) bool { return o.present == p.present && Equal(o.value, p.value) }
