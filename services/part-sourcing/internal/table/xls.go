package table

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"boardorder/pkg/board/compound"
)

// Records of a workbook of Excel 97 to 2003, by Microsoft's [MS-XLS].
const (
	recordFormula    = 0x06
	recordEnd        = 0x0A
	recordEpoch      = 0x22
	recordPassword   = 0x2F
	recordContinue   = 0x3C
	recordSheet      = 0x85
	recordNumbers    = 0xBD // several, RK each
	recordMerged     = 0xE5
	recordStyle      = 0xE0
	recordStrings    = 0xFC
	recordSharedText = 0xFD
	recordNumber     = 0x203
	recordText       = 0x204
	recordResult     = 0x207 // the text of the formula before it
	recordRow        = 0x208
	recordRK         = 0x27E
	recordFormat     = 0x41E
	recordBegin      = 0x809
)

// versionBIFF8 is that of Excel 97; older ones are written in other ways.
const versionBIFF8 = 0x0600

// A record is one piece of a workbook's stream, with the pieces that continue it.
type record struct {
	kind  int
	parts [][]byte
}

func (r *record) data() []byte { return r.parts[0] }

// records reads records from a stream until f says that it is enough.
func records(stream []byte, f func(record) (more bool)) {
	var held *record
	for len(stream) >= 4 {
		kind, size := int(binary.LittleEndian.Uint16(stream)), int(binary.LittleEndian.Uint16(stream[2:]))
		stream = stream[4:]
		data := stream[:min(size, len(stream))]
		stream = stream[len(data):]
		if kind == recordContinue && held != nil {
			held.parts = append(held.parts, data)
			continue
		}
		if held != nil && !f(*held) {
			return
		}
		held = &record{kind, [][]byte{data}}
	}
	if held != nil {
		f(*held)
	}
}

// holds reports whether a file has a stream, damaged or not.
func holds(c *compound.File, stream string) bool {
	_, err := c.Stream(stream)
	return !errors.Is(err, compound.ErrNone)
}

