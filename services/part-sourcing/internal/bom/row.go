package bom

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/services/part-sourcing/internal/fitting"
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
		if sums[table.Plain(r.cellOf(row, references))] {
			continue
		}
		if mark := loneCell(row); mark != "" && r.cellOf(row, references) == "" && fitting.BeginsWithDenial(mark) {
			r.note(Note{Code: OddReference, Row: row.Line, Text: mark})
			r.out = true
			continue
		}
		l := r.line(row)
		l.DNP = l.DNP || r.out
		if refs += len(l.Refs); refs > maxRefs {
			r.note(Note{Code: ListCut, Row: l.Row})
			return
		}
		switch {
		case r.cellOf(row, references) == "" && r.cellOf(row, quantity) == "" && r.alternate(l):
		case r.title(l):
			r.note(Note{Code: OddReference, Row: l.Row, Text: strings.Join(l.Refs, " ")})
			r.out = fitting.ContainsDenial(r.cellOf(row, references))
		case len(l.Refs) == 0 && !l.Exact() && l.Value == "":
		case len(l.Refs) == 0 && r.layout.has(references):
			r.note(Note{Code: NoReferences, Row: l.Row, Text: cmp.Or(l.MPN, l.Value, l.Description)})
		default:
			r.list.Lines = append(r.list.Lines, l)
			if row.Hidden {
				r.note(Note{Code: RowHidden, Row: l.Row})
			}
		}
	}
}

// cellOf is what a row has in a column, "" where there is no such column.
func (r *reader) cellOf(row table.Row, c column) string {
	return row.Cell(slices.Index(r.layout.columns, c))
}

// sums are what stands where designators are due in the row that counts all parts.
var sums = set("total totals grandtotal subtotal sum summe gesamt gesamtsumme somme totaal totale suma razem итого всего 合计 合計 总计 總計 計")

// loneCell is what a row of one filled cell has; "" of every other.
func loneCell(row table.Row) (only string) {
	for _, cell := range row.Cells {
		if cell != "" && only != "" {
			return ""
		}
		only += cell
	}
	if len(row.Merged) > 0 {
		return ""
	}
	return only
}

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
	supplierName, number, stated, listed, measure, entry := "", "", "", "", "", ""
	for i, cell := range r.whole(row) {
		if i >= len(r.layout.columns) || cell == "" || cell == "~" || cell == "-" || cell == "_" {
			continue
		}
		if namesPart[r.layout.columns[i]] && fitting.IsDenied(cell) && len(table.Plain(cell)) > 2 {
			l.DNP = true // where its number is due
			continue
		}
		switch r.layout.columns[i] {
		case references:
			listed = l.Unmark(cell)
			l.Refs, _ = refdes.Parse(listed)
		case quantity:
			stated = cell
		case value:
			l.Value = cell
		case unit:
			measure = cell
		case footprint:
			l.Footprint = cell
			l.DNP = l.DNP || fitting.EndsInDenial(cell)
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
		case distributorCode:
			l.Codes = l.Codes.Add(distributorOf(r.layout.names[i]), parseSupplierNumber(cell))
		case description:
			l.Description = strings.TrimSpace(cell + " " + l.Description) // ratings may stand before it
			l.remark(cell)
			l.DNP = l.DNP || fitting.EndsInDenial(cell)
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
		case device:
			entry = cell
		default:
			l.field(r.layout.names[i], cell)
			l.remark(cell)
			l.note(r.layout.names[i], cell)
		}
	}
	l.Description = cmp.Or(l.Description, entry)
	l.addSupplierNumber(supplierName, number)
	l.measure(measure)
	l.Tidy()
	r.references(&l, listed, stated)
	r.quantity(&l, stated)
	return l
}

// namesPart are the columns that name a part, its maker or how it is: a mark not to fit it
// stands there, too.
var namesPart = map[column]bool{fabCode: true, distributorCode: true, supplierNumber: true, supplier: true, manufacturer: true, rated: true, device: true, footprint: true}

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
	return r.joinTornRefs(cells)
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

// remark takes a note that says nothing else than that the part is not fitted.
func (l *Line) remark(cell string) {
	if len(table.Plain(cell)) > 2 && fitting.IsDenied(cell) {
		l.DNP = true
	}
}

// noteHeadings are of columns for whatever people write, and countHeadings of those that
// say how many are fitted, or whether.
var (
	noteHeadings  = set("note notes remark remarks comments bemerkung bemerkungen remarque remarques nota notas 备注 備考")
	countHeadings = set("load loaded stuff stuffed stuffing qtyfitted fittedqty quantityfitted qtyloaded qtymounted")
)

// note takes what a column says of fitting whose heading tells that it may.
func (l *Line) note(heading, cell string) {
	switch name := table.Plain(heading); {
	case noteHeadings[name]:
		l.DNP = l.DNP || fitting.IsDeniedInShort(cell) || fitting.BeginsWithDenial(cell)
	case countHeadings[name]:
		out, clear := fitting.Read(cell, false)
		l.DNP = l.DNP || clear && out
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

// Fields files the named fields of a design tool's part where a line has a place
// for them, and keeps the rest.
func Fields(l *Line, fields map[string]string) {
	names := slices.Sorted(maps.Keys(fields))
	supplierName, number := "", ""
	for _, name := range names {
		cell := untrusted.Clean(fields[name])
		if cell == "" || cell == "~" {
			continue
		}
		if table.Plain(name) == "part" { // ODB++ and IPC-2581 name the library's entry so
			l.field(name, cell)
			continue
		}
		switch columnOf(name) {
		case fabCode:
			l.FabCode = cmp.Or(l.FabCode, fabCodeIn(cell))
		case distributorCode:
			l.Codes = l.Codes.Add(distributorOf(name), parseSupplierNumber(cell))
		case partNumber, anyNumber:
			if l.MPN == "" {
				l.partNumbers(cell)
			}
		case alternateNumber:
			l.alternates(cell)
		case manufacturer:
			l.Manufacturer = cmp.Or(l.Manufacturer, cell)
		case supplier:
			supplierName = cell
		case supplierNumber:
			number = cell
		case rated, device:
			l.Description = strings.TrimSpace(l.Description + " " + cell)
		default:
			if namesFab(name) && isFabCode(cell) {
				l.FabCode = cmp.Or(l.FabCode, fabCodeIn(cell))
				continue
			}
			l.field(name, cell)
		}
	}
	l.addSupplierNumber(supplierName, number)
	l.Tidy()
}
