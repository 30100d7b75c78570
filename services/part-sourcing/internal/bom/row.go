package bom

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/foreigntext"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// maxRefs is how many designators a list may have, ranges filled in: ten times as
// many as any board has parts.
const maxRefs = 100_000

// A reader makes lines of the rows of one section.
type reader struct {
	layout layout
	list   List
	out    bool // a title says that what stands below is not fitted
}

func (r *reader) read(rows []table.Row) {
	refs := 0
	for _, row := range rows {
		if sums[table.Plain(r.stated(row, references))] {
			continue
		}
		l := r.line(row)
		l.DNP = l.DNP || r.out
		if refs += len(l.Refs); refs > maxRefs {
			r.note(Note{Code: ListCut, Row: l.Row})
			return
		}
		switch {
		case r.stated(row, references) == "" && r.stated(row, quantity) == "" && r.alternate(l):
		case r.title(l):
			r.note(Note{Code: OddReference, Row: l.Row, Text: strings.Join(l.Refs, " ")})
			r.out = fitting.DeniedIn(r.stated(row, references))
		case len(l.Refs) == 0 && !l.Exact() && l.Value == "":
		case len(l.Refs) == 0 && r.layout.has(references):
			r.note(Note{Code: NoReferences, Row: l.Row, Text: firstOf(l.MPN, l.Value, l.Description)})
		default:
			r.list.Lines = append(r.list.Lines, l)
			if row.Hidden {
				r.note(Note{Code: RowHidden, Row: l.Row})
			}
		}
	}
}

// stated is what a row has in a column, "" where there is no such column.
func (r *reader) stated(row table.Row, c column) string {
	return row.Cell(slices.Index(r.layout.columns, c))
}

// sums are what stands where designators are due in the row that counts all parts.
var sums = set("total totals grandtotal subtotal sum summe gesamt gesamtsumme somme totaal totale suma razem итого всего 合计 合計 总计 總計 計")

// title reports whether a row is a title: words where designators are due,
// and no part.
func (r *reader) title(l Line) bool {
	return len(l.Refs) > 0 && !slices.ContainsFunc(l.Refs, refdes.Is) && !l.Exact() && l.Value == "" && l.Footprint == "" && l.Description == ""
}

// alternate takes a row that names another part only as one that may be fitted
// in place of the line above.
func (r *reader) alternate(l Line) bool {
	if l.MPN == "" || l.Value != "" || l.Description != "" || len(r.list.Lines) == 0 {
		return false
	}
	above := &r.list.Lines[len(r.list.Lines)-1]
	above.Alternates = append(above.Alternates, Part{l.MPN, l.Manufacturer})
	return true
}

func (r *reader) note(n Note) { r.list.Notes = append(r.list.Notes, n) }

func (r *reader) line(row table.Row) Line {
	l := Line{Row: row.Line}
	supplierName, number, stated, listed, measure := "", "", "", "", ""
	for i, cell := range r.whole(row) {
		if i >= len(r.layout.columns) || cell == "" || cell == "~" || cell == "-" || cell == "_" {
			continue
		}
		if namesPart[r.layout.columns[i]] && fitting.Denied(cell) && len(table.Plain(cell)) > 2 {
			l.DNP = true // where its number is due
			continue
		}
		switch r.layout.columns[i] {
		case references:
			l.Refs, _ = refdes.Parse(cell)
			listed = cell
		case quantity:
			stated = cell
		case value:
			l.Value = cell
		case unit:
			measure = cell
		case footprint:
			l.Footprint = cell
		case partNumber:
			r.partNumbers(&l, cell)
		case alternateNumber:
			l.alternates(cell)
		case makerAndNumber:
			l.Manufacturer, l.MPN = splitMaker(cell)
		case manufacturer:
			l.Manufacturer = cell
		case fabCode:
			l.FabCode = fabCodeIn(cell)
		case distributorA:
			l.DistributorA = oneWord(cell)
		case distributorB:
			l.DistributorB = oneWord(cell)
		case description:
			l.Description = cell
			l.remark(cell)
		case leftOut:
			r.fitting(&l, cell, true)
		case fitted:
			r.fitting(&l, cell, false)
		case supplier:
			supplierName = cell
		case supplierNumber:
			number = cell
		case rated:
			l.Description = strings.TrimSpace(l.Description + " " + cell)
		default:
			l.field(r.layout.names[i], cell)
			l.remark(cell)
		}
	}
	l.supplied(supplierName, number)
	l.measure(measure)
	l.Tidy()
	r.references(&l, listed, stated)
	r.quantity(&l, stated)
	return l
}

// namesPart are the columns that name a part: a mark not to fit it stands there, too.
var namesPart = map[column]bool{fabCode: true, distributorA: true, distributorB: true, supplierNumber: true}

