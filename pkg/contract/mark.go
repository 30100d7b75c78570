package contract

import (
	"slices"
	"strings"
)

// A Mark in the headers of an event or command says whose data its body holds,
// so that all of it can be found and removed without reading bodies.
type Mark string

// PersonMark marks what holds personal data of the customer with an e-mail
// address, as [PersonRef] names it.
func PersonMark(email string) Mark { return MarkOf("person:", PersonRef(email)) }

// ControlledMark marks what only operators who are US persons may see: formal
// orders of ITAR-controlled designs.
const ControlledMark Mark = "controlled"

// IsControlled reports whether only US persons may see it.
func (m Marks) IsControlled() bool { return slices.Contains(m, ControlledMark) }

// MarkOf marks a kind of thing, such as "upload:", by its name; it is empty for what has none.
func MarkOf(kind, of string) Mark {
	if of == "" {
		return ""
	}
	return Mark(kind + of)
}

// Marks is a set of marks.
type Marks []Mark

// MarksFrom makes a set, in order and less the empty ones.
func MarksFrom(marks ...Mark) Marks {
	out := slices.DeleteFunc(slices.Clone(marks), func(m Mark) bool { return m == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// Union is the union of two sets.
func (m Marks) Union(more Marks) Marks { return MarksFrom(slices.Concat(m, more)...) }

// HasAny reports whether the set holds one of others.
func (m Marks) HasAny(others Marks) bool {
	return slices.ContainsFunc(m, func(one Mark) bool { return slices.Contains(others, one) })
}

// String is the header: marks joined by commas.
func (m Marks) String() string {
	words := make([]string, len(m))
	for i, one := range m {
		words[i] = string(one)
	}
	return strings.Join(words, ",")
}

// ParseMarks reads what String wrote.
func ParseMarks(header string) Marks {
	if header == "" {
		return nil
	}
	var out Marks
	for word := range strings.SplitSeq(header, ",") {
		out = append(out, Mark(word))
	}
	return MarksFrom(out...)
}
