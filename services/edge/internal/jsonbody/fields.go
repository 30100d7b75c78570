package jsonbody

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
)

// What can be wrong with a field.
const (
	Missing     = "missing"
	WrongType   = "wrong_type"
	OutOfRange  = "out_of_range"
	TooLong     = "too_long"
	Unsupported = "unsupported"
	Malformed   = "malformed"
	Conflict    = "conflict"
	Unknown     = "unknown_field"
)

// Fields takes the fields of one object, noting every problem. null is the
// same as leaving the field out.
type Fields struct {
	object   map[string]any
	prefix   string
	taken    map[string]bool
	problems *[]contract.FieldProblem
}

// NewFields takes the fields of a request.
func NewFields(object map[string]any) *Fields {
	return &Fields{object: object, taken: map[string]bool{}, problems: new([]contract.FieldProblem)}
}

func (f *Fields) inner(name string, object map[string]any) *Fields {
	return &Fields{object: object, prefix: f.prefix + name + ".", taken: map[string]bool{}, problems: f.problems}
}

// Problems are all that was found wrong, in the order of asking.
func (f *Fields) Problems() []contract.FieldProblem { return *f.problems }

// Refuse notes a problem of a field.
func (f *Fields) Refuse(name, problem string, allowed any, format string, args ...any) {
	*f.problems = append(*f.problems, contract.FieldProblem{
		Field: f.prefix + name, Problem: problem, Message: fmt.Sprintf(format, args...), Allowed: allowed,
	})
}

// Add notes problems found by others.
func (f *Fields) Add(problems ...contract.FieldProblem) {
	*f.problems = append(*f.problems, problems...)
}

// Unknown names the fields that nobody asked for, in alphabetical order.
func (f *Fields) Unknown() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(f.object)) {
		if !f.taken[name] {
			out = append(out, f.prefix+untrusted.Line(name, 80))
		}
	}
	return out
}

// Names are the fields that nobody asked for, as they are written, in alphabetical order.
func (f *Fields) Names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.object)), func(name string) bool { return f.taken[name] })
}

// Takes reports whether somebody asked for a field.
func (f *Fields) Takes(name string) bool { return f.taken[name] }

// Raw takes a field as it is; nil when it is left out.
func (f *Fields) Raw(name string) any {
	f.taken[name] = true
	return f.object[name]
}

// Bool takes true or false.
func (f *Fields) Bool(name string) *bool {
	switch v := f.Raw(name).(type) {
	case nil:
		return nil
	case bool:
		return &v
	}
	f.Refuse(name, WrongType, []bool{true, false}, "%s is true or false.", name)
	return nil
}

// Flag is Bool with the default false.
func (f *Fields) Flag(name string) bool {
	b := f.Bool(name)
	return b != nil && *b
}

// Text takes a string of at most so many characters, cleaned. Lines are kept
// only where multiline says so. An empty string is the same as none.
func (f *Fields) Text(name string, most int, multiline bool) *string {
	switch v := f.Raw(name).(type) {
	case nil:
		return nil
	case string:
		return f.text(name, v, most, multiline)
	}
	f.Refuse(name, WrongType, nil, "%s is a string.", name)
	return nil
}

func (f *Fields) text(name, v string, most int, multiline bool) *string {
	if multiline {
		v = untrusted.Clean(v)
	} else {
		v = untrusted.CleanLine(v)
	}
	if n := utf8.RuneCountInString(v); n > most {
		f.Refuse(name, TooLong, map[string]int{"max_length": most}, "%s has at most %d characters; this has %d.", name, most, n)
		return nil
	}
	if v == "" {
		return nil
	}
	return &v
}

// Int takes a whole number.
func (f *Fields) Int(name string, least, most int) *int {
	v := f.number(name)
	if v == nil {
		return nil
	}
	if *v != math.Trunc(*v) {
		f.Refuse(name, WrongType, bounds(float64(least), float64(most)), "%s is a whole number.", name)
		return nil
	}
	if *v < float64(least) || *v > float64(most) {
		f.Refuse(name, OutOfRange, bounds(float64(least), float64(most)), "%s lies between %d and %d.", name, least, most)
		return nil
	}
	n := int(*v)
	return &n
}

// Number takes a number.
func (f *Fields) Number(name string, least, most float64) *float64 {
	return f.NumberOr(name, least, most, "")
}

