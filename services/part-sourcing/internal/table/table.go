// Package table reads tables as people have them into rows of text: any
// delimiter, encoding and line end, columns aligned with spaces, and XLSX. What
// the columns mean is not its business.
package table

import (
	"bytes"
	"errors"
	"path"
	"strings"
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
	ErrOldExcel = errors.New("an Excel 97 workbook (.xls); save it as .xlsx or CSV")
	ErrNotTable = errors.New("not a table")
	ErrDamaged  = errors.New("a damaged spreadsheet")
)

var (
	zipMagic = []byte("PK\x03\x04")
	oleMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
)

// Read reads the tables of a file; name helps where the bytes leave a doubt.
func Read(name string, data []byte) ([]Sheet, error) {
	switch {
	case bytes.HasPrefix(data, zipMagic):
		sheets, err := readXLSX(data)
		for i := range sheets {
			sheets[i].divide()
		}
		return sheets, err
	case bytes.HasPrefix(data, oleMagic):
		return nil, ErrOldExcel
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
