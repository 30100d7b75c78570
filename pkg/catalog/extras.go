package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/wording"
)

// An Extra is one thing that is ordered beside the usual options, in words.
type Extra struct{ Name, Value string }

// Extras are the options of a quote beside the usual ones, as pages and e-mails say them.
func (c *Catalog) Extras(q quotes.Quote) []Extra {
	chosen, impedance, stackup := q.Request.FabOptions, q.Request.ImpedanceControlled != nil && *q.Request.ImpedanceControlled, ""
	if q.Request.FabStackup != nil {
		stackup = *q.Request.FabStackup
	}
	if d := q.Reply.BoardDetails; d != nil {
		if len(d.FabOptions) > 0 {
			chosen = d.FabOptions
		}
		impedance, stackup = impedance || d.ImpedanceControlled, cmp.Or(d.FabStackup, stackup)
	}
	var out []Extra
	if impedance {
		out = append(out, Extra{"Controlled impedance", "yes"})
	}
	if stackup != "" {
		out = append(out, Extra{"Stackup", stackup})
	}
	for _, key := range slices.Sorted(maps.Keys(chosen)) {
		o, known := c.Option(key)
		if !known {
			o = Option{Name: sentenceOf(key)}
		}
		out = append(out, Extra{o.Name, o.valueWords(chosen[key])})
	}
	return out
}

// sentenceOf makes words of a key.
func sentenceOf(key string) string {
	words := strings.ReplaceAll(key, "_", " ")
	first, n := utf8.DecodeRuneInString(words)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + words[n:]
}

// valueWords is a chosen value in words. A list of what has fields of its own is counted.
func (o Option) valueWords(v any) string {
	switch v := v.(type) {
	case string:
		if name := NameOf(o.Values, v); name != v {
			return name
		}
		return strings.ReplaceAll(v, "_", " ")
	case []any:
		if slices.ContainsFunc(v, func(one any) bool { _, fields := one.(map[string]any); return fields }) {
			return strconv.Itoa(len(v)) + " chosen"
		}
	}
	return wording.Value(v)
}

// NameOf is what a choice is called, or its id.
func NameOf(choices []Choice, id string) string {
	for _, c := range choices {
		if c.ID == id && c.Name != "" {
			return c.Name
		}
	}
	return id
}
