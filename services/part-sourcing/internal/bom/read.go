package bom

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// ErrNotBOM says that a file is a table, but no bill of materials, and ErrNoParts that
// it has the headings of one and no line below them.
var (
	ErrNotBOM  = errors.New("no column names designators or part numbers")
	ErrNoParts = errors.New("headings, and no line of a part below them")
)

// MaxLines is how many lines a list may have.
const MaxLines = 300

// headRows is how far down the headings may stand.
const headRows = 80

// Read reads a bill of materials: CSV and other text, XLSX or XLS, of which it takes
// the sheet that looks most like one. The error is one of package table, ErrNotBOM or
// ErrNoParts.
func Read(name string, data []byte) (List, error) { return ReadSheet(name, data, "") }

// ReadSheet is [Read] that takes the sheet of that name, where the file has one that is a
// list.
func ReadSheet(name string, data []byte, sheet string) (List, error) {
	sheets, err := table.Read(name, data)
	if err != nil {
		return List{}, err
	}
	var best List
	var lists []List
	found := false
	named := false
	for _, s := range sheets {
		l, ok := readSheet(s)
		if ok && !l.Positions {
			lists = append(lists, l)
		}
		if is := ok && sheet != "" && IsNamed(s.Name, sheet); is && !named || ok && !named && (!found || l.outranks(&best)) {
			best, found, named = l, true, named || is
		}
	}
	for i := range lists {
		best.Sheets = append(best.Sheets, lists[i].Sheet)
	}
	if !found && slices.ContainsFunc(sheets, func(s table.Sheet) bool { return len(sectionsOf(s.Rows)) > 0 }) {
		return List{}, ErrNoParts
	}
	if !found {
		return List{}, ErrNotBOM
	}
	if !named && slices.ContainsFunc(lists, func(l List) bool { return len(l.refsInOrder()) > 0 && !sameRefs(l, best) }) {
		best.Notes = append(best.Notes, Note{Code: SheetsUnread})
	}
	best.File = name
	return best, nil
}

// IsNamed compares what a sheet is called with what somebody calls it.
func IsNamed(sheet, name string) bool {
	return strings.EqualFold(strings.TrimSpace(sheet), strings.TrimSpace(name))
}

// outranks prefers a list that gives no positions, then the longer one.
func (l *List) outranks(than *List) bool {
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
	l = layout{names: stripComment(rows, at)}
	for _, cell := range l.names {
		c := columnOf(cell)
		if c != other && c != noteColumn && c != rated && c != distributorCode && slices.Contains(l.columns, c) {
			c = other // the first of two wins
		}
		l.columns = append(l.columns, c)
		if c != other && c != noteColumn {
			l.score++
		}
	}
	l.findReferences(rows[at+1:])
	l.findValue(rows[at+1:])
	l.findNumbers(rows[at+1:])
	named := l.has(references) || (l.has(partNumber) || l.has(anyNumber)) && l.has(quantity)
	return l, named && l.score >= 2
}

// stripComment are the cells of a row, less the mark of a comment that KiCad puts
// before its headings: the rows below begin with a designator instead.
func stripComment(rows []table.Row, at int) []string {
	cells := rows[at].Cells
	if len(cells) > 1 && cells[0] == "#" && at+1 < len(rows) && refdes.Is(rows[at+1].Cell(0)) {
		return cells[1:]
	}
	return cells
}

// maybeReferences are headings of which only the cells tell whether they are of
// designators, as in EAGLE's lists, or of what the parts are.
var maybeReferences = set("name names part parts component components identifier identifiers label labels placelabels labelonpcb positionsonboard item items id ids symbol symbols")

// findReferences looks for the column of designators. A heading that names them counts
// unless its cells are none and those of another column are.
func (l *layout) findReferences(rows []table.Row) {
	named := slices.Index(l.columns, references)
	if named >= 0 && holdsDesignators(rows, named) {
		return
	}
	for _, may := range []func(i int) bool{
		func(i int) bool { return columnOf(l.names[i]) == references && holdsDesignators(rows, i) },
		func(i int) bool {
			return maybeReferences[table.Plain(l.names[i])] && holdsDesignators(rows, i) && (named < 0 || holdsUsualDesignators(rows, i))
		},
		func(i int) bool { return l.announces() && l.open(i) && holdsUsualDesignators(rows, i) },
	} {
		for i := range l.names {
			if i != named && may(i) {
				l.setReferences(i, named, rows)
				return
			}
		}
	}
}

