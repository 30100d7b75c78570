// Package maker knows manufacturers by the many names that lists and suppliers
// give them.
package maker

import (
	_ "embed"
	"strings"
	"unicode"
)

// names has one manufacturer a line: its name, then others that mean the same.
//
//go:embed names.txt
var names string

var known = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(names) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		list := strings.Split(line, "|")
		for _, n := range list {
			m[key(n)] = list[0]
		}
	}
	return m
}()

// legal are words that companies add to their names.
var legal = []string{"incorporated", "corporation", "semiconductors", "semiconductor", "electronics", "electronic", "technologies", "technology", "components",
	"microelectronics", "international", "company", "limited", "gmbh", "corp", "inc", "ltd", "co", "ag", "bv", "nv", "usa", "america", "americas", "group"}

// key reduces a name to what tells it from others.
func key(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for len(words) > 1 {
		last := words[len(words)-1]
		cut := false
		for _, w := range legal {
			cut = cut || w == last
		}
		if !cut {
			break
		}
		words = words[:len(words)-1]
	}
	return strings.Join(words, "")
}

// Known gives the usual name of a manufacturer; ok is false for one that is not
// listed.
func Known(name string) (usual string, ok bool) {
	usual, ok = known[key(name)]
	return usual, ok
}

// Same reports whether two names may be one manufacturer's. An empty name may be
// anybody's, and one that contains the other counts as the same.
func Same(a, b string) bool {
	ka, kb := key(a), key(b)
	if ka == "" || kb == "" || ka == kb {
		return true
	}
	ua, oka := known[ka]
	ub, okb := known[kb]
	if oka && okb {
		return ua == ub
	}
	return len(ka) > 2 && len(kb) > 2 && (strings.HasPrefix(ka, kb) || strings.HasPrefix(kb, ka))
}
