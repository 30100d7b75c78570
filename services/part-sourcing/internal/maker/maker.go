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

// UsualName gives the usual name of a manufacturer; ok is false for one that is not
// listed.
func UsualName(name string) (usual string, ok bool) {
	for _, form := range forms(name) {
		if usual, ok = known[key(form)]; ok {
			return usual, true
		}
	}
	return "", false
}

// forms are the names in a name: some suppliers write a second one in brackets,
// "TI(德州仪器)" or "FH(Guangdong Fenghua Advanced Tech)", and some lists two names of
// one company: "HRS / Hirose".
func forms(name string) []string {
	if a, b, two := strings.Cut(name, "/"); two && known[key(a)] != "" && known[key(a)] == known[key(b)] {
		return []string{name, a, b}
	}
	name = strings.NewReplacer("（", "(", "）", ")").Replace(name)
	short, rest, ok := strings.Cut(name, "(")
	if !ok {
		return []string{name}
	}
	return []string{name, short, strings.TrimRight(strings.TrimSpace(rest), ")")}
}

// Same reports whether two names may be one manufacturer's. An empty name may be
// anybody's, and one that contains the other counts as the same.
func Same(a, b string) bool {
	ua, oka := UsualName(a)
	ub, okb := UsualName(b)
	if oka && okb {
		return ua == ub
	}
	for _, fa := range forms(a) {
		for _, fb := range forms(b) {
			if areAlike(key(fa), key(fb)) {
				return true
			}
		}
	}
	return key(a) == "" || key(b) == "" || !oka && differsInScript(a, b) || !okb && differsInScript(b, a)
}

// differsInScript reports whether a name has no Latin letters and the other has: nobody can
// tell them apart then, 国星光电 and NationStar are one company.
func differsInScript(name, other string) bool {
	return !strings.ContainsFunc(name, latin) && strings.ContainsFunc(other, latin)
}

func latin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// areAlike reports whether two reduced names are the same, or one begins the other.
func areAlike(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return a == b || len(a) > 2 && len(b) > 2 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}