// announces reports whether half the cells of the row are headings, two at least.
func (l *layout) announces() bool {
	filled, known := 0, 0
	for i, name := range l.names {
		if name != "" {
			filled++
		}
		if l.columns[i] != other {
			known++
		}
	}
	return known >= 2 && 2*known >= filled
}

// open reports whether a column may be of designators by its heading: one that is not
// known, or names the part.
func (l *layout) open(i int) bool {
	return slices.Contains([]column{other, value, description}, l.columns[i]) && l.names[i] != "" && !refdes.Is(l.names[i])
}

// findValue takes of several columns that are headed as the value one that has numbers,
// where the first has none: it names kinds of parts then.
func (l *layout) findValue(rows []table.Row) {
	first := slices.Index(l.columns, value)
	if first >= 0 && table.ColumnHolds(rows, first, hasDigit) {
		return
	}
	for i, name := range l.names {
		if l.columns[i] != other || columnOf(name) != value || first >= 0 && !table.ColumnHolds(rows, i, hasDigit) {
			continue
		}
		l.columns[i] = value
		if first >= 0 {
			l.columns[first] = other
			if !l.has(description) {
				l.columns[first] = description
			}
		}
		return
	}
}

// findNumbers takes columns for what their cells are where no heading says which column
// has it: codes of the fabricator's library, and numbers below a heading that has a maker
// in another column already, as MF and MFN have.
func (l *layout) findNumbers(rows []table.Row) {
	for i, name := range l.names {
		if l.columns[i] != other || name == "" {
			continue
		}
		switch {
		case !l.has(fabCode) && holdsCodes(rows, i, name):
			l.columns[i] = fabCode
			l.score++
		case !l.has(partNumber) && !l.has(anyNumber) && columnOf(name) == manufacturer && table.ColumnHolds(rows, i, mpn.Looks):
			l.columns[i] = partNumber
			l.score++
		}
	}
}

// holdsCodes reports whether the cells of a column are codes of the fabricator's library.
// Short ones may be transistors, unless the heading or a longer one says what they are.
func holdsCodes(rows []table.Row, i int, heading string) bool {
	if !table.ColumnHolds(rows, i, isFabCode) {
		return false
	}
	if namesFab(heading) {
		return true
	}
	return slices.ContainsFunc(rows, func(r table.Row) bool { return longFabCode.MatchString(r.Cell(i)) })
}

// findUnusedNumbers are the headings of columns that are not read and whose cells look like
// part numbers, in a list that has them nowhere else.
func (l *layout) findUnusedNumbers(rows []table.Row) []string {
	var out []string
	for _, c := range []column{partNumber, anyNumber, makerAndNumber, fabCode, distributorCode} {
		if l.has(c) {
			return nil
		}
	}
	for i, name := range l.names {
		if l.columns[i] == other && name != "" && columnOf(name) == other && !familiar[table.Plain(name)] && table.ColumnHolds(rows, i, numberAlone) {
			out = append(out, name)
		}
	}
	return out
}

// familiar are headings of columns whose cells look like part numbers and are none: names
// of a design tool's libraries, of models, of sheets.
var familiar = set("device library lib libname model 3dmodel sheet sheetname sheetpath path uuid symbol pattern deviceset value2 ipn internalpartnumber itemnumber")

