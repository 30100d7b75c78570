package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
)

// A Problem is one refused field, in the words of the error reply.
type Problem = contract.FieldProblem

// What can be wrong with a field.
const (
	UnknownOption = "unknown_field"
	WrongType     = "wrong_type"
	Unsupported   = "unsupported"
	OutOfRange    = "out_of_range"
	TooLong       = "too_long"
	Missing       = "missing"
	NotApplicable = "not_applicable"
)

// DecodeOptions reads the JSON of `fab_options` and checks it as CheckOptions
// does. Numbers become json.Number, so that nothing is lost on the way on.
func (c *Catalog) DecodeOptions(data []byte) (map[string]any, []Problem) {
	if len(bytes.TrimSpace(data)) == 0 || bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil, nil
	}
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err := d.Decode(&m)
	if _, end := d.Token(); err != nil || !errors.Is(end, io.EOF) {
		return nil, []Problem{{Field: "fab_options", Problem: WrongType, Message: "fab_options is an object of option keys and values."}}
	}
	return m, c.CheckOptions(m)
}

// CheckOptions checks each key, the form of each value, and what the keys need
// of each other, without knowing the board; CheckSpec knows it. All problems are
// returned, sorted by field.
func (c *Catalog) CheckOptions(options map[string]any) []Problem {
	var ps []Problem
	for _, key := range slices.Sorted(maps.Keys(options)) {
		ps = append(ps, c.CheckOption(key, options[key])...)
		if o, ok := c.byKey[key]; ok && o.IsChosen(options[key]) {
			ps = append(ps, c.findMissing(o, options)...)
			ps = append(ps, o.needless(options)...)
		}
	}
	slices.SortStableFunc(ps, func(a, b Problem) int { return strings.Compare(a.Field, b.Field) })
	return ps
}

// CheckOption checks one key and the form of its value.
func (c *Catalog) CheckOption(key string, value any) []Problem {
	o, ok := c.byKey[key]
	switch {
	case !ok:
		return []Problem{c.unknown("fab_options."+key, key)}
	case value == nil: // null means unstated
		return nil
	}
	return o.check("fab_options."+key, value)
}

// findMissing names the keys that must come with an option, and what they say.
func (c *Catalog) findMissing(o *Option, options map[string]any) []Problem {
	var ps []Problem
	for _, key := range o.Requires {
		if options[key] == nil {
			ps = append(ps, problem("fab_options."+key, Missing, nil, "(%s) is needed with fab_options.%s: %v.", c.byKey[key].About, o.Key, options[o.Key]))
		}
	}
	return ps
}

// needless finds an option whose own condition, the value of another, is not met.
func (o *Option) needless(options map[string]any) []Problem {
	for _, key := range slices.Sorted(maps.Keys(o.Needs)) {
		if !containsEqual(o.Needs[key], options[key]) {
			return []Problem{problem("fab_options."+o.Key, NotApplicable, nil, "needs fab_options.%s to be %v.", key, words(o.Needs[key]))}
		}
	}
	return nil
}

// problem is a refused field; its message is the field and what is said of it.
func problem(field, kind string, allowed any, format string, args ...any) Problem {
	return Problem{Field: field, Problem: kind, Message: field + " " + fmt.Sprintf(format, args...), Allowed: allowed}
}

func (c *Catalog) unknown(field, key string) Problem {
	for _, s := range c.Services {
		if strings.EqualFold(s.Code, key) || strings.EqualFold(s.Key, key) {
			return problem(field, UnknownOption, []string{s.Key}, "is spelled %q here.", s.Key)
		}
	}
	return problem(field, UnknownOption, nil, "is no option of this fabricator; GET /v1/capabilities lists them.")
}

func (o *Option) check(field string, v any) []Problem {
	switch o.Kind {
	case Pick:
		return o.checkPick(field, v)
	case Boolean:
		if _, ok := v.(bool); !ok {
			return o.wrong(field, "is true or false.")
		}
	case Integer, Number:
		return o.checkNumber(field, v)
	case Text:
		return o.checkText(field, v)
	case List:
		return o.checkList(field, v)
	}
	return nil
}

func (o *Option) wrong(field, is string) []Problem {
	return []Problem{problem(field, WrongType, o.choices(), "%s", is)}
}

func (o *Option) checkPick(field string, v any) []Problem {
	s, ok := v.(string)
	if !ok {
		return o.wrong(field, "is a string, one of the values allowed.")
	}
	if _, ok := choice(o.Values, s); !ok {
		return []Problem{problem(field, Unsupported, o.choices(), "takes one of %s.", strings.Join(ids(o.Values), ", "))}
	}
	return nil
}

func (o *Option) checkNumber(field string, v any) []Problem {
	f, ok := number(v)
	if !ok {
		return o.wrong(field, "is a number.")
	}
	if o.Kind == Integer && f != math.Trunc(f) {
		return o.wrong(field, "is a whole number.")
	}
	if f < o.Min || f > o.Max {
		return []Problem{problem(field, OutOfRange, o.choices(), "lies between %v and %v.", o.Min, o.Max)}
	}
	return nil
}

func (o *Option) checkText(field string, v any) []Problem {
	s, ok := v.(string)
	if !ok || !utf8.ValidString(s) {
		return o.wrong(field, "is a string.")
	}
	if utf8.RuneCountInString(s) > int(o.Max) {
		return []Problem{problem(field, TooLong, nil, "has at most %v characters.", o.Max)}
	}
	return nil
}

func (o *Option) checkList(field string, v any) []Problem {
	list, ok := v.([]any)
	if !ok {
		return o.wrong(field, "is a list of objects.")
	}
	if len(list) > int(o.Max) {
		return []Problem{problem(field, TooLong, nil, "has at most %v entries.", o.Max)}
	}
	var ps []Problem
	for i, e := range list {
		ps = append(ps, o.checkEntry(fmt.Sprintf("%s.%d", field, i), e)...)
	}
	return ps
}

func (o *Option) checkEntry(field string, e any) []Problem {
	m, ok := e.(map[string]any)
	if !ok {
		return []Problem{problem(field, WrongType, nil, "is an object.")}
	}
	var ps []Problem
	for i := range o.Fields {
		f := &o.Fields[i]
		if v := m[f.Key]; v != nil {
			ps = append(ps, f.check(field+"."+f.Key, v)...)
		} else if f.Required {
			ps = append(ps, problem(field+"."+f.Key, Missing, f.choices(), "is required."))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.ContainsFunc(o.Fields, func(f Option) bool { return f.Key == k }) {
			ps = append(ps, problem(field+"."+k, UnknownOption, nil, "is not known here."))
		}
	}
	return ps
}

// number reads a JSON number in any of the forms that decoding leaves it in.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}