// readXLS reads a workbook of Excel 97 to 2003.
func readXLS(data []byte) ([]Sheet, error) {
	c, err := compound.Open(data)
	if err != nil {
		return nil, ErrDamaged
	}
	if holds(c, "EncryptedPackage") {
		return nil, ErrProtected
	}
	stream, err := c.Stream("Workbook")
	switch {
	case errors.Is(err, compound.ErrNone) && holds(c, "Book"):
		return nil, ErrOldExcel
	case errors.Is(err, compound.ErrNone):
		return nil, ErrNotTable
	case err != nil:
		return nil, ErrDamaged
	}
	b := &binaryBook{stream: stream}
	if err := b.globals(); err != nil {
		return nil, err
	}
	var out []Sheet
	for _, l := range b.sheets[:min(len(b.sheets), 20)] {
		if s := b.sheet(l); len(s.Rows) > 0 {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, ErrNotTable
	}
	return out, nil
}

// A binaryBook is such a workbook that is being read.
type binaryBook struct {
	workbook
	stream []byte
	sheets []binarySheet
}

type binarySheet struct {
	name string
	at   int // in the stream
}

// globals reads what all sheets share.
func (b *binaryBook) globals() (err error) {
	codes := map[string]string{}
	first := true
	records(b.stream, func(r record) bool {
		d := r.data()
		switch {
		case first:
			first = false
			if r.kind != recordBegin || len(d) < 2 {
				err = ErrDamaged
			} else if binary.LittleEndian.Uint16(d) != versionBIFF8 {
				err = ErrOldExcel
			}
		case r.kind == recordPassword:
			err = ErrProtected
		case r.kind == recordEpoch && len(d) >= 2 && d[0] == 1:
			b.epoch = since1904
		case r.kind == recordSheet && len(d) > 8:
			const visible, worksheet = 0, 0
			if d[4]&3 == visible && d[5] == worksheet && len(b.sheets) < maxStyles {
				b.sheets = append(b.sheets, binarySheet{shortText(d[6:]), int(binary.LittleEndian.Uint32(d))})
			}
		case r.kind == recordStrings:
			b.strings = readSharedStrings(r.parts)
		case r.kind == recordFormat && len(d) > 4 && len(codes) < maxStyles:
			codes[strconv.Itoa(int(binary.LittleEndian.Uint16(d)))] = longText(d[2:])
		case r.kind == recordStyle && len(d) >= 4 && len(b.formats) < maxStyles:
			b.formats = append(b.formats, formatOf(strconv.Itoa(int(binary.LittleEndian.Uint16(d[2:]))), codes))
		}
		return err == nil && r.kind != recordEnd
	})
	return err
}

// sheet reads the cells of a sheet.
func (b *binaryBook) sheet(l binarySheet) Sheet {
	s := Sheet{Name: l.name}
	if l.at < 0 || l.at >= len(b.stream) {
		return s
	}
	g := &grid{book: b, rows: map[int]*Row{}}
	depth := 0 // of what is drawn inside the sheet
	records(b.stream[l.at:], func(r record) bool {
		switch r.kind {
		case recordBegin:
			depth++
		case recordEnd:
			depth--
		default:
			if depth == 1 {
				g.record(r.kind, r.data())
			}
		}
		return depth > 0 && !g.cut
	})
	for _, n := range slices.Sorted(maps.Keys(g.rows)) {
		if row := g.rows[n]; slices.ContainsFunc(row.Cells, func(cell string) bool { return cell != "" }) {
			s.Rows = append(s.Rows, *row)
		}
	}
	s.Cut = g.cut
	s.merge(g.merged)
	return s
}

// A grid gathers the cells of a sheet by their rows.
type grid struct {
	book   *binaryBook
	rows   map[int]*Row
	merged []block
	result struct{ row, column int } // of the formula whose text is to come
	cut    bool
}

func (g *grid) row(n int) *Row {
	r, ok := g.rows[n]
	if !ok {
		r = &Row{Line: n + 1}
		g.rows[n] = r
	}
	return r
}

func (g *grid) put(row, column int, text string) {
	if text == "" || column >= maxColumns {
		return
	}
	if _, ok := g.rows[row]; !ok && len(g.rows) >= maxRows {
		g.cut = true
		return
	}
	r := g.row(row)
	for len(r.Cells) <= column {
		r.Cells = append(r.Cells, "")
		g.book.cells++
	}
	if g.book.cells > maxCells {
		g.cut = true
		return
	}
	r.Cells[column] = text
}

// record takes a record of a sheet: a cell, or what concerns some.
func (g *grid) record(kind int, d []byte) {
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(d[at:])) }
	switch {
	case kind == recordRow && len(d) >= 16:
		const hidden = 0x20
		if u16(12)&hidden != 0 && len(g.rows) < maxRows {
			g.row(u16(0)).Hidden = true
		}
	case kind == recordMerged && len(d) >= 2:
		for at := 2; at+8 <= len(d) && len(g.merged) < maxMerged; at += 8 {
			if from, to := u16(at), u16(at+2); to > from {
				g.merged = append(g.merged, block{u16(at + 4), from + 1, to + 1})
			}
		}
	case kind == recordResult && len(d) >= 3:
		g.put(g.result.row, g.result.column, tidy(longText(d)))
	case len(d) < 6: // what follows are cells, which begin with row, column and style
	case kind == recordSharedText && len(d) >= 10:
		if n := int64(binary.LittleEndian.Uint32(d[6:])); n < int64(len(g.book.strings)) {
			g.put(u16(0), u16(2), g.book.strings[n])
		}
	case kind == recordText:
		g.put(u16(0), u16(2), tidy(longText(d[6:])))
	case kind == recordNumber && len(d) >= 14:
		g.number(u16(0), u16(2), u16(4), math.Float64frombits(binary.LittleEndian.Uint64(d[6:])))
	case kind == recordRK && len(d) >= 10:
		g.number(u16(0), u16(2), u16(4), decodeRK(binary.LittleEndian.Uint32(d[6:])))
	case kind == recordNumbers:
		for i, at := 0, 4; at+6 <= len(d)-2; i, at = i+1, at+6 {
			g.number(u16(0), u16(2)+i, u16(at), decodeRK(binary.LittleEndian.Uint32(d[at+2:])))
		}
	case kind == recordFormula && len(d) >= 14:
		g.formula(u16(0), u16(2), u16(4), d[6:14])
	}
}

