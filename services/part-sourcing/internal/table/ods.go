package table

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Parts of an OpenDocument spreadsheet: its tables, and how the others are packed.
const (
	odsContent  = "content.xml"
	odsManifest = "META-INF/manifest.xml"
)

// maxSheets is how many tables of a spreadsheet are read.
const maxSheets = 20

// A document is an OpenDocument spreadsheet that is being read.
type document struct {
	spreadsheet bool // and no text that has tables
	cells       int
	hidden      map[string]bool // styles of tables that are not shown
	sheets      []Sheet
}

// readODS reads the tables of an OpenDocument spreadsheet. Cells and rows that are repeated
// are written once in it, and as often as is given, of which a file may say millions: those
// without text take no room here.
func (w *workbook) readODS(content *zip.File) ([]Sheet, error) {
	if f := w.files[odsManifest]; f != nil {
		encrypted := false
		err := w.readPart(f, func(x *xml.Decoder) error {
			return elements(x, func(e xml.StartElement) error {
				encrypted = encrypted || e.Name.Local == "encryption-data"
				return nil
			})
		})
		if err == nil && encrypted {
			return nil, ErrProtected
		}
	}
	d := document{hidden: map[string]bool{}}
	if err := w.readPart(content, d.read); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(d.sheets) == 0 {
		return nil, ErrNotTable
	}
	return d.sheets, nil
}

func (d *document) read(x *xml.Decoder) error {
	style := ""
	return elements(x, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "style":
			style = attr(e, "name")
		case "table-properties":
			if attr(e, "display") == "false" {
				d.hidden[style] = true
			}
		case "spreadsheet":
			d.spreadsheet = true
		case "table":
			if d.spreadsheet {
				return d.table(x, e)
			}
		}
		return nil
	})
}

// table reads a table up to its end.
func (d *document) table(x *xml.Decoder, e xml.StartElement) error {
	s := Sheet{Name: attr(e, "name")}
	var row Row
	var merged []block
	line, times := 0, 1
	for {
		t, err := x.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "table-row":
				line += times
				times = repeatCount(t, "number-rows-repeated")
				visible := attr(t, "visibility")
				row = Row{Line: line, Hidden: visible == "collapse" || visible == "filter"}
			case "table-cell", "covered-table-cell":
				at := len(row.Cells)
				if err := d.cell(x, t, &row); err != nil {
					return err
				}
				if b, ok := spanOf(t, line, at); ok && len(merged) < maxMerged {
					merged = append(merged, b)
				}
			case "table": // within a cell
				if err := x.Skip(); err != nil {
					return err
				}
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "table-row":
				d.row(&s, row, times)
			case "table":
				s.merge(merged)
				if len(s.Rows) > 0 && len(d.sheets) < maxSheets && !d.hidden[attr(e, "style-name")] {
					d.sheets = append(d.sheets, s)
				}
				return nil
			}
		}
		if d.cells > maxCells || len(s.Rows) >= maxRows {
			s.Cut = true
			if len(d.sheets) < maxSheets {
				d.sheets = append(d.sheets, s)
			}
			return io.EOF
		}
	}
}

// row takes a row that has text as often as it is repeated; a blank one counts its lines
// only.
func (d *document) row(s *Sheet, row Row, times int) {
	for len(row.Cells) > 0 && row.Cells[len(row.Cells)-1] == "" {
		row.Cells = row.Cells[:len(row.Cells)-1]
	}
	if len(row.Cells) == 0 {
		return
	}
	for range times {
		if d.cells += len(row.Cells); d.cells > maxCells || len(s.Rows) >= maxRows {
			return
		}
		s.Rows = append(s.Rows, row)
		row.Line++
	}
}

// cell reads a cell, as often as it is repeated.
func (d *document) cell(x *xml.Decoder, e xml.StartElement, row *Row) error {
	text, err := d.text(x)
	if err != nil {
		return err
	}
	if attr(e, "value-type") == "float" && plainNumber(text) {
		text = number(attr(e, "value"))
	}
	if e.Name.Local == "covered-table-cell" {
		text = "" // another cell reaches over it
	}
	for range min(repeatCount(e, "number-columns-repeated"), maxColumns-len(row.Cells)) {
		row.Cells = append(row.Cells, text)
	}
	return nil
}

// plainNumber reports whether a cell shows a number with marks of its locale only, 1.000,5
// or 4,7, so that its value says the same and without them. What has a leading zero is a
// code, and what has a unit is shown so: 0603, 10 kΩ.
func plainNumber(text string) bool {
	if text == "" || len(text) > 1 && text[0] == '0' && digit(text[1]) {
		return false
	}
	return strings.Trim(text, "0123456789.,-+eE \u00a0\u202f'") == ""
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// text joins the paragraphs of a cell, without its comments and drawings.
func (d *document) text(x *xml.Decoder) (string, error) {
	var b strings.Builder
	depth, paragraphs := 1, 0
	for depth > 0 {
		t, err := x.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "annotation", "shape", "frame", "table":
				if err := x.Skip(); err != nil {
					return "", err
				}
				continue
			case "p":
				if paragraphs++; paragraphs > 1 && b.Len() < maxCell {
					b.WriteByte('\n')
				}
			case "line-break":
				b.WriteByte('\n')
			case "tab":
				b.WriteByte(' ')
			case "s":
				b.WriteString(strings.Repeat(" ", min(repeatCount(t, "c"), 100)))
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if paragraphs > 0 && b.Len() < maxCell {
				b.Write(t)
			}
		}
		if b.Len() > 2*maxCell {
			return "", errors.New("a cell is longer than is read")
		}
	}
	return tidy(b.String()), nil
}

// repeatCount is how often something stands; at least once.
func repeatCount(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(attr(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxRows)
}

// spanOf gives the block that a cell reaches over, where that is more than itself.
func spanOf(e xml.StartElement, line, column int) (block, bool) {
	rows := repeatCount(e, "number-rows-spanned")
	return block{column, line, line + rows - 1}, rows > 1 && column < maxColumns
}
