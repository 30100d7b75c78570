package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	if err := d.Decode(&m); err != nil || d.More() {
		return nil, []Problem{{Field: "fab_options", Problem: WrongType, Message: "fab_options is an object of option keys and values"}}
	}
	return m, c.CheckOptions(m)
}

// CheckOptions checks each key and the form of each value, without knowing the
// board; CheckSpec knows it. All problems are returned, sorted by field.
func (c *Catalog) CheckOptions(options map[string]any) []Problem {
	var ps []Problem
	for _, key := range slices.Sorted(maps.Keys(options)) {
		field := "fab_options." + key
		o, ok := c.byKey[key]
		if !ok {
			ps = append(ps, c.unknown(field, key))
			continue
		}
		if options[key] != nil { // null means unstated
			ps = append(ps, o.check(field, options[key])...)
		}
	}
	return ps
}

func (c *Catalog) unknown(field, key string) Problem {
	p := Problem{Field: field, Problem: UnknownOption, Message: "is no option of this fabricator; GET /v1/capabilities lists them"}
	for _, s := range c.Services {
		if strings.EqualFold(s.Code, key) || strings.EqualFold(s.Key, key) {
			p.Message = fmt.Sprintf("is spelled %q here", s.Key)
			p.Allowed = []string{s.Key}
		}
	}
	return p
}

func (o *Option) check(field string, v any) []Problem {
	switch o.Kind {
	case Pick:
		return o.checkPick(field, v)
	case Boolean:
		if _, ok := v.(bool); !ok {
			return o.wrong(field, "is true or false")
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
	return []Problem{{Field: field, Problem: WrongType, Message: is, Allowed: o.allowed()}}
}

func (o *Option) checkPick(field string, v any) []Problem {
	s, ok := v.(string)
	if !ok {
		return o.wrong(field, "is a string, one of the values allowed")
	}
	if _, ok := choice(o.Values, s); !ok {
		return []Problem{{Field: field, Problem: Unsupported, Message: "is none of the values allowed", Allowed: o.allowed()}}
	}
	return nil
}

func (o *Option) checkNumber(field string, v any) []Problem {
	f, ok := number(v)
	if !ok {
		return o.wrong(field, "is a number")
	}
	if o.Kind == Integer && f != math.Trunc(f) {
		return o.wrong(field, "is a whole number")
	}
	if f < o.Min || f > o.Max {
		return []Problem{{Field: field, Problem: OutOfRange, Message: fmt.Sprintf("lies between %v and %v", o.Min, o.Max), Allowed: o.allowed()}}
	}
	return nil
}

func (o *Option) checkText(field string, v any) []Problem {
	s, ok := v.(string)
	if !ok || !utf8.ValidString(s) {
		return o.wrong(field, "is a string")
	}
	if utf8.RuneCountInString(s) > int(o.Max) {
		return []Problem{{Field: field, Problem: TooLong, Message: fmt.Sprintf("has at most %v characters", o.Max)}}
	}
	return nil
}

func (o *Option) checkList(field string, v any) []Problem {
	list, ok := v.([]any)
	if !ok {
		return o.wrong(field, "is a list of objects")
	}
	if len(list) > int(o.Max) {
		return []Problem{{Field: field, Problem: TooLong, Message: fmt.Sprintf("has at most %v entries", o.Max)}}
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
		return []Problem{{Field: field, Problem: WrongType, Message: "is an object"}}
	}
	var ps []Problem
	for i := range o.Fields {
		f := &o.Fields[i]
		if v := m[f.Key]; v != nil {
			ps = append(ps, f.check(field+"."+f.Key, v)...)
		} else if f.Required {
			ps = append(ps, Problem{Field: field + "." + f.Key, Problem: Missing, Message: "is required", Allowed: f.allowed()})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.ContainsFunc(o.Fields, func(f Option) bool { return f.Key == k }) {
			ps = append(ps, Problem{Field: field + "." + k, Problem: UnknownOption, Message: "is not known here"})
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
