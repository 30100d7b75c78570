package table

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// maxUnpacked is how much of a workbook is unpacked, all its parts together: a
// hundred times what a long bill of materials needs.
const maxUnpacked = 16 << 20

// maxStrings bounds the shared strings.
const maxStrings = 200_000

// A workbook is a spreadsheet that is an archive and is being read.
type workbook struct {
	files   map[string]*zip.File
	left    int64 // bytes that may still be unpacked
	strings []string
	formats []string // of cells, by their style: "0000", "yyyy-mm-dd"
	epoch   epoch
	cells   int // of all sheets, empty ones between others too
}

// readZipped reads a spreadsheet that is an archive: XLSX, or OpenDocument.
func readZipped(data []byte) ([]Sheet, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	w := &workbook{files: map[string]*zip.File{}, left: maxUnpacked}
	for _, f := range z.File[:min(len(z.File), 2000)] {
		w.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	book, ok := w.files["xl/workbook.xml"]
	if !ok {
		if content := w.files[odsContent]; content != nil {
			return w.readODS(content)
		}
		return nil, ErrNotTable
	}
	sheets, err := w.sheets(book)
	if err != nil && !errors.Is(err, ErrNotTable) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return sheets, err
}

func (w *workbook) sheets(book *zip.File) ([]Sheet, error) {
	if f := w.files["xl/sharedStrings.xml"]; f != nil {
		if err := w.readPart(f, w.readSharedStrings); err != nil {
			return nil, err
		}
	}
	if f := w.files["xl/styles.xml"]; f != nil {
		if err := w.readPart(f, w.styles); err != nil {
			return nil, err
		}
	}
	targets := map[string]string{}
	if f := w.files["xl/_rels/workbook.xml.rels"]; f != nil {
		if err := w.readPart(f, func(d *xml.Decoder) error { return relations(d, targets) }); err != nil {
			return nil, err
		}
	}
	var listed []listedSheet
	if err := w.readPart(book, func(d *xml.Decoder) (err error) { listed, err = w.sheetList(d); return err }); err != nil {
		return nil, err
	}
	var out []Sheet
	for _, l := range listed[:min(len(listed), 20)] {
		f := w.files[part(targets[l.id])]
		if f == nil || l.hidden {
			continue
		}
		s := Sheet{Name: l.name}
		if err := w.readPart(f, func(d *xml.Decoder) error { return w.rows(d, &s) }); err != nil {
			return nil, err
		}
		if len(s.Rows) > 0 {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, ErrNotTable
	}
	return out, nil
}

// part is the name in the archive of a relation's target.
func part(target string) string {
	if strings.HasPrefix(target, "/") {
		return target[1:]
	}
	return path.Join("xl", target)
}

// readPart gives a part of the workbook to read, within what may be unpacked.
func (w *workbook) readPart(f *zip.File, read func(*xml.Decoder) error) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	counted := &countingReader{r: r, left: &w.left}
	err = read(xml.NewDecoder(counted))
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// errTooLong says that a workbook unpacks to more than is read.
var errTooLong = errors.New("it unpacks to more than a table needs")

type countingReader struct {
	r    io.Reader
	left *int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if *c.left -= int64(n); *c.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func relations(d *xml.Decoder, targets map[string]string) error {
	return elements(d, func(e xml.StartElement) error {
		if e.Name.Local == "Relationship" {
			targets[attr(e, "Id")] = attr(e, "Target")
		}
		return nil
	})
}

type listedSheet struct {
	name, id string
	hidden   bool
}

func (w *workbook) sheetList(d *xml.Decoder) (out []listedSheet, err error) {
	err = elements(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			if v := attr(e, "date1904"); v == "1" || v == "true" || v == "on" {
				w.epoch = since1904
			}
		case "sheet":
			out = append(out, listedSheet{attr(e, "name"), attr(e, "id"), strings.Contains(strings.ToLower(attr(e, "state")), "hidden")})
		}
		return nil
	})
	return out, err
}

// elements calls f at the beginning of every element.
func elements(d *xml.Decoder, f func(xml.StartElement) error) error {
	for {
		t, err := d.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := f(e); err != nil {
				return err
			}
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (w *workbook) readSharedStrings(d *xml.Decoder) error {
	return elements(d, func(e xml.StartElement) error {
		if e.Name.Local != "si" || len(w.strings) == maxStrings {
			return nil
		}
		text, err := richText(d, "si")
		w.strings = append(w.strings, text)
		return err
	})
}

// richText joins the text of an element up to its end, without the phonetic
// guides.
func richText(d *xml.Decoder, until string) (string, error) {
	var b strings.Builder
	inside, phonetic := false, 0
	for {
		t, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			inside = t.Name.Local == "t"
			if t.Name.Local == "rPh" {
				phonetic++
			}
		case xml.EndElement:
			inside = false
			switch t.Name.Local {
			case "rPh":
				phonetic--
			case until:
				return tidy(b.String()), nil
			}
		case xml.CharData:
			if inside && phonetic == 0 && b.Len() < maxCell {
				b.Write(t)
			}
		}
	}
}

// rows reads the rows of a sheet.
func (w *workbook) rows(d *xml.Decoder, s *Sheet) error {
	var row Row
	flush := func() {
		if strings.Join(row.Cells, "") != "" {
			s.Rows = append(s.Rows, row)
		}
		row = Row{Line: row.Line + 1}
	}
	var merged []block
	err := elements(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "mergeCell":
			if b, ok := blockOf(attr(e, "ref")); ok && len(merged) < maxMerged {
				merged = append(merged, b)
			}
		case "row":
			flush()
			hidden := attr(e, "hidden")
			row.Hidden = hidden == "1" || hidden == "true"
			if n, err := strconv.Atoi(attr(e, "r")); err == nil && n > 0 {
				row.Line = n
			}
		case "c":
			if w.cells++; w.cells > maxCells || len(s.Rows) >= maxRows {
				s.Cut = true
				return io.EOF
			}
			return w.cell(d, e, &row)
		}
		return nil
	})
	flush()
	s.merge(merged)
	return err
}