// NumberOr is Number where a refusal says what to do for a number beyond the bounds.
func (f *Fields) NumberOr(name string, least, most float64, instead string) *float64 {
	v := f.number(name)
	if v == nil {
		return nil
	}
	if *v < least || *v > most {
		f.Refuse(name, OutOfRange, bounds(least, most), "%s lies between %v and %v%s.", name, least, most, instead)
		return nil
	}
	return v
}

func (f *Fields) number(name string) *float64 {
	switch v := f.Raw(name).(type) {
	case nil:
		return nil
	case json.Number:
		if n, err := v.Float64(); err == nil && !math.IsInf(n, 0) {
			return &n
		}
	}
	f.Refuse(name, WrongType, nil, "%s is a number.", name)
	return nil
}

func bounds(least, most float64) any { return map[string]float64{"min": least, "max": most} }

// Choice takes one of the values, or words that named says to name one. other, when
// set, lets any other short text pass.
func (f *Fields) Choice(name string, values []string, named func(written string) (value string, ok bool), other bool) *string {
	v := f.Text(name, 200, false)
	if v == nil || slices.Contains(values, *v) {
		return v
	}
	if value, ok := named(*v); ok {
		return &value
	}
	if other {
		return v
	}
	f.Refuse(name, Unsupported, values, "%s takes one of %s; for anything else send special_requirements: true and say it in special_notes.",
		name, strings.Join(values, ", "))
	return nil
}

// Texts takes a list of non-empty strings.
func (f *Fields) Texts(name string, entries, most int) []string {
	list, ok := f.list(name, entries)
	if !ok {
		return nil
	}
	out := make([]string, 0, len(list))
	for i, v := range list {
		at := name + "." + strconv.Itoa(i)
		s, ok := v.(string)
		if !ok {
			f.Refuse(at, WrongType, nil, "%s is a list of strings.", name)
			continue
		}
		if t := f.text(at, s, most, false); t != nil {
			out = append(out, *t)
		}
	}
	return out
}

func (f *Fields) list(name string, entries int) ([]any, bool) {
	switch v := f.Raw(name).(type) {
	case nil:
		return nil, false
	case []any:
		if len(v) <= entries {
			return v, true
		}
		f.Refuse(name, TooLong, map[string]int{"max_items": entries}, "%s has at most %d entries; this has %d.", name, entries, len(v))
		return nil, false
	}
	f.Refuse(name, WrongType, nil, "%s is a list.", name)
	return nil, false
}

// Object takes an object and gives its fields; nil when left out or refused.
func (f *Fields) Object(name string) *Fields {
	switch v := f.Raw(name).(type) {
	case nil:
		return nil
	case map[string]any:
		return f.inner(name, v)
	}
	f.Refuse(name, WrongType, nil, "%s is an object.", name)
	return nil
}

// Objects takes a list of objects.
func (f *Fields) Objects(name string, entries int) []*Fields {
	list, _ := f.list(name, entries)
	var out []*Fields
	for i, v := range list {
		at := name + "." + strconv.Itoa(i)
		if m, ok := v.(map[string]any); ok {
			out = append(out, f.inner(at, m))
			continue
		}
		f.Refuse(at, WrongType, nil, "%s is a list of objects.", name)
	}
	return out
}

// Free takes a value of any shape, at most so many bytes of JSON and so deep.
// Objects come out with their names sorted and numbers in one spelling.
func (f *Fields) Free(name string, bytes, depth int) json.RawMessage {
	v := f.Raw(name)
	if v == nil {
		return nil
	}
	if Depth(v) > depth {
		f.Refuse(name, TooLong, map[string]int{"max_depth": depth}, "%s is nested at most %d levels deep.", name, depth)
		return nil
	}
	if !plainNames(v) {
		f.Refuse(name, Malformed, map[string]int{"max_name_length": maxName}, "Names within %s have 1 to %d characters and do not begin with $.", name, maxName)
		return nil
	}
	data, err := json.Marshal(Canonical(v))
	if err != nil {
		f.Refuse(name, WrongType, nil, "%s cannot be read.", name)
		return nil
	}
	if len(data) > bytes {
		f.Refuse(name, TooLong, map[string]int{"max_bytes": bytes}, "%s has at most %d bytes of JSON.", name, bytes)
		return nil
	}
	return data
}

const maxName = 100

// plainNames reports whether no name within a value could be taken for an
// operator of a store that it may come to.
func plainNames(v any) bool {
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !plainNames(e) })
	case map[string]any:
		for name, e := range v {
			if n := utf8.RuneCountInString(name); n == 0 || n > maxName || name[0] == '$' || strings.ContainsRune(name, 0) || !plainNames(e) {
				return false
			}
		}
	}
	return true
}
