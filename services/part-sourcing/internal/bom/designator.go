package bom

import (
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// joinTornRefs puts a torn list of designators together; the quantity has to agree.
func (r *reader) joinTornRefs(cells []string) []string {
	at, more := slices.Index(r.layout.columns, references), len(cells)-len(r.layout.columns)
	if at < 0 || more <= 0 || slices.ContainsFunc(cells[at:at+more+1], func(c string) bool { return !designators(c) }) {
		return cells
	}
	list := strings.Join(cells[at:at+more+1], ",")
	out := slices.Concat(cells[:at], []string{list}, cells[at+more+1:])
	refs, _ := refdes.Parse(list)
	if n, ok := count(r.cellOf(table.Row{Cells: out}, quantity), len(refs)); !ok || n != len(refs) {
		return cells
	}
	return out
}

// designators reports whether a cell has nothing but designators.
func designators(cell string) bool {
	refs, odd := refdes.Parse(cell)
	return len(refs) > 0 && len(odd) == 0 && !slices.ContainsFunc(refs, func(ref string) bool { return !refdes.Is(ref) })
}

// Unmark gives a list of designators without words that say that the parts are not fitted,
// "DNS R5", and marks the line so. Where no designator is left they are a title.
func (l *Line) Unmark(cell string) string {
	rest, denied := fitting.StripMarks(cell)
	refs, _ := refdes.Parse(rest)
	if !denied || !slices.ContainsFunc(refs, refdes.Is) {
		return cell
	}
	l.DNP = true
	return rest
}

// references files designators. Numbers that stand for designators, "R1, 2, 3", are taken
// where the stated quantity counts them.
func (r *reader) references(l *Line, cell, stated string) {
	refs, odd := refdes.Parse(cell)
	if full, ok := refdes.Continue(cell); ok && len(odd) > 0 {
		if n, fine := count(stated, len(full)); fine && n == len(full) {
			refs, odd = full, nil
		}
	}
	if l.counts(refs, odd, stated) {
		refs, odd = slices.Concat(refs, odd), nil
	}
	l.Refs = refs
	l.Odd = slices.DeleteFunc(slices.Clone(odd), func(word string) bool { return !refdes.May(word) })
	if len(odd) > 0 {
		r.note(Note{Code: OddReference, Row: l.Row, Text: strings.Join(odd, " ")})
	}
}

// counts reports whether words that are no usual designators are meant as such: the
// stated quantity counts them, or the line names a part by number and has no other. A
// part with a place of its own is never left out because of how the place is called.
func (l *Line) counts(refs, odd []string, stated string) bool {
	if len(odd) == 0 || slices.ContainsFunc(odd, func(word string) bool { return !refdes.May(word) }) {
		return false
	}
	all := len(refs) + len(odd)
	n, ok := count(stated, all)
	return ok && n == all || len(refs) == 0 && l.Exact()
}

func (r *reader) quantity(l *Line, stated string) {
	l.Quantity = len(l.Refs)
	if stated == "" {
		return
	}
	if fitting.IsDenied(stated) {
		l.DNP = true
		return
	}
	n, ok := count(stated, len(l.Refs))
	if prose := l.Settle(n); len(prose) > 0 {
		r.note(Note{Code: OddReference, Row: l.Row, Text: strings.Join(prose, " ")})
	}
	l.Quantity = len(l.Refs)
	switch {
	case !ok:
		l.Quantity = max(l.Quantity, 1)
		r.note(Note{Code: QuantityUnread, Row: l.Row, Text: stated})
	case len(l.Refs) == 0:
		l.Quantity = n
	case n == 0:
		l.DNP = true // none of it: to be asked about where it has a place
	case n != len(l.Refs):
		l.Short = n < len(l.Refs)
		r.note(Note{Code: QuantityDiffers, Row: l.Row, Refs: l.Refs, Text: stated})
	}
}

// Settle takes the words out of a line's designators that are none, where the number of
// pieces that it states is that of the others: "R5 note ask us", 1. It gives those words.
// Of designators in small and capital letters one stays where that number counts one.
func (l *Line) Settle(stated int) (prose []string) {
	l.fold(stated)
	var refs []string
	for _, ref := range l.Refs {
		if refdes.Is(ref) {
			refs = append(refs, ref)
		} else {
			prose = append(prose, ref)
		}
	}
	if stated == 0 || len(refs) != stated || len(prose) == 0 {
		return nil
	}
	l.Refs = refs
	return prose
}

// fold takes out designators that differ from others in small and capital letters only,
// where the number of pieces is that of the rest: "r1, R1, R2", 2.
func (l *Line) fold(stated int) {
	var refs []string
	seen := map[string]bool{}
	for _, ref := range l.Refs {
		if folded := refdes.Fold(ref); !seen[folded] {
			seen[folded] = true
			refs = append(refs, ref)
		}
	}
	if stated == len(refs) {
		l.Refs = refs
	}
}
