package contract

import (
	"slices"
	"strings"
)

// A Label in the headers of an event or command says whose data its body holds,
// so that all of it can be found and removed without reading bodies.
type Label string

// PersonLabel labels what holds personal data of the customer with an e-mail
// address, as [PersonRef] names it.
func PersonLabel(email string) Label { return NewLabel("person:", PersonRef(email)) }

// ControlledLabel labels what only operators who are US persons may see: formal
// orders of ITAR-controlled designs.
const ControlledLabel Label = "controlled"

// IsControlled reports whether only US persons may see it.
func (m Labels) IsControlled() bool { return slices.Contains(m, ControlledLabel) }

// NewLabel labels a kind of thing, such as "upload:", by its name; it is empty for what has none.
func NewLabel(kind, of string) Label {
	if of == "" {
		return ""
	}
	return Label(kind + of)
}

// Labels is a set of labels.
type Labels []Label

// NewLabels makes a set, in order and less the empty ones.
func NewLabels(labels ...Label) Labels {
	out := slices.DeleteFunc(slices.Clone(labels), func(m Label) bool { return m == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// Union is the union of two sets.
func (m Labels) Union(more Labels) Labels { return NewLabels(slices.Concat(m, more)...) }

// HasAny reports whether the set holds one of others.
func (m Labels) HasAny(others Labels) bool {
	return slices.ContainsFunc(m, func(one Label) bool { return slices.Contains(others, one) })
}

// String is the header: labels joined by commas.
func (m Labels) String() string {
	words := make([]string, len(m))
	for i, one := range m {
		words[i] = string(one)
	}
	return strings.Join(words, ",")
}

// ParseLabels reads what String wrote.
func ParseLabels(header string) Labels {
	if header == "" {
		return nil
	}
	var out Labels
	for word := range strings.SplitSeq(header, ",") {
		out = append(out, Label(word))
	}
	return NewLabels(out...)
}
