package bom

import (
	"errors"
	"slices"

	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// ErrNotBOM says that a file is a table, but no bill of materials, and ErrNoParts that
// it has the headings of one and no line below them.
var (
	ErrNotBOM  = errors.New("no column names designators or part numbers")
	ErrNoParts = errors.New("headings, and no line of a part below them")
)

// MostLines is how many lines a list may have.
const MostLines = 300

// headRows is how far down the headings may stand.
const headRows = 80

// Read reads a bill of materials: CSV and other text, or XLSX, of which it takes
// the sheet that looks most like one. The error is one of package table, ErrNotBOM or
// ErrNoParts.
func Read(name string, data []byte) (List, error) {
	sheets, err := table.Read(name, data)
	if err != nil {
		return List{}, err
	}
	var best List
	found := false
	for _, s := range sheets {
		l, ok := fromSheet(s)
		if ok && (!found || l.better(&best)) {
			best, found = l, true
		}
	}
	if !found && slices.ContainsFunc(sheets, func(s table.Sheet) bool { return len(sectionsOf(s.Rows)) > 0 }) {
		return List{}, ErrNoParts
	}
	if !found {
		return List{}, ErrNotBOM
	}
	best.File = name
	return best, nil
}

// better prefers a list that gives no positions, then the longer one.
func (l *List) better(than *List) bool {
	if l.Positions != than.Positions {
		return than.Positions
	}
	return len(l.Lines) > len(than.Lines)
}

// A layout is a row of headings.
type layout struct {
	columns []column
	names   []string
	score   int
}

func (l *layout) has(c column) bool { return slices.Contains(l.columns, c) }

// layoutOf reads a row as headings; ok is false for a row that is none.
func layoutOf(rows []table.Row, at int) (l layout, ok bool) {
	l = layout{names: uncommented(rows, at)}
	for _, cell := range l.names {
		c := columnOf(cell)
		if c != other && c != noted && c != rated && slices.Contains(l.columns, c) {
			c = other // the first of two wins
		}
		l.columns = append(l.columns, c)
		if c != other && c != noted {
			l.score++
		}
	}
	l.findReferences(rows[at+1:])
	named := l.has(references) || (l.has(partNumber) || l.has(anyNumber)) && l.has(quantity)
	return l, named && l.score >= 2
}

// uncommented are the cells of a row, less the mark of a comment that KiCad puts
// before its headings: the rows below begin with a designator instead.
func uncommented(rows []table.Row, at int) []string {
	cells := rows[at].Cells
	if len(cells) > 1 && cells[0] == "#" && at+1 < len(rows) && refdes.Is(rows[at+1].Cell(0)) {
		return cells[1:]
	}
	return cells
}

// maybeReferences are headings of which only the cells tell whether they are of
// designators, as in EAGLE's lists, or of what the parts are.
var maybeReferences = set("part parts component components identifier identifiers label labels placelabels labelonpcb positionsonboard")

// findReferences looks for a column of designators that no heading names surely.
func (l *layout) findReferences(rows []table.Row) {
	if l.has(references) {
		return
	}
	for i, name := range l.names {
		if maybeReferences[table.Plain(name)] && ofDesignators(rows, i) {
			if l.columns[i] == other || l.columns[i] == noted {
				l.score++
			}
			l.columns[i] = references
			return
		}
	}
}

// fewCells are enough to tell what a column is of.
const fewCells = 60

// ofDesignators reports whether most cells of a column are lists of designators.
func ofDesignators(rows []table.Row, column int) bool {
	n, are := 0, 0
	for _, row := range rows {
		cell := row.Cell(column)
		if cell == "" {
			continue
		}
		if n++; n > fewCells {
			break
		}
		refs, odd := refdes.Parse(cell)
		if len(odd) == 0 && len(refs) > 0 && !slices.ContainsFunc(refs, func(ref string) bool { return !refdes.Is(ref) }) {
			are++
		}
	}
	return 2*are > n
}

// settled decides which column holds the manufacturer's numbers: the one that is
// headed so, or where that is mostly empty the one for numbers of any kind, too.
func (l layout) settled(rows []table.Row) layout {
	strong, weak := slices.Index(l.columns, partNumber), slices.Index(l.columns, anyNumber)
	if weak < 0 {
		return l
	}
	l.columns = slices.Clone(l.columns)
	if 2*filled(rows, strong) >= filled(rows, weak) {
		l.columns[weak] = other
		return l
	}
	l.columns[weak] = partNumber
	return l
}

func filled(rows []table.Row, column int) int {
	n := 0
	for _, r := range rows {
		if table.Plain(r.Cell(column)) != "" {
			n++
		}
	}
	return n
}

// A section is a stretch of a table below one row of headings.
type section struct {
	layout layout
	rows   []table.Row
}

// sectionsOf cuts a table where headings come again: some tools list every part
// by itself and then all of them in groups.
func sectionsOf(rows []table.Row) []section {
	var out []section
	for i := range rows {
		switch {
		case len(out) > 0 && slices.Equal(rows[i].Cells, out[0].layout.names):
			out = append(out, section{layout: out[0].layout})
		case len(out) > 0 && headingsAlone(rows[i]):
			if l, ok := layoutOf(rows, i); ok {
				out = append(out, section{layout: l})
			}
		case len(out) > 0:
			last := &out[len(out)-1]
			last.rows = append(last.rows, rows[i])
		case i >= headRows:
			return nil
		default:
			if l, ok := layoutOf(rows, i); ok {
				out = append(out, section{layout: l})
			}
		}
	}
	return out
}

// headingsAlone reports whether a row has three cells at least and all of them are
// headings: another table begins.
func headingsAlone(row table.Row) bool {
	n := 0
	for _, cell := range row.Cells {
		if cell == "" {
			continue
		}
		if columnOf(cell) == other {
			return false
		}
		n++
	}
	return n >= 3
}

func fromSheet(s table.Sheet) (List, bool) {
	sections := sectionsOf(s.Rows)
	if len(sections) == 0 {
		return List{}, false
	}
	var lists []List
	for _, sec := range sections {
		r := reader{layout: sec.layout.settled(sec.rows)}
		r.read(sec.rows)
		lists = append(lists, r.list)
	}
	out := join(lists)
	out.Sheet = s.Name
	out.Positions = sections[0].layout.has(positionX) && sections[0].layout.has(positionY)
	if s.Cut {
		out.Notes = append(out.Notes, Note{Code: ListCut})
	}
	if len(out.Lines) == 0 {
		return List{}, false
	}
	return out, true
}

// join puts sections together; one that lists the same parts as another, in
// fewer lines, stands for both.
func join(lists []List) List {
	out := lists[0]
	for _, l := range lists[1:] {
		switch {
		case len(l.Lines) == 0:
		case sameRefs(out, l):
			if len(l.Lines) < len(out.Lines) {
				out = l
			}
		default:
			out.Lines = append(out.Lines, l.Lines...)
			out.Notes = append(out.Notes, l.Notes...)
		}
	}
	return out
}

func sameRefs(a, b List) bool {
	return slices.Equal(a.sortedRefs(), b.sortedRefs())
}

func (l *List) sortedRefs() []string {
	var refs []string
	for i := range l.Lines {
		refs = append(refs, l.Lines[i].Refs...)
	}
	slices.Sort(refs)
	return refs
}
