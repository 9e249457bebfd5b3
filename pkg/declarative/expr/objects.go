package expr

import "cel.dev/cel-go/common/types"

// objectPrefix starts the type names of our objects. No expression can write it, so nobody can construct one.
const objectPrefix = "@"

// field is a declared field of an object. get reads it from the Go value of the object and reports false when the
// value isn't one of that object's.
type field struct {
	name string
	typ  *types.Type
	get  func(object any) (any, bool)
}

// object is a variable with declared fields, so that a misspelt field is found before anything runs.
type object struct {
	typ    *types.Type
	fields []field
}

func newObject(name string, fields ...field) *object {
	return &object{typ: types.NewObjectType(objectPrefix + name), fields: fields}
}

// fieldOf declares a field that is read from a *T.
func fieldOf[T any](name string, typ *types.Type, get func(*T) any) field {
	return field{name: name, typ: typ, get: func(object any) (any, bool) {
		p, ok := object.(*T)
		if !ok || p == nil {
			return nil, false
		}
		return get(p), true
	}}
}

func (o *object) field(name string) (field, bool) {
	for _, f := range o.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func (o *object) fieldNames() []string {
	names := make([]string, len(o.fields))
	for i, f := range o.fields {
		names[i] = f.name
	}
	return names
}

// read gets the field from an object, either from the Go value that the activation holds or from the map that an
// object becomes when it is used as a whole.
func (f field) read(object any) (any, bool) {
	if m, ok := object.(map[string]any); ok {
		v, found := m[f.name]
		return v, found
	}
	if f.get == nil {
		return nil, false
	}
	return f.get(object)
}

// fieldType makes the field known to cel-go.
func (f field) fieldType() *types.FieldType {
	return &types.FieldType{
		Type: f.typ,
		IsSet: func(object any) bool {
			_, ok := f.read(object)
			return ok
		},
		GetFrom: func(object any) (any, error) {
			v, ok := f.read(object)
			if !ok {
				return nil, &missingField{name: f.name}
			}
			return v, nil
		},
	}
}

// missingField is the error of reading a field that its object does not have at run time.
type missingField struct{ name string }

func (e *missingField) Error() string { return noSuchKey + e.name }

// The objects of an activation. Strings are handed over as CEL strings, which saves cel-go a second conversion.

func sessionObject() *object {
	return newObject("session",
		fieldOf("id", types.StringType, func(s *Session) any { return types.String(s.ID) }),
		fieldOf("user_id", types.StringType, func(s *Session) any { return types.String(s.UserID) }),
		fieldOf("app", types.StringType, func(s *Session) any { return types.String(s.App) }),
	)
}

func fileObject() *object {
	return newObject("file",
		fieldOf("name", types.StringType, func(f *File) any { return types.String(f.Name) }),
		fieldOf("type", types.StringType, func(f *File) any { return types.String(f.Type) }),
		fieldOf("size", types.IntType, func(f *File) any { return types.Int(f.Size) }),
	)
}

func userObject() *object {
	return newObject("user",
		fieldOf("id", types.StringType, func(u *User) any { return types.String(u.ID) }),
		fieldOf("content", types.StringType, func(u *User) any { return types.String(u.Content) }),
		fieldOf("files", types.NewListType(fileObject().typ), func(u *User) any { return u.Files }),
	)
}

func invocationObject() *object {
	return newObject("invocation",
		fieldOf("id", types.StringType, func(i *Invocation) any { return types.String(i.ID) }),
		fieldOf("agent", types.StringType, func(i *Invocation) any { return types.String(i.Agent) }),
		fieldOf("node", types.StringType, func(i *Invocation) any { return types.String(i.Node) }),
		fieldOf("attempt", types.IntType, func(i *Invocation) any { return types.Int(i.Attempt) }),
		fieldOf("started_at", types.TimestampType, func(i *Invocation) any { return timestamp(i.StartedAt) }),
		fieldOf("index", types.IntType, func(i *Invocation) any { return types.Int(i.Index) }),
	)
}

func failureObject() *object {
	return newObject("error",
		fieldOf("message", types.StringType, func(f *Failure) any { return types.String(f.Message) }),
		fieldOf("type", types.StringType, func(f *Failure) any { return types.String(f.Type) }),
		fieldOf("timeout", types.BoolType, func(f *Failure) any { return types.Bool(f.Timeout) }),
		fieldOf("code", types.StringType, func(f *Failure) any { return types.String(f.Code) }),
		fieldOf("attempt", types.IntType, func(f *Failure) any { return types.Int(f.Attempt) }),
	)
}

func requestObject() *object {
	return newObject("request",
		fieldOf("model", types.StringType, func(r *Request) any { return types.String(r.Model) }),
		fieldOf("system", types.StringType, func(r *Request) any { return types.String(r.System) }),
		fieldOf("messages", types.NewListType(types.DynType), func(r *Request) any { return r.Messages }),
		fieldOf("tools", types.NewListType(types.DynType), func(r *Request) any { return r.Tools }),
	)
}

func responseObject() *object {
	return newObject("response",
		fieldOf("text", types.StringType, func(r *Response) any { return types.String(r.Text) }),
		fieldOf("tool_calls", types.NewListType(types.DynType), func(r *Response) any { return r.ToolCalls }),
		fieldOf("stop_reason", types.StringType, func(r *Response) any { return types.String(r.StopReason) }),
		fieldOf("usage", dynMap(), func(r *Response) any { return r.Usage }),
	)
}

func toolObject() *object {
	return newObject("tool",
		fieldOf("name", types.StringType, func(t *Tool) any { return types.String(t.Name) }),
		fieldOf("server", types.StringType, func(t *Tool) any { return types.String(t.Server) }),
		fieldOf("args", dynMap(), func(t *Tool) any { return t.Args }),
	)
}

// objects returns all objects with declared fields but vars, whose fields differ from node to node.
func objects() []*object {
	return []*object{
		sessionObject(), fileObject(), userObject(), invocationObject(),
		failureObject(), requestObject(), responseObject(), toolObject(),
	}
}

func (*Session) object() *object    { return sessionObject() }
func (*File) object() *object       { return fileObject() }
func (*User) object() *object       { return userObject() }
func (*Invocation) object() *object { return invocationObject() }
func (*Failure) object() *object    { return failureObject() }
func (*Request) object() *object    { return requestObject() }
func (*Response) object() *object   { return responseObject() }
func (*Tool) object() *object       { return toolObject() }

// wholeObject returns all fields of one of our objects, for an expression that uses the object itself.
func wholeObject(value interface{ object() *object }) map[string]any {
	o := value.object()
	m := make(map[string]any, len(o.fields))
	for _, f := range o.fields {
		m[f.name], _ = f.read(value)
	}
	return m
}

func dynMap() *types.Type { return types.NewMapType(types.StringType, types.DynType) }
