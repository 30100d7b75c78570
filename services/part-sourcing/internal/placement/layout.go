package placement

import (
	"strings"

	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// findColumns looks for the row of headings.
func (r *reader) findColumns() bool {
	for i := range r.rows[:min(len(r.rows), headRows)] {
		cells := mergeWords(r.rows[i].Cells)
		columns, units := map[column]int{}, map[column]Unit{}
		var unit Unit
		for k, cell := range cells {
			c, u := columnOf(cell)
			if _, taken := columns[c]; !taken && c != other {
				columns[c], units[c] = k, u
				unit = chooseUnit(unit, u)
			}
		}
		if _, placed := columns[centreX]; placed {
			r.findReferences(cells, columns, i+1)
		}
		if usable(columns) {
			r.columns, r.start, r.unit, r.units, r.headed = columns, i+1, unit, units, true
			if k, ok := columns[rotation]; ok {
				r.radians = radians.MatchString(cells[k])
			}
			return true
		}
	}
	return false
}

// findReferences takes of columns that may be of designators the one whose cells are:
// one that is headed so, else one with a heading that nobody knows.
func (r *reader) findReferences(cells []string, columns map[column]int, below int) {
	named, ok := columns[reference]
	if ok && table.ColumnHolds(r.rows[below:], named, refdes.Usual) {
		return
	}
	for _, heading := range []column{reference, other} {
		for k, cell := range cells {
			if c, _ := columnOf(cell); c == heading && !(ok && k == named) && table.ColumnHolds(r.rows[below:], k, refdes.Usual) {
				columns[reference] = k
				return
			}
		}
	}
}

func usable(columns map[column]int) bool {
	has := func(c column) bool { _, ok := columns[c]; return ok }
	if !has(centreX) || !has(centreY) {
		if !has(otherX) || !has(otherY) {
			return false
		}
		columns[centreX], columns[centreY] = columns[otherX], columns[otherY]
	}
	return has(reference)
}

// mergeWords joins headings of two words that columns aligned with spaces tear
// apart, and takes off the mark of a comment.
func mergeWords(cells []string) []string {
	out := make([]string, 0, len(cells))
	for i := 0; i < len(cells); i++ {
		c := strings.TrimSpace(cells[i])
		if c == "#" || c == "!" {
			continue
		}
		if torn[c] && i+1 < len(cells) && (cells[i+1] == "X" || cells[i+1] == "Y") && precedes(cells, c, "X") && precedes(cells, c, "Y") {
			c += " " + cells[i+1]
			i++
		}
		out = append(out, c)
	}
	return out
}

// torn are first words of headings of two.
var torn = map[string]bool{"Mid": true, "Ref": true, "Pad": true, "Center": true, "Centre": true, "Pos": true}

// precedes reports whether one cell stands right before another somewhere: in
// "Ref X Y" the first is a heading of its own.
func precedes(cells []string, first, second string) bool {
	for i := range len(cells) - 1 {
		if strings.TrimSpace(cells[i]) == first && cells[i+1] == second {
			return true
		}
	}
	return false
}

// deniesCoordinates reports whether a row above says of a column that it holds something
// else than a coordinate: in a bill of materials "R1, 0402, 1, 120" is a package, a
// quantity and a value.
func (r *reader) deniesCoordinates(row int, columns ...int) bool {
	for _, above := range r.rows[:row] {
		for _, k := range columns {
			if k >= len(above.Cells) {
				continue
			}
			switch c, _ := columnOf(above.Cells[k]); c {
			case value, footprint, reference, side, rotation:
				return true
			}
		}
	}
	return false
}

// findPlaced gives the index of the first row that has a designator and a position in the
// columns that were found in a later one: a row may lack other cells.
func (r *reader) findPlaced(found int) int {
	for i, row := range r.rows[:found] {
		if refdes.Is(strings.TrimLeft(row.Cell(r.columns[reference]), "# ")) && areNumbers([]string{row.Cell(r.columns[centreX]), row.Cell(r.columns[centreY])}) {
			return i
		}
	}
	return found
}

func areNumbers(cells []string) bool {
	for _, c := range cells {
		if _, _, ok := number(c); !ok {
			return false
		}
	}
	return true
}