// whole are the cells of a row. A list of designators that stands without quotes
// in a file whose delimiter is the comma is put together again; what a merged
// cell of a spreadsheet says holds for all its rows.
func (r *reader) whole(row table.Row) []string {
	cells := row.Cells
	for i, c := range r.layout.columns {
		if above := row.Merged[i]; above != "" && c != references && c != quantity {
			cells = slices.Grow(slices.Clone(cells), 1)
			for len(cells) <= i {
				cells = append(cells, "")
			}
			cells[i] = above
		}
	}
	for len(cells) > len(r.layout.columns) && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return r.joined(cells)
}

// joined puts a torn list of designators together; the quantity has to agree.
func (r *reader) joined(cells []string) []string {
	at, more := slices.Index(r.layout.columns, references), len(cells)-len(r.layout.columns)
	if at < 0 || more <= 0 || slices.ContainsFunc(cells[at:at+more+1], func(c string) bool { return !designators(c) }) {
		return cells
	}
	list := strings.Join(cells[at:at+more+1], ",")
	out := slices.Concat(cells[:at], []string{list}, cells[at+more+1:])
	refs, _ := refdes.Parse(list)
	if n, ok := count(r.stated(table.Row{Cells: out}, quantity), len(refs)); !ok || n != len(refs) {
		return cells
	}
	return out
}

