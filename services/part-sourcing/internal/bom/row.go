package bom

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/foreigntext"
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

// title reports whether a row is a title or a sum: words where designators are due,
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
	supplierName, number, stated := "", "", ""
	for i, cell := range r.whole(row) {
		if i >= len(r.layout.columns) || cell == "" || cell == "~" || cell == "-" || cell == "_" {
			continue
		}
		switch r.layout.columns[i] {
		case references:
			r.references(&l, cell)
		case quantity:
			stated = cell
		case value:
			l.Value = cell
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
	l.tidy()
	r.quantity(&l, stated)
	return l
}

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

func (r *reader) references(l *Line, cell string) {
	refs, odd := refdes.Parse(cell)
	l.Refs = refs
	if len(odd) > 0 {
		r.note(Note{Code: OddReference, Row: l.Row, Text: strings.Join(odd, " ")})
	}
}

func (r *reader) quantity(l *Line, stated string) {
	l.Quantity = len(l.Refs)
	if stated == "" {
		return
	}
	n, ok := count(stated, len(l.Refs))
	switch {
	case !ok:
		l.Quantity = max(l.Quantity, 1)
		r.note(Note{Code: QuantityUnread, Row: l.Row, Text: stated})
	case len(l.Refs) == 0:
		l.Quantity = n
	case n == 0:
		l.DNP = true // none of it: to be asked about where it has a place
	case n != len(l.Refs):
		r.note(Note{Code: QuantityDiffers, Row: l.Row, Refs: l.Refs, Text: stated})
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
var notNumber = set("na none tbd any generic various nc misc dnp dnf dni std standard unknown notapplicable")

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

// tidy moves what stands in the wrong place: a do-not-fit mark in the value, a
// manufacturer before the number, a part number as comment.
func (l *Line) tidy() {
	if fitting.DeniedIn(l.Value) || fitting.Denied(l.Value) {
		l.DNP = true
	}
	switch w := table.Plain(l.MPN); {
	case fitting.Denied(l.MPN):
		l.DNP, l.MPN = true, ""
	case w == "" || notNumber[w]:
		l.MPN = ""
	}
	if l.MPN == "" {
		l.fromValue()
	}
	if l.Manufacturer != "" {
		l.MPN = strings.TrimPrefix(l.MPN, l.Manufacturer+" ")
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
	l.tidy()
}
