// Package table reads tables as people have them into rows of text: any
// delimiter, encoding and line end, columns aligned with spaces, XLSX, XLS and ODS. What
// the columns mean is not its business.
package table

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"boardorder/pkg/board/compound"
)

// Limits of what is read of one file. What is beyond them is left out; a file
// is never refused for its length alone.
const (
	maxRows  = 20_000
	maxCells = 400_000
	maxCell  = 20_000 // bytes
	maxText  = 8 << 20
)

// A Sheet is one table of a file.
type Sheet struct {
	Name string // of the spreadsheet's sheet; "" for text
	Rows []Row  // blank ones left out
	Cut  bool   // there is more than the limits let in
}

// A Row is one line of a table.
type Row struct {
	Line   int // in the file, from 1
	Cells  []string
	Merged map[int]string // by column, what a cell above says that reaches over this row
	Hidden bool           // the spreadsheet does not show it
}

// Cell gives a cell by its column, "" where the row is shorter.
func (r Row) Cell(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return r.Cells[column]
}

// fewCells are enough to tell what a column is of.
const fewCells = 60

// ColumnHolds reports whether more than half of the cells of a column that are filled are
// such.
func ColumnHolds(rows []Row, column int, such func(cell string) bool) bool {
	n, are := 0, 0
	for _, row := range rows {
		cell := row.Cell(column)
		if cell == "" {
			continue
		}
		if n++; n > fewCells {
			break
		}
		if such(cell) {
			are++
		}
	}
	return 2*are > n
}

// divide splits the rows of a sheet that was filled with a text file's lines, each
// in one cell.
func (s *Sheet) divide() {
	var text strings.Builder
	several := 0
	for _, r := range s.Rows {
		if len(r.Cells) > 1 {
			several++
		}
		text.WriteString(strings.ReplaceAll(r.Cell(0), "\n", " ") + "\n")
	}
	if len(s.Rows) < 2 || 10*several > len(s.Rows) || !strings.ContainsAny(text.String(), ",;\t") {
		return
	}
	rows, cut := split(text.String(), ".csv")
	for i := range rows {
		if n := rows[i].Line - 1; n < len(s.Rows) {
			rows[i].Line = s.Rows[n].Line
		}
	}
	s.Rows, s.Cut = rows, s.Cut || cut
}

// Errors of files that hold no table that can be read.
var (
	ErrOldExcel  = errors.New("a workbook of before Excel 97; save it as .xlsx or CSV")
	ErrProtected = errors.New("a workbook that a password protects")
	ErrNotTable  = errors.New("not a table")
	ErrDamaged   = errors.New("a damaged spreadsheet")
)

var zipMagic = []byte("PK\x03\x04")

// Read reads the tables of a file; name helps where the bytes leave a doubt.
func Read(name string, data []byte) ([]Sheet, error) {
	switch {
	case bytes.HasPrefix(data, zipMagic):
		sheets, err := readZipped(data)
		for i := range sheets {
			sheets[i].divide()
		}
		return sheets, err
	case bytes.HasPrefix(data, []byte(compound.Signature)):
		sheets, err := readXLS(data)
		for i := range sheets {
			sheets[i].divide()
		}
		return sheets, err
	}
	text, cut := Text(data)
	if strings.Count(text[:min(len(text), 4096)], "\x00") > 0 {
		return nil, ErrNotTable
	}
	rows, more := split(text, strings.ToLower(path.Ext(name)))
	if len(rows) == 0 {
		return nil, ErrNotTable
	}
	return []Sheet{{Rows: rows, Cut: cut || more}}, nil
}
