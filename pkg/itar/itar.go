// Package itar finds the declaration that a design is ITAR-controlled, however
// it is spelt and wherever in a request it stands. What is neither yes nor no
// declares nothing, because a declaration deletes; the request is refused.
package itar

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
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

// Yes reports whether the text of a declaration says yes, however it is spelt.
func Yes(text string) bool {
	switch word := plain(text); word {
	case "true", "t", "yes", "y", "on":
		return true
	default:
		f, err := strconv.ParseFloat(word, 64)
		return err == nil && f == 1
	}
}

// SaysNo reports whether it says no, or nothing.
func SaysNo(text string) bool {
	switch word := plain(text); word {
	case "", "false", "f", "no", "n", "off", "null", "none":
		return true
	default:
		f, err := strconv.ParseFloat(word, 64)
		return err == nil && f == 0
	}
}

func plain(text string) string {
	return strings.ToLower(strings.TrimSpace(norm.NFKC.String(text)))
}

// DeclaresIn reports whether a value as JSON has it declares anywhere within.
func DeclaresIn(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if Name(name) && says(inner) || DeclaresIn(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, DeclaresIn)
	}
	return false
}

// Unclear gives the path, joined by dots, of a declaration within a value that
// is neither yes nor no.
func Unclear(v any) (path string, found bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if Name(name) && !says(v[name]) && !denies(v[name]) {
				return name, true
			}
			if inner, ok := Unclear(v[name]); ok {
				return name + "." + inner, true
			}
		}
	case []any:
		for i, inner := range v {
			if inner, ok := Unclear(inner); ok {
				return strconv.Itoa(i) + "." + inner, true
			}
		}
	}
	return "", false
}

// says reports whether the value of a declaration is yes.
func says(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return Yes(v)
	case json.Number:
		return Yes(v.String())
	}
	return false
}

// denies reports whether the value of a declaration is no, or none.
func denies(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return SaysNo(v)
	case json.Number:
		return SaysNo(v.String())
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