// designators reports whether a cell has nothing but designators.
func designators(cell string) bool {
	refs, odd := refdes.Parse(cell)
	return len(refs) > 0 && len(odd) == 0 && !slices.ContainsFunc(refs, func(ref string) bool { return !refdes.Is(ref) })
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

// fitting reads a cell that says whether the part is fitted.
func (r *reader) fitting(l *Line, cell string, marksLeftOut bool) {
	out, clear := fitting.Read(cell, marksLeftOut)
	l.DNP = l.DNP || out
	if !clear {
		r.note(Note{Code: FitUnclear, Row: l.Row, Text: cell})
	}
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// notNumber are what people write where there is no part number.
var notNumber = set("na none tbd any generic various nc misc dnp dnf dni std standard unknown notapplicable " +
	"res resistor cap capacitor ind inductor ferrite bead diode led transistor crystal connector header fuse switch jumper")

// unfilled are values of places that stay empty.
var unfilled = set("open empty leer vide vacío vacio vuoto")

// remark takes a note that says nothing else than that the part is not fitted.
func (l *Line) remark(cell string) {
	if len(table.Plain(cell)) > 2 && fitting.Denied(cell) {
		l.DNP = true
	}
}

func (l *Line) field(name, cell string) {
	if l.Fields == nil {
		l.Fields = map[string]string{}
	}
	if len(l.Fields) < 40 {
		l.Fields[name] = cell
	}
}

// supplied files a supplier's number by the supplier's name; the fabricator's
// codes are known by their form.
func (l *Line) supplied(name, number string) {
	switch n := table.Plain(name); {
	case number == "" && name == "":
	case strings.Contains(n, "digikey") || n == "dk":
		l.DistributorA = firstOf(l.DistributorA, oneWord(number))
	case strings.Contains(n, "mouser"):
		l.DistributorB = firstOf(l.DistributorB, oneWord(number))
	case strings.Contains(n, "lcsc") || strings.Contains(n, "jlc") || n == "" && fabCodeIn(number) == number:
		l.FabCode = firstOf(l.FabCode, fabCodeIn(number))
	default:
		if name != "" {
			l.field("supplier", name)
		}
		if number != "" {
			l.field("supplier_number", number)
		}
	}
}

// longFabCode and shortFabCode are codes of the fabricator's library. No manufacturer's
// number has the form of the first; of the second are transistors, too: C945, C5551.
var (
	longFabCode  = regexp.MustCompile(`^[Cc][0-9]{5,9}$`)
	shortFabCode = regexp.MustCompile(`^[Cc][0-9]{3,4}$`)
)

// codeAsNumber reports whether the line's part number is a code of the fabricator's
// library: a short one, where its place is for a part that is no transistor.
func (l *Line) codeAsNumber() bool {
	number := strings.TrimSpace(l.MPN)
	if l.FabCode != "" || !shortFabCode.MatchString(number) {
		return l.FabCode == "" && longFabCode.MatchString(number)
	}
	place := passive.Line{Value: l.Value, Footprint: l.Footprint, Description: l.Description}
	if len(l.Refs) > 0 {
		place.Ref = l.Refs[0]
	}
	return l.Manufacturer == "" && passive.KindOf(place) != ""
}

// Tidy moves what stands in the wrong place: a do-not-fit mark in the value, a
// manufacturer before the number, a part number as comment, the fabricator's code among
// the manufacturers' numbers.
func (l *Line) Tidy() {
	if fitting.DeniedIn(l.Value) || fitting.Denied(l.Value) || unfilled[table.Plain(l.Value)] {
		l.DNP = true
	}
	l.namesValue()
	switch w := table.Plain(l.MPN); {
	case fitting.Denied(l.MPN):
		l.DNP, l.MPN = true, ""
	case w == "" || notNumber[w]:
		l.MPN = ""
	case l.codeAsNumber():
		l.FabCode, l.MPN = fabCodeIn(l.MPN), ""
	}
	if l.MPN == "" {
		l.fromValue()
	}
	if l.Manufacturer != "" {
		l.MPN = strings.TrimPrefix(l.MPN, l.Manufacturer+" ")
	}
}

// bareNumber is a value whose unit stands elsewhere, and valueUnit such a unit; "pcs" is none.
var (
	bareNumber = regexp.MustCompile(`^[0-9]+(?:[.,][0-9]+)?$`)
	valueUnit  = regexp.MustCompile(`^(?:[pnuµμmkKMG]?(?:[oO]hms?|OHMS?|Ω|Ω|F|H|R)|[pnuµμkKM])$`)
)

// measure puts the unit behind a value that has none.
func (l *Line) measure(unit string) {
	if bareNumber.MatchString(l.Value) && valueUnit.MatchString(unit) {
		l.Value += " " + unit
	}
}

// namesValue moves a specification that stands where a number is due: "any 10k 0603 1%".
func (l *Line) namesValue() {
	if l.Value != "" || !strings.Contains(strings.TrimSpace(l.MPN), " ") {
		return
	}
	place := passive.Line{Value: l.MPN, Footprint: l.Footprint, Description: l.Description}
	if len(l.Refs) > 0 {
		place.Ref = l.Refs[0]
	}
	if s, unread, ok := passive.Words(place); ok && s.Size != "" && len(unread.Value) == 0 {
		l.Value, l.MPN = l.MPN, ""
	}
}

// makerPrefix is how some libraries write comments: Yageo_RC0402FR-0710KL.
var makerPrefix = regexp.MustCompile(`^([A-Z][A-Za-z.&, -]{1,40})_([A-Za-z0-9][A-Za-z0-9./+-]{3,40})$`)

func (l *Line) fromValue() {
	m := makerPrefix.FindStringSubmatch(l.Value)
	if m == nil {
		return
	}
	if _, ok := maker.Known(m[1]); !ok {
		return
	}
	if l.Manufacturer == "" {
		l.Manufacturer = m[1]
	}
	l.MPN = m[2]
}

// splitMaker parts "YAGEO CC0402KRX7R7BB104" at its last space.
func splitMaker(cell string) (maker, number string) {
	i := strings.LastIndexByte(cell, ' ')
	if i < 0 {
		return "", cell
	}
	return cell[:i], cell[i+1:]
}

var fabCodeForm = regexp.MustCompile(`(?:^|[^A-Za-z0-9])([Cc][0-9]{1,9})(?:[^A-Za-z0-9]|$)`)

// fabCodeIn finds a code of the fabricator's library, also in a link to it.
func fabCodeIn(cell string) string {
	if m := fabCodeForm.FindStringSubmatch(strings.ReplaceAll(cell, "_", " ")); m != nil {
		return strings.ToUpper(m[1])
	}
	return ""
}

// oneWord takes a supplier's number; a link or a sentence is none.
func oneWord(cell string) string {
	if len(cell) > 60 || strings.ContainsAny(cell, " /\n") && strings.Contains(cell, "//") || notNumber[table.Plain(cell)] {
		return ""
	}
	first, _, _ := strings.Cut(cell, "\n")
	return first
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// Fields files the named fields of a design tool's part where a line has a place
// for them, and keeps the rest.
func Fields(l *Line, fields map[string]string) {
	names := slices.Sorted(maps.Keys(fields))
	supplierName, number := "", ""
	for _, name := range names {
		cell := foreigntext.Clean(fields[name])
		if cell == "" || cell == "~" {
			continue
		}
		if table.Plain(name) == "part" { // ODB++ and IPC-2581 name the library's entry so
			l.field(name, cell)
			continue
		}
		switch columnOf(name) {
		case fabCode:
			l.FabCode = firstOf(l.FabCode, fabCodeIn(cell))
		case distributorA:
			l.DistributorA = firstOf(l.DistributorA, oneWord(cell))
		case distributorB:
			l.DistributorB = firstOf(l.DistributorB, oneWord(cell))
		case partNumber, anyNumber:
			if l.MPN == "" {
				l.partNumbers(cell)
			}
		case alternateNumber:
			l.alternates(cell)
		case manufacturer:
			l.Manufacturer = firstOf(l.Manufacturer, cell)
		case supplier:
			supplierName = cell
		case supplierNumber:
			number = cell
		case rated:
			l.Description = strings.TrimSpace(l.Description + " " + cell)
		default:
			l.field(name, cell)
		}
	}
	l.supplied(supplierName, number)
	l.Tidy()
}
