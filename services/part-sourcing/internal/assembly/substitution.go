package assembly

import (
	"slices"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/mpn"
)

// A Substitution is a part that the customer approved in place of another. It is
// never made without the customer's word.
type Substitution struct {
	Reference    string // designators that it holds for, which may be some of a line, or empty: every line with the original part
	Original     string // manufacturer's part number
	Replacement  string
	Manufacturer string // of the replacement; may be empty
	Reason       string
}

// Substituted says what became of a substitution.
type Substituted struct {
	Substitution
	Applied bool
	Why     string // why not: one of the Why codes
}

// Why a substitution was not applied.
const (
	WhyNoLine       = "no_such_reference" // no line has that designator
	WhyOtherPart    = "another_part"      // the line names another part than the original
	WhyIncomplete   = "incomplete"        // no replacement is named, or neither a designator nor the original
	WhyNotInList    = "no_such_part"      // no line names the original
	WhySameAsBefore = "already_that_part" // the line names the replacement anyway
	WhyTwice        = "substituted_twice" // another substitution named another replacement
	WhyLeftOff      = "left_off"          // nothing is fitted there
)

func (m *matcher) substitute(list []Substitution) {
	on := m.linesOf()
	for i, s := range list {
		why := m.apply(s, m.named[i], on)
		m.plan.Substitutions = append(m.plan.Substitutions, Substituted{s, why == "", why})
	}
}

// linesOf gives the indexes of the lines on which each designator stands.
func (m *matcher) linesOf() map[string][]int {
	on := map[string][]int{}
	for i := range m.plan.Lines {
		for _, ref := range m.plan.Lines[i].Refs {
			on[ref] = append(on[ref], i)
		}
	}
	return on
}

// apply changes the lines that s means; the reason why not otherwise.
func (m *matcher) apply(s Substitution, refs []string, on map[string][]int) string {
	if mpn.Key(s.Replacement) == "" || s.Reference == "" && mpn.Key(s.Original) == "" {
		return WhyIncomplete
	}
	if s.Reference == "" {
		return m.applyByPart(s)
	}
	var lines []int
	for _, ref := range refs {
		if len(on[ref]) == 0 {
			return WhyNoLine
		}
		lines = append(lines, on[ref]...)
	}
	if len(lines) == 0 {
		return WhyNoLine
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	for _, i := range lines {
		if why := replaceable(&m.plan.Lines[i], s); why != "" {
			return why
		}
	}
	for _, i := range lines {
		replace(&m.plan.Lines[i], s)
	}
	return ""
}

func (m *matcher) applyByPart(s Substitution) string {
	why, applied := WhyNotInList, false
	for i := range m.plan.Lines {
		l := &m.plan.Lines[i]
		if !names(&l.Line, s.Original) {
			continue
		}
		if reason := replaceable(l, s); reason != "" { // the others are replaced all the same
			why = reason
			continue
		}
		replace(l, s)
		applied = true
	}
	if applied {
		return ""
	}
	return why
}

func replaceable(l *Line, s Substitution) string {
	switch {
	case mpn.Same(l.MPN, s.Replacement):
		return WhySameAsBefore
	case l.Substituted:
		return WhyTwice
	case mpn.Key(s.Original) != "" && !names(&l.Line, s.Original):
		return WhyOtherPart
	case l.LeftOff:
		return WhyLeftOff
	}
	return ""
}

// names reports whether a line means the part of that number; one that names
// none by number may by its value.
func names(l *bom.Line, number string) bool {
	if l.Exact() {
		return l.Names(number)
	}
	return mpn.Same(l.Value, number) || slices.ContainsFunc(l.Disputed, func(name string) bool { return mpn.Same(name, number) })
}

func replace(l *Line, s Substitution) {
	l.Original = l.NameOrDescription()
	l.MPN, l.Manufacturer, l.Substituted, l.Mechanical = s.Replacement, s.Manufacturer, true, false
	l.FabCode, l.Codes, l.Alternates, l.Joined, l.Disputed = "", nil, nil, nil, nil
}
