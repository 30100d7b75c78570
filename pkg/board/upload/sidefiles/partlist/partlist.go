// Package partlist reads which parts a table names: bills of materials and
// placement files in any of the delimiters, line ends and encodings that tools
// and spreadsheets write. It looks at reference designators only.
package partlist

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"boardorder/pkg/board/internal/pattern"
)

// Limits of what is read of one table.
const (
	maxRows  = 20_000
	maxParts = 100_000
	headRows = 30 // in which the header stands
)

var (
	heading = pattern.Lazy(`(?i)^(ref(erence)?s?( ?des(ignators?)?)?|ref\.? ?des\.?|designators?|part ?ref(erence)?s?|parts?|reference\(s\)|component)$`)
	part    = pattern.Lazy(`^[A-Za-z_]{1,12}[0-9]{1,6}[A-Za-z]?$`)
	span    = pattern.Lazy(`^([A-Za-z_]{1,12})([0-9]{1,6})\s*(?:-|–|\.\.)\s*([A-Za-z_]{0,12})([0-9]{1,6})$`)
)

// Parts gives the designators that a table names, in its order and as often as it
// names them; ok is false when no column holds designators.
func Parts(data []byte) (parts []string, ok bool) {
	text := decode(data)
	rows := rowsOf(text)
	column, start := header(rows)
	if column < 0 {
		return nil, false
	}
	for _, row := range rows[start:] {
		if column < len(row) {
			parts = appendParts(parts, row[column])
		}
		if len(parts) > maxParts {
			break
		}
	}
	return parts, len(parts) > 0
}

// decode makes UTF-8 of UTF-16, and of line ends of any kind line feeds. Other
// encodings differ in letters that designators do not have.
func decode(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		data = wide(data[2:], 0)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		data = wide(data[2:], 1)
	}
	s := strings.ReplaceAll(string(data), "\r\n", "\n")
	return strings.ReplaceAll(s, "\r", "\n")
}

func wide(data []byte, low int) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i+low]) | uint16(data[2*i+1-low])<<8
	}
	return []byte(string(utf16.Decode(units)))
}

// rowsOf splits a table by the delimiter that its first lines have most of.
func rowsOf(text string) [][]string {
	head := text[:min(len(text), 4096)]
	delimiter, most := ',', 0
	for _, d := range ",;\t|" {
		if n := strings.Count(head, string(d)); n > most {
			delimiter, most = d, n
		}
	}
	if most == 0 {
		return columns(text)
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = delimiter, true, -1, true
	var rows [][]string
	for len(rows) < maxRows {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			rows = append(rows, row)
		} else if row == nil {
			break
		}
	}
	return rows
}

// columns splits a table whose columns are aligned with spaces.
func columns(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Fields(strings.TrimLeft(line, "#")))
		if len(rows) == maxRows {
			break
		}
	}
	return rows
}

// header finds the column of designators and the row below its heading.
func header(rows [][]string) (column, start int) {
	for i, row := range rows[:min(len(rows), headRows)] {
		for k, cell := range row {
			if heading().MatchString(strings.TrimSpace(cell)) && holdsParts(rows[i+1:], k) {
				return k, i + 1
			}
		}
	}
	return -1, 0
}

// holdsParts tells whether a column's first cells name parts.
func holdsParts(rows [][]string, column int) bool {
	for _, row := range rows[:min(len(rows), 5)] {
		if column < len(row) && len(appendParts(nil, row[column])) > 0 {
			return true
		}
	}
	return false
}

func appendParts(parts []string, cell string) []string {
	for _, word := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",; \t\n/", r) }) {
		if m := span().FindStringSubmatch(word); m != nil && (m[3] == "" || m[3] == m[1]) {
			parts = appendSpan(parts, m[1], m[2], m[4])
		} else if part().MatchString(word) {
			parts = append(parts, word)
		}
	}
	return parts
}

// appendSpan adds the parts of a range such as R1-R4.
func appendSpan(parts []string, prefix, from, to string) []string {
	const most = 2000
	a, _ := strconv.Atoi(from)
	b, _ := strconv.Atoi(to)
	for n := a; n <= b && n-a < most; n++ {
		parts = append(parts, prefix+strconv.Itoa(n))
	}
	return parts
}