// numberAlone reports whether a cell is a part number, and neither a value, a date, a land
// pattern nor a path.
func numberAlone(cell string) bool {
	return mpn.Looks(cell) && len(cell) >= 8 && !strings.ContainsAny(cell, "/:_") && hasDigit(cell) && strings.ContainsAny(cell, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

func hasDigit(cell string) bool { return strings.ContainsAny(cell, "0123456789") }

// setReferences makes a column that of the designators; one whose heading named them
// without any may be of part numbers, as "Référence" is.
func (l *layout) setReferences(i, instead int, rows []table.Row) {
	if l.columns[i] == other || l.columns[i] == noteColumn {
		l.score++
	}
	l.columns[i] = references
	switch {
	case instead < 0:
	case !l.has(anyNumber) && table.ColumnHolds(rows, instead, mpn.Looks):
		l.columns[instead] = anyNumber
	default:
		l.columns[instead] = other
		l.score--
	}
}

// holdsDesignators reports whether most cells of a column are lists of designators.
func holdsDesignators(rows []table.Row, column int) bool {
	return table.ColumnHolds(rows, column, designators)
}

// holdsUsualDesignators is the same of designators with the usual letters, which no part
// numbers have, none twice.
func holdsUsualDesignators(rows []table.Row, column int) bool {
	seen := map[string]bool{}
	return table.ColumnHolds(rows, column, func(cell string) bool {
		refs, odd := refdes.Parse(cell)
		again := slices.ContainsFunc(refs, func(ref string) bool { return seen[ref] || !refdes.Usual(ref) })
		for _, ref := range refs {
			seen[ref] = true
		}
		return len(refs) > 0 && len(odd) == 0 && !again
	})
}

// settleNumberColumn decides which column holds the manufacturer's numbers: the one that is
// headed so, or where that is mostly empty the one for numbers of any kind, too.
func (l layout) settleNumberColumn(rows []table.Row) layout {
	strong, weak := slices.Index(l.columns, partNumber), slices.Index(l.columns, anyNumber)
	if weak < 0 {
		return l
	}
	l.columns = slices.Clone(l.columns)
	if 2*countFilled(rows, strong) >= countFilled(rows, weak) {
		l.columns[weak] = other
		return l
	}
	l.columns[weak] = partNumber
	return l
}

func countFilled(rows []table.Row, column int) int {
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

// marks are what a cell of a table of variants says.
var marks = regexp.MustCompile(`^[xX✓✔●•✗×-]?$`)

// marksUnused reports whether several columns with unknown headings mark some lines and
// others not: the parts of variants.
func (l *layout) marksUnused(rows []table.Row) bool {
	columns := 0
	for i, name := range l.names {
		if l.columns[i] != other || name == "" {
			continue
		}
		marked, all := 0, true
		for _, row := range rows {
			cell := row.Cell(i)
			all = all && marks.MatchString(cell)
			if cell != "" && cell != "-" {
				marked++
			}
		}
		if all && marked > 0 {
			columns++
		}
	}
	return columns > 1
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

func readSheet(s table.Sheet) (List, bool) {
	sections := sectionsOf(s.Rows)
	if len(sections) == 0 {
		return List{}, false
	}
	var lists []List
	for _, sec := range sections {
		r := reader{layout: sec.layout.settleNumberColumn(sec.rows)}
		if sec.layout.marksUnused(sec.rows) {
			r.note(Note{Code: MarksUnused})
		}
		for _, name := range sec.layout.findUnusedNumbers(sec.rows) {
			r.note(Note{Code: NumbersUnused, Text: name})
		}
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
// fewer lines, stands for both. Other parts for the same designators are of another board.
func join(lists []List) List {
	out := lists[0]
	for _, l := range lists[1:] {
		switch {
		case len(l.Lines) == 0:
		case sameRefs(out, l) && !nameOthers(out, l):
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

// nameOthers reports whether two lists name different parts for some designator.
func nameOthers(a, b List) bool {
	on := map[string]*Line{}
	for i := range a.Lines {
		for _, ref := range a.Lines[i].Refs {
			on[ref] = &a.Lines[i]
		}
	}
	differ := func(x, y string) bool { return x != "" && y != "" && !strings.EqualFold(x, y) }
	return slices.ContainsFunc(b.Lines, func(l Line) bool {
		return slices.ContainsFunc(l.Refs, func(ref string) bool {
			other, ok := on[ref]
			return ok && (differ(other.Value, l.Value) || differ(other.MPN, l.MPN))
		})
	})
}

func sameRefs(a, b List) bool {
	return slices.Equal(a.refsInOrder(), b.refsInOrder())
}

func (l *List) refsInOrder() []string {
	var refs []string
	for i := range l.Lines {
		refs = append(refs, l.Lines[i].Refs...)
	}
	slices.Sort(refs)
	return refs
}