// maxColumns is more than any tool writes.
const maxColumns = 500

func (w *workbook) cell(d *xml.Decoder, e xml.StartElement, row *Row) error {
	var c struct {
		Value  string `xml:"v"`
		Inline struct {
			Text string `xml:"t"`
			Runs []struct {
				Text string `xml:"t"`
			} `xml:"r"`
		} `xml:"is"`
	}
	if err := d.DecodeElement(&c, &e); err != nil {
		return err
	}
	at := column(attr(e, "r"))
	if at < 0 {
		at = len(row.Cells)
	}
	if at >= maxColumns {
		return nil
	}
	for len(row.Cells) <= at {
		row.Cells = append(row.Cells, "")
		w.cells++
	}
	switch attr(e, "t") {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(c.Value)); err == nil && n >= 0 && n < len(w.strings) {
			row.Cells[at] = w.strings[n]
		}
	case "inlineStr":
		for _, r := range c.Inline.Runs {
			c.Inline.Text += r.Text
		}
		row.Cells[at] = tidy(c.Inline.Text)
	case "e":
	case "d": // a day, written as ISO 8601 has it
		row.Cells[at], _, _ = strings.Cut(tidy(c.Value), "T")
	case "str", "b":
		row.Cells[at] = tidy(c.Value)
	default:
		row.Cells[at] = w.displayText(c.Value, attr(e, "s"))
	}
	return nil
}

// column is the index that a reference such as "AB12" names; -1 for none.
func column(ref string) int {
	n := 0
	for i := 0; i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z' && i < 4; i++ {
		n = 26*n + int(ref[i]-'A') + 1
	}
	return n - 1
}

// maxDigits is how many characters a number has, at most, that is written without an exponent.
const maxDigits = 40

// number writes a number as the cell shows it: 1.0E+5 as 100000 and
// 130.93700000000001 as 130.937. One of more digits stays as it is.
func number(text string) string {
	text = tidy(text)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if plain := strconv.FormatFloat(v, 'f', -1, 64); len(plain) <= maxDigits {
		return plain
	}
	return text
}
