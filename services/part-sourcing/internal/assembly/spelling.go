package assembly

import (
	"regexp"
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// A Spelling writes designators that differ in small and capital letters only in one
// way: as the placements do, else as the list does first. They stay apart where a file
// of placements puts them at different places, or the list has them as different parts.
type Spelling struct {
	units map[string]string   // by the folded designator of a part's unit, the part's
	ways  map[string][]string // in which a designator is written, by the folded one
	apart map[string]bool     // by the folded designator
}

// maxWays is in how many ways a designator is looked for.
const maxWays = 8

func spellingOf(lines []bom.Line, places []placement.List) Spelling {
	s := Spelling{units: map[string]string{}, ways: map[string][]string{}, apart: map[string]bool{}}
	for _, l := range places {
		s.comparePlaces(l.Parts)
	}
	s.gather(lines)
	s.compareLines(lines)
	return s
}

// unit is a designator with the letter of a unit: U1B.
var unit = regexp.MustCompile(`^([A-Za-z]{1,12}[0-9]{1,6})[A-Za-z]$`)

// gather finds units of parts, as schematics draw gates by themselves, that the
// placements know as one part: U1A and U1B are U1.
func (s Spelling) gather(lines []bom.Line) {
	listed := map[string]bool{}
	for i := range lines {
		for _, ref := range lines[i].Refs {
			listed[refdes.Fold(ref)] = true
		}
	}
	for i := range lines {
		for _, ref := range lines[i].Refs {
			m := unit.FindStringSubmatch(ref)
			if m == nil || len(s.ways[refdes.Fold(ref)]) > 0 || listed[refdes.Fold(m[1])] {
				continue
			}
			if placed := s.ways[refdes.Fold(m[1])]; len(placed) > 0 {
				s.units[refdes.Fold(ref)] = placed[0]
			}
		}
	}
}

// Spell writes a designator.
func (s Spelling) Spell(ref string) string {
	folded := refdes.Fold(ref)
	if part, ok := s.units[folded]; ok {
		return part
	}
	if ways := s.ways[folded]; len(ways) > 0 && !s.apart[folded] {
		return ways[0]
	}
	return ref
}

// add takes a way to write a designator; more reports whether there was another one.
func (s Spelling) add(ref string) (folded string, more bool) {
	folded = refdes.Fold(ref)
	ways := s.ways[folded]
	if !slices.Contains(ways, ref) && len(ways) < maxWays {
		s.ways[folded] = append(ways, ref)
	}
	return folded, len(s.ways[folded]) > 1
}

// comparePlaces compares the places of one file: those of others may have another origin.
func (s Spelling) comparePlaces(parts []placement.Part) {
	first := map[string]placement.Part{}
	for _, p := range parts {
		folded, more := s.add(p.Ref)
		before, ok := first[folded]
		switch {
		case !ok:
			first[folded] = p
		case more && before.Ref != p.Ref && (before.At != p.At || before.Side != p.Side):
			s.apart[folded] = true
		}
	}
}

// compareLines compares lines. One that has a designator in two ways counts both: where its
// quantity does not, that was settled when it was read.
func (s Spelling) compareLines(lines []bom.Line) {
	type place struct {
		ref  string
		line int
	}
	first := map[string]place{}
	for i := range lines {
		for _, ref := range lines[i].Refs {
			if _, ok := s.units[refdes.Fold(ref)]; ok {
				continue
			}
			folded, more := s.add(ref)
			before, ok := first[folded]
			switch {
			case !ok:
				first[folded] = place{ref, i}
			case more && before.ref != ref && (before.line == i || differ(&lines[before.line], &lines[i])):
				s.apart[folded] = true
			}
		}
	}
}

// differ reports whether lines name different parts.
func differ(a, b *bom.Line) bool {
	return a.NameOrDescription() != "" && b.NameOrDescription() != "" && !samePart(a, b)
}

// lookalikes are the designators that are taken for different ones, though they differ
// in small and capital letters only.
func (s Spelling) lookalikes() []string {
	var out []string
	for folded := range s.apart {
		out = append(out, s.ways[folded]...)
	}
	slices.SortFunc(out, refdes.Compare)
	return out
}

// read reads designators that a customer sends. What the list or the placements have
// is one, of whatever form: HRS/10, DS18B20.
func (s Spelling) read(list string) []string {
	var out, rest []string
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' }) {
		if word = strings.TrimSpace(word); s.knows(word) {
			out = append(out, word)
		} else {
			rest = append(rest, word)
		}
	}
	parsed, odd := refdes.Parse(strings.Join(rest, ","))
	out = append(out, parsed...)
	return append(out, slices.DeleteFunc(odd, func(word string) bool { return !s.knows(word) })...)
}

// knows reports whether the list or the placements have a designator.
func (s Spelling) knows(ref string) bool {
	_, part := s.units[refdes.Fold(ref)]
	return part || len(s.ways[refdes.Fold(ref)]) > 0
}

func (s Spelling) list(refs []string) []string {
	out := make([]string, 0, len(refs))
	seen := map[string]bool{}
	for _, ref := range refs {
		if ref = s.Spell(ref); !seen[ref] {
			seen[ref] = true
			out = append(out, ref)
		}
	}
	return out
}

func (s Spelling) set(refs map[string]bool) map[string]bool {
	out := make(map[string]bool, len(refs))
	for ref := range refs {
		out[s.Spell(ref)] = true
	}
	return out
}

func (s Spelling) lines(lines []bom.Line) []bom.Line {
	out := slices.Clone(lines)
	for i := range out {
		out[i].Refs = s.list(out[i].Refs)
		if n := len(out[i].Refs); n < len(lines[i].Refs) && out[i].Quantity > 0 {
			out[i].Quantity, out[i].Short = n, false
		}
	}
	return out
}

func (s Spelling) places(lists []placement.List) []placement.List {
	out := slices.Clone(lists)
	for i := range out {
		l := &out[i]
		l.Parts, l.Notes = slices.Clone(l.Parts), slices.Clone(l.Notes)
		for k := range l.Parts {
			l.Parts[k].Ref = s.Spell(l.Parts[k].Ref)
		}
		for k := range l.Notes {
			l.Notes[k].Refs = s.list(l.Notes[k].Refs)
		}
	}
	return out
}
