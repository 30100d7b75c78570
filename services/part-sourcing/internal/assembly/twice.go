package assembly

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/refdes"
)

// settleRepeats gives the lines of a list with every designator on one line only, so that
// nothing is bought twice for one place. Of lines that name the same part one
// keeps the designator; of others those do not count that the list marks as not
// fitted; where lines still name different parts, a line that names none takes
// the designator, with what they name.
func (m *matcher) settleRepeats(lines []bom.Line) []bom.Line {
	on := m.findRepeats(lines)
	if len(on) == 0 {
		return lines
	}
	t := tidier{lines: lines, gone: map[place]bool{}, disputed: map[string]*bom.Line{}}
	for i := range lines {
		for _, ref := range lines[i].Refs {
			if at := on[ref]; len(at) > 0 && at[0] == i {
				t.settle(ref, at)
				m.plan.TwiceListed = append(m.plan.TwiceListed, ref)
			}
		}
	}
	return t.collect()
}

// findRepeats gives the indexes of the lines of each designator that stands on more
// than one. Drawings and holes may, and words that are no place on the board.
func (m *matcher) findRepeats(lines []bom.Line) map[string][]int {
	on := map[string][]int{}
	for i := range lines {
		if mechanical(lines[i]) {
			continue
		}
		for _, ref := range lines[i].Refs {
			if _, placed := m.places[ref]; !strings.HasSuffix(ref, "?") && (placed || refdes.Is(ref)) {
				on[ref] = append(on[ref], i)
			}
		}
	}
	for ref, at := range on {
		if len(at) < 2 {
			delete(on, ref)
		}
	}
	return on
}

// A place is a designator on a line.
type place struct {
	line int
	ref  string
}

type tidier struct {
	lines    []bom.Line
	gone     map[place]bool       // that no longer counts
	disputed map[string]*bom.Line // by the lines that contradict each other
	order    []*bom.Line
}

// maxNamed is how many different parts for one designator are told apart.
const maxNamed = 8

// settle decides which line a designator stands on.
func (t *tidier) settle(ref string, at []int) {
	var kept []int
	for _, i := range at {
		if len(kept) == maxNamed {
			break
		}
		k := slices.IndexFunc(kept, func(k int) bool { return samePart(&t.lines[k], &t.lines[i]) })
		switch {
		case k < 0:
			kept = append(kept, i)
		case t.outranks(i, kept[k]):
			kept[k] = i
		}
	}
	if fitted := slices.DeleteFunc(slices.Clone(kept), func(i int) bool { return t.lines[i].DNP }); len(fitted) > 0 {
		kept = fitted
	}
	if named := slices.DeleteFunc(slices.Clone(kept), func(i int) bool { return t.lines[i].NameOrDescription() == "" }); len(named) > 0 {
		kept = named
	}
	keep := kept[0]
	if len(kept) > 1 && !t.lines[keep].DNP {
		t.dispute(ref, kept)
		keep = -1
	}
	for _, i := range at {
		if i != keep {
			t.gone[place{i, ref}] = true
		}
	}
}

// outranks reports whether line i rather than k stands for the same part of both:
// the one that is not to be fitted, which has to be asked about, or the one that
// names the part by number.
func (t *tidier) outranks(i, k int) bool {
	a, b := &t.lines[i], &t.lines[k]
	return a.DNP && !b.DNP || a.DNP == b.DNP && a.Exact() && !b.Exact()
}

// dispute puts a designator on a line of its own, with others of the same lines.
func (t *tidier) dispute(ref string, at []int) {
	key := fmt.Sprint(at)
	l, ok := t.disputed[key]
	if !ok {
		first := &t.lines[at[0]]
		l = &bom.Line{Row: first.Row, Footprint: first.Footprint}
		for _, i := range at {
			l.Disputed = append(l.Disputed, t.lines[i].NameOrDescription())
			if t.lines[i].Footprint != l.Footprint {
				l.Footprint = ""
			}
		}
		t.disputed[key] = l
		t.order = append(t.order, l)
	}
	l.Refs = append(l.Refs, ref)
	l.Quantity++
}

func (t *tidier) collect() []bom.Line {
	var out []bom.Line
	for i := range t.lines {
		l := t.lines[i]
		l.Refs = slices.DeleteFunc(slices.Clone(l.Refs), func(ref string) bool { return t.gone[place{i, ref}] })
		switch n := len(l.Refs); {
		case n == len(t.lines[i].Refs):
		case n == 0:
			continue
		case l.Quantity > 0:
			l.Quantity = n
		}
		out = append(out, l)
	}
	for _, l := range t.order {
		out = append(out, *l)
	}
	slices.SortStableFunc(out, func(a, b bom.Line) int { return cmp.Compare(a.Row, b.Row) }) // as the list has them
	return out
}

// samePart reports whether two lines mean the same part. Numbers that both give
// decide, and where they share none the value and the land pattern.
func samePart(a, b *bom.Line) bool {
	same := false
	for _, n := range pairNumbers(a, b) {
		switch x, y := mpn.Key(n[0]), mpn.Key(n[1]); {
		case x == "" || y == "":
		case x != y:
			return false
		default:
			same = true
		}
	}
	return same || a.Value != "" && strings.EqualFold(a.Value, b.Value) && (a.Footprint == "" || b.Footprint == "" || strings.EqualFold(a.Footprint, b.Footprint))
}

// pairNumbers pairs the numbers by which two lines name their parts, the best first.
func pairNumbers(a, b *bom.Line) [][2]string {
	pairs := [][2]string{{a.MPN, b.MPN}, {a.FabCode, b.FabCode}}
	for _, c := range a.Codes {
		pairs = append(pairs, [2]string{c.Number, b.Codes.Number(c.Scheme)})
	}
	return pairs
}
