package table

import "strings"

// single is the mark that some tools put cells in, where others have double ones.
// Spreadsheets also put one before a number that shall stay a text: '0603.
const single = '\''

// quoteOf finds which mark the cells of a text stand in. It is the single one only
// where cells are closed by it, none that begins with it is left open, and none
// stands in double ones.
func quoteOf(text string) byte {
	some := false
	for _, line := range headLines(text) {
		cells, ok := singleQuoted(strings.TrimRight(line, "\n"))
		if !ok {
			return '"'
		}
		some = some || cells > 0
	}
	if some {
		return single
	}
	return '"'
}

const delimiters = "\t;|!,:^~"

// singleQuoted counts a line's cells that stand in single marks, whatever delimits
// them. ok is false where one is not closed, or one stands in double marks.
func singleQuoted(line string) (cells int, ok bool) {
	for {
		line = strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(line, `"`):
			return cells, false
		case strings.HasPrefix(line, "'"):
			n := closing(line[1:])
			if n < 0 {
				return cells, false
			}
			cells++
			line = line[1+n:]
		}
		i := strings.IndexAny(line, delimiters)
		if i < 0 {
			return cells, true
		}
		line = line[i+1:]
	}
}

// closing finds what follows a cell that a single mark opened: behind the mark that
// closes it, -1 for none. Two marks are one that belongs to the cell.
func closing(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] != single {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], " ")
		switch {
		case rest == "" || strings.IndexByte(delimiters, rest[0]) >= 0:
			return i + 1
		case rest[0] == single:
			i++
		}
	}
	return -1
}
