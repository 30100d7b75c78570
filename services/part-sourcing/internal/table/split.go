package table

import (
	"html"
	"regexp"
	"strings"

	"boardorder/pkg/board/untrusted"
)

// maxQuotedLines is how far a quoted cell may reach; a quote without an end
// would swallow the rest of the file.
const maxQuotedLines = 30

// A splitter cuts text into rows.
type splitter struct {
	delimiter byte
	quote     byte  // what cells may stand in
	starts    []int // of columns that begin where their headings do; nil otherwise
	line      int   // of what comes next
	rows      []Row
	cells     int
	cut       bool
}

func (s *splitter) run(text string) {
	for len(text) > 0 && !s.cut {
		row := Row{Line: s.line}
		var n int
		switch {
		case s.starts != nil:
			row.Cells, n = s.columnsOf(text)
		case s.delimiter == aligned:
			row.Cells, n = wordsOf(text)
		default:
			row.Cells, n = s.record(text)
		}
		s.line += strings.Count(text[:n], "\n")
		text = text[n:]
		s.add(row)
	}
}

func (s *splitter) add(row Row) {
	blank := true
	for i, c := range row.Cells {
		row.Cells[i] = tidy(c)
		blank = blank && row.Cells[i] == ""
	}
	if blank {
		return
	}
	if s.cells += len(row.Cells); len(s.rows) == maxRows || s.cells > maxCells {
		s.cut = true
		return
	}
	s.rows = append(s.rows, row)
}

var (
	entity = regexp.MustCompile(`&(?:[A-Za-z]{2,8}[0-9]{0,2}|#[0-9]{2,6});`)
	// spaces are those that do not break lines, and narrow and wide ones.
	spaces = strings.NewReplacer("\u00a0", " ", "\u2007", " ", "\u2009", " ", "\u202f", " ", "\u3000", " ", "\ufeff", "")
)

// tidy writes a cell with common spaces and without HTML's entities, trims it and bounds
// its length.
func tidy(c string) string {
	c = strings.TrimSpace(spaces.Replace(untrusted.Clean(entity.ReplaceAllStringFunc(c, html.UnescapeString))))
	if len(c) > maxCell {
		c = strings.ToValidUTF8(c[:maxCell], "")
	}
	return c
}

// record reads one record with its line end; n is its length.
func (s *splitter) record(text string) (cells []string, n int) {
	for {
		cell, length, last := s.field(text[n:])
		cells = append(cells, cell)
		n += length
		if last || len(cells) > maxCells {
			return cells, n
		}
	}
}

// field reads one field with what ends it; last tells that this was the line's
// end. A quote counts only where a field begins.
func (s *splitter) field(text string) (cell string, n int, last bool) {
	lead := len(text) - len(strings.TrimLeft(text, " "))
	if len(text) > lead && text[lead] == s.quote {
		if cell, n, last, ok := s.readQuoted(text[lead+1:]); ok {
			return cell, n + lead + 1, last
		}
	}
	i := strings.IndexAny(text, "\n"+string(rune(s.delimiter)))
	if i < 0 {
		return text, len(text), true
	}
	return text[:i], i + 1, text[i] == '\n'
}

// readQuoted reads the rest of a quoted field. A quote inside that nothing follows
// which could end the field is meant as it stands: 1.8" LCD.
func (s *splitter) readQuoted(text string) (cell string, n int, last, ok bool) {
	var b strings.Builder
	lines := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			if lines++; lines > maxQuotedLines || s.quote == single {
				return "", 0, false, false
			}
			b.WriteByte(c)
		case c != s.quote:
			b.WriteByte(c)
		case i+1 < len(text) && text[i+1] == s.quote:
			b.WriteByte(s.quote)
			i++
		default:
			if n, last, ok := s.closes(text[i+1:]); ok {
				return b.String(), i + 1 + n, last, true
			}
			b.WriteByte(s.quote)
		}
	}
	return "", 0, false, false
}

// closes reports whether what follows a quote ends the field.
func (s *splitter) closes(text string) (n int, last, ok bool) {
	rest := strings.TrimLeft(text, " ")
	n = len(text) - len(rest)
	switch {
	case rest == "":
		return n, true, true
	case rest[0] == '\n':
		return n + 1, true, true
	case rest[0] == s.delimiter:
		return n + 1, false, true
	}
	return 0, false, false
}

// wordsOf splits a line at spaces outside of quotes.
func wordsOf(text string) (cells []string, n int) {
	line, _, more := strings.Cut(text, "\n")
	n = len(line)
	if more {
		n++
	}
	for len(cells) < maxCells {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return cells, n
		}
		end := strings.IndexAny(line, " \t")
		if line[0] == '"' {
			if i := strings.Index(line[1:], `"`); i >= 0 {
				cells = append(cells, line[1:1+i])
				line = line[i+2:]
				continue
			}
		}
		if end < 0 {
			end = len(line)
		}
		cells = append(cells, line[:end])
		line = line[end:]
	}
	return cells, n
}
