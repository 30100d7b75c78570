package reference

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// A field is one field of a body or a reply, or a parameter.
type field struct {
	Name     string // of what lies inside another one with the names that lead there
	Types    []typeName
	Needed   bool
	Limits   string   // such as "1 to 20 characters"
	Values   []string // all that it can be; where others are allowed too, those that are known
	Default  string
	Example  string
	Text     template.HTML
	Depth    int
	Location string // of a parameter: path, query, header
}

// File reports whether the field takes a file, or several.
func (f field) File() bool { return len(f.Types) == 1 && strings.HasSuffix(f.Types[0].Words, "file") }

// A typeName is a type in words, with the object that it names.
type typeName struct{ Words, Object string }

// fields lists the fields of a schema. Objects that have a name stand elsewhere;
// those that have none follow their field.
func (d *document) fields(at place, schema object) []field {
	at, schema = d.follow(at, schema)
	var out []field
	for i, part := range list(schema["allOf"]) {
		if o, ok := part.(object); ok {
			out = append(out, d.fields(at.join("allOf", fmt.Sprint(i)), o)...)
		}
	}
	needed := list(schema["required"])
	properties, _ := schema["properties"].(object)
	for _, name := range d.names(at.join("properties"), properties) {
		one, ok := properties[name].(object)
		if !ok {
			continue
		}
		where := at.join("properties", name)
		f := d.field(where, one)
		f.Name, f.Needed = name, slices.Contains(needed, any(name))
		out = append(out, f)
		for _, inner := range d.innerFields(where, one) {
			inner.Name, inner.Depth = name+suffix(one)+"."+inner.Name, inner.Depth+1
			out = append(out, inner)
		}
	}
	for i := range out { // required says so of fields that stand beside it
		out[i].Needed = out[i].Needed || slices.Contains(needed, any(out[i].Name))
	}
	return out
}

func suffix(schema object) string {
	if schema["items"] != nil {
		return "[]"
	}
	return ""
}

// innerFields lists the fields of an object without a name.
func (d *document) innerFields(at place, schema object) []field {
	if schema["$ref"] != nil {
		return nil
	}
	if schema["properties"] != nil {
		return d.fields(at, schema)
	}
	if items, ok := schema["items"].(object); ok {
		return d.innerFields(at.join("items"), items)
	}
	return nil
}

func (d *document) field(at place, schema object) field {
	f := field{Types: d.types(at, schema), Limits: limits(schema), Text: words(schema["description"])}
	for _, v := range slices.Concat(list(schema["enum"]), list(schema["x-extensible-enum"])) {
		f.Values = append(f.Values, encodePlain(v))
	}
	if v, ok := schema["const"]; ok {
		f.Values = []string{encodePlain(v)}
	}
	if v, ok := schema["default"]; ok {
		f.Default = encodePlain(v)
	}
	if examples := list(schema["examples"]); len(examples) > 0 {
		f.Example = encodePlain(examples[0])
	}
	return f
}

// types are the types that a schema allows.
func (d *document) types(at place, schema object) []typeName {
	if ref, ok := schema["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		return []typeName{{name, name}}
	}
	var out []typeName
	for _, kind := range []string{"anyOf", "oneOf"} {
		for _, one := range list(schema[kind]) {
			if o, ok := one.(object); ok {
				out = append(out, d.types(at, o)...)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	if schema["allOf"] != nil {
		return []typeName{{Words: "object"}}
	}
	kinds := list(schema["type"])
	if one, ok := schema["type"].(string); ok {
		kinds = []any{one}
	}
	for _, kind := range kinds {
		out = append(out, d.typesOfKind(at, fmt.Sprint(kind), schema)...)
	}
	if len(out) == 0 && schema["const"] == nil && schema["enum"] == nil {
		return []typeName{{Words: "any"}}
	}
	return out
}

func (d *document) typesOfKind(at place, kind string, schema object) []typeName {
	items, ok := schema["items"].(object)
	switch {
	case kind == "array" && ok && len(items) > 0:
		out := d.types(at, items)
		for i := range out {
			out[i].Words = "array of " + out[i].Words
		}
		return out
	case kind == "string" && schema["format"] == "binary":
		return []typeName{{Words: "file"}}
	case schema["format"] != nil:
		return []typeName{{Words: fmt.Sprintf("%s (%v)", kind, schema["format"])}}
	}
	return []typeName{{Words: kind}}
}

// limits are the bounds of a value in words.
func limits(schema object) string {
	var out []string
	for _, b := range []struct{ least, most, one, unit string }{
		{"minimum", "maximum", "", ""}, {"minLength", "maxLength", " character", " characters"}, {"minItems", "maxItems", " entry", " entries"},
	} {
		count := func(v any) string {
			if n := encodePlain(v); n != "1" {
				return n + b.unit
			}
			return "1" + b.one
		}
		least, most := schema[b.least], schema[b.most]
		switch {
		case least != nil && most != nil && least == most:
			out = append(out, count(most))
		case least != nil && most != nil:
			out = append(out, encodePlain(least)+" to "+count(most))
		case most != nil:
			out = append(out, "at most "+count(most))
		case least != nil:
			out = append(out, "at least "+count(least))
		}
	}
	return strings.Join(out, ", ")
}

// list is a value as a list; one that is none is empty.
func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// collectObjects lists the objects that a schema leads to, each once, in the order of reading.
func (d *document) collectObjects(at place, schema any, seen *[]string) {
	switch v := schema.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			name, isSchema := strings.CutPrefix(ref, "#/components/schemas/")
			if isSchema && slices.Contains(*seen, name) {
				return
			}
			if isSchema {
				*seen = append(*seen, name)
			}
			to, target := d.follow(at, v)
			d.collectObjects(to, target, seen)
			return
		}
		for _, name := range d.names(at, v) {
			if name != "examples" && name != "example" && name != "headers" {
				d.collectObjects(at.join(name), v[name], seen)
			}
		}
	case []any:
		for i, one := range v {
			d.collectObjects(at.join(fmt.Sprint(i)), one, seen)
		}
	}
}
