package asyncapi

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

type object = map[string]any

// schemas collects the schemas of named types.
type schemas map[string]object

var (
	timeType      = reflect.TypeFor[time.Time]()
	rawType       = reflect.TypeFor[json.RawMessage]()
	marshalerType = reflect.TypeFor[json.Marshaler]()
)

// schemaOf gives the schema of a type, as encoding/json writes it. What a newer program
// added may stand beside what is described.
func (s schemas) schemaOf(t reflect.Type) object {
	switch {
	case t == timeType:
		return object{"type": "string", "format": "date-time"}
	case t == rawType || t.Kind() == reflect.Interface:
		return object{}
	case t.Kind() == reflect.Pointer:
		return nullable(s.schemaOf(t.Elem()))
	case t.Implements(marshalerType):
		return object{"description": "Written by its own rules."}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return object{"type": []any{"string", "null"}, "contentEncoding": "base64"}
		}
		return object{"type": []any{"array", "null"}, "items": s.schemaOf(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": s.schemaOf(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": []any{"object", "null"}, "additionalProperties": s.schemaOf(t.Elem())}
	case reflect.Struct:
		return s.referenceTo(t)
	default:
		return object{"type": "integer"}
	}
}

func nullable(schema object) object {
	if kind, ok := schema["type"].(string); ok {
		schema["type"] = []any{kind, "null"}
		return schema
	}
	if _, ok := schema["$ref"]; ok {
		return object{"oneOf": []any{object{"type": "null"}, schema}}
	}
	return schema
}

// referenceTo refers to a struct's schema, which is made once.
func (s schemas) referenceTo(t reflect.Type) object {
	if t.Name() == "" {
		return s.fields(t)
	}
	name := nameOf(t)
	if _, known := s[name]; !known {
		s[name] = object{} // for those that hold themselves
		s[name] = s.fields(t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

func (s schemas) fields(t reflect.Type) object {
	properties, required := object{}, []any{}
	s.collect(t, properties, &required)
	out := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// collect adds a struct's fields, and those of structs that it embeds.
func (s schemas) collect(t reflect.Type, properties object, required *[]any) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			s.collect(f.Type, properties, required)
		default:
			if name == "" {
				name = f.Name
			}
			properties[name] = s.schemaOf(f.Type)
			if !strings.Contains(options, "omit") {
				*required = append(*required, name)
			}
		}
	}
}