// formula takes what a formula gave: a number, or what stands in a record of its own.
func (g *grid) formula(row, column, style int, result []byte) {
	if result[6] == 0xFF && result[7] == 0xFF {
		g.result.row, g.result.column = row, column
		return
	}
	g.number(row, column, style, math.Float64frombits(binary.LittleEndian.Uint64(result)))
}

func (g *grid) number(row, column, style int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	g.put(row, column, g.book.displayText(strconv.FormatFloat(v, 'g', -1, 64), strconv.Itoa(style)))
}

// decodeRK reads a number in four bytes: an integer or the head of a float, which may be in
// hundredths.
func decodeRK(rk uint32) float64 {
	v := math.Float64frombits(uint64(rk&^3) << 32)
	if rk&2 != 0 {
		v = float64(int32(rk) >> 2)
	}
	if rk&1 != 0 {
		v /= 100
	}
	return v
}

// shortText reads text whose length is one byte, longText one whose length is two.
func shortText(d []byte) string {
	if len(d) < 2 {
		return ""
	}
	text, _ := characters(d[2:], int(d[0]), d[1]&1 != 0)
	return tidy(text)
}

func longText(d []byte) string {
	if len(d) < 3 {
		return ""
	}
	text, _ := characters(d[3:], int(binary.LittleEndian.Uint16(d)), d[2]&1 != 0)
	return text
}

// characters reads n characters of one byte or two, as far as there are; used is in bytes.
func characters(d []byte, n int, wide bool) (text string, used int) {
	size := 1
	if wide {
		size = 2
	}
	n = min(n, len(d)/size)
	units := make([]uint16, n)
	for i := range units {
		if wide {
			units[i] = binary.LittleEndian.Uint16(d[2*i:])
		} else {
			units[i] = uint16(d[i])
		}
	}
	return string(utf16.Decode(units)), n * size
}

// readSharedStrings reads the texts that cells share. They run on over the pieces of a record,
// and within the characters of one each piece says anew how wide they are.
func readSharedStrings(parts [][]byte) []string {
	r := &pieces{parts: parts}
	r.skip(4)
	total := int(r.number(4))
	var out []string
	for range min(total, maxStrings) {
		n, flags := int(r.number(2)), r.number(1)
		runs, extra := uint32(0), uint32(0)
		if flags&8 != 0 {
			runs = r.number(2)
		}
		if flags&4 != 0 {
			extra = r.number(4)
		}
		text := r.text(n, flags&1 != 0)
		r.skip(int64(4*runs) + int64(extra))
		if r.ended {
			break
		}
		out = append(out, tidy(text))
	}
	return out
}

// pieces reads over the pieces of a record.
type pieces struct {
	parts [][]byte
	ended bool
}

// advance makes the first piece one that has something.
func (r *pieces) advance() bool {
	for len(r.parts) > 0 && len(r.parts[0]) == 0 {
		r.parts = r.parts[1:]
	}
	r.ended = r.ended || len(r.parts) == 0
	return !r.ended
}

func (r *pieces) number(bytes int) (v uint32) {
	for i := range bytes {
		if !r.advance() {
			return 0
		}
		v |= uint32(r.parts[0][0]) << (8 * i)
		r.parts[0] = r.parts[0][1:]
	}
	return v
}

func (r *pieces) skip(n int64) {
	for n > 0 && r.advance() {
		k := min(n, int64(len(r.parts[0])))
		r.parts[0] = r.parts[0][k:]
		n -= k
	}
}

func (r *pieces) text(n int, wide bool) string {
	var out strings.Builder
	for n > 0 {
		if len(r.parts) > 0 && len(r.parts[0]) == 0 { // the next piece begins with the width
			if !r.advance() {
				break
			}
			wide = r.parts[0][0]&1 != 0
			r.parts[0] = r.parts[0][1:]
		}
		if !r.advance() {
			break
		}
		text, used := characters(r.parts[0], n, wide)
		if used == 0 { // half a character
			r.parts[0] = nil
			continue
		}
		out.WriteString(text)
		r.parts[0] = r.parts[0][used:]
		if wide {
			used /= 2
		}
		n -= used
	}
	return out.String()
}
