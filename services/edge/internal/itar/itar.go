// Package itar finds the declaration that a design is ITAR-controlled, however
// it is spelt and wherever in a request it stands. What is neither yes nor no
// counts as yes: a declaration must not be passed over.
package itar

import (
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// names are the names that a declaration can have, once only letters are left.
var names = []string{"itar", "isitar", "itarcontrolled", "isitarcontrolled", "itarrestricted", "itardeclared", "xitar"}

// Name reports whether a field, parameter or header of this name declares.
func Name(name string) bool {
	if len(name) > 100 {
		return false
	}
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(norm.NFKC.String(name)))
	return slices.Contains(names, letters)
}

// Yes reads the text of a declaration.
func Yes(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "false", "f", "0", "no", "n", "off", "null", "none":
		return false
	}
	return true
}

// In reports whether a value as JSON has it declares anywhere within.
func In(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if Name(name) && says(inner) || In(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, In)
	}
	return false
}

// says reads the value of a declaration.
func says(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return Yes(v)
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}
