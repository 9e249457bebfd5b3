package expr

import "cel.dev/cel-go/common/types"

// provider tells cel-go about our objects. The names of types and enums come from cel-go's own provider.
type provider struct {
	types.Provider
	objects map[string]*object
}

func newProvider(base types.Provider, objects ...*object) *provider {
	p := &provider{Provider: base, objects: make(map[string]*object, len(objects))}
	for _, o := range objects {
		p.objects[o.typ.TypeName()] = o
	}
	return p
}

// FindStructType knows our objects only: protocol buffer messages have no place in a JSON value.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	o, ok := p.objects[name]
	if !ok {
		return nil, false
	}
	return types.NewTypeTypeWithParam(o.typ), true
}

func (p *provider) FindStructFieldType(name, fieldName string) (*types.FieldType, bool) {
	o, ok := p.objects[name]
	if !ok {
		return nil, false
	}
	f, ok := o.field(fieldName)
	if !ok {
		return nil, false
	}
	return f.fieldType(), true
}
