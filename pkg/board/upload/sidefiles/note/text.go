package note

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/board/internal/pattern"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	encodingunicode "golang.org/x/text/encoding/unicode"
)

// decode makes UTF-8 of a text: by its byte-order mark, else as it is, else in the code
// pages that editors of Windows write. ok is false for what is no text.
func decode(data []byte) (text string, ok bool) {
	if len(data) > maxSize {
		return "", false
	}
	var from encoding.Encoding
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		from = encodingunicode.UTF16(encodingunicode.LittleEndian, encodingunicode.ExpectBOM)
	case bytes.IndexByte(data, 0) >= 0:
		return "", false
	case !utf8.Valid(data):
		switch from = charmap.Windows1252; {
		case chinese(data):
			from = simplifiedchinese.GB18030
		case cyrillic(data):
			from = charmap.Windows1251
		}
	}
	if from != nil {
		out, err := from.NewDecoder().Bytes(data)
		if err != nil {
			return "", false
		}
		data = out
	}
	text = strings.TrimPrefix(string(data), "\ufeff")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), true
}

// chinese reports whether bytes that are no UTF-8 are Chinese in the code page of China.
func chinese(data []byte) bool {
	out, err := simplifiedchinese.GB18030.NewDecoder().Bytes(data)
	if err != nil {
		return false
	}
	han, odd := 0, 0
	for _, r := range string(out) {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case r >= utf8.RuneSelf && !unicode.IsPunct(r):
			odd++
		}
	}
	return han > 2*odd && strings.ContainsAny(string(out), "板铜焊层厚")
}

// cyrillic reports whether bytes that are no UTF-8 are words in the code page of Cyrillic: other
// writing has few letters with accents beside each other.
func cyrillic(data []byte) bool {
	const letters, shortest = 0xc0, 3
	words, alone, run := 0, 0, 0
	for _, c := range append(data[:len(data):len(data)], 0) {
		if c >= letters {
			run++
			continue
		}
		switch {
		case run >= shortest:
			words++
		case run > 0:
			alone++
		}
		run = 0
	}
	return words > alone
}

// A line is one line of a text, or one row of a table.
type line struct {
	number  int
	text    string
	section int  // counts the headings above
	aside   bool // below a heading of something else than this board
}

// linesOf gives the lines of a text with the headings that they stand below, tables and
// lists of options as "label: value".
func linesOf(name, text string) []line {
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == ".csv", ext == ".tsv":
		return tableLines(text)
	case ext == ".json":
		return optionLines(text)
	case ext == ".html", ext == ".htm":
		text = markup().ReplaceAllStringFunc(text, func(tag string) string {
			if inlineTag().MatchString(tag) {
				return ""
			}
			return strings.Repeat("\n", max(1, strings.Count(tag, "\n")))
		})
	}
	var out []line
	rows := strings.Split(text, "\n")
	h := headings{}
	for i := 0; i < len(rows); i++ {
		if n := markdownTable(rows[i:]); n > 0 {
			for _, l := range pairs(markdownRows(rows[i : i+n])) {
				l.number += i
				l.section, l.aside = h.section, h.aside
				out = append(out, l)
			}
			i += n - 1
			continue
		}
		if n, list := optionList(rows[i:]); n > 0 {
			aside := h.aside || opensElsewhere(rows, i)
			for _, l := range list {
				out = append(out, line{number: l.number + i, text: l.text, section: h.section, aside: aside})
			}
			i += n - 1
			continue
		}
		h.see(rows, i)
		if t := strings.TrimSpace(rows[i]); t != "" && len(t) <= maxLine {
			out = append(out, line{number: i + 1, text: t, section: h.section, aside: h.aside})
		}
	}
	return out
}

var (
	markup    = pattern.Lazy(`(?s)<!--.*?-->|<(?:style|script)\b.*?</(?:style|script)>|</?[a-zA-Z][^<>]*>`)
	inlineTag = pattern.Lazy(`(?i)^</?(?:b|i|u|em|strong|span|a|font|sup|sub|code|small)\b`)
	heading   = pattern.Lazy(`^(#{1,6})\s+(.*)$`)
	underline = pattern.Lazy(`^(?:={3,}|-{3,})\s*$`)
	lead      = pattern.Lazy(`^[\p{L}][^:.,;=]{2,40}:$`) // a line that only introduces what follows
	version   = pattern.Lazy(`(?i)^\W*(?:v|ver\.?|version|rev\.?|revision|release)?\s*\d+\.\d+(?:\.\d+)*\b`)
	elsewhere = pattern.Lazy(`(?i)\b(?:change ?logs?|changes|history|releases?|release notes|errata|what'?s new|cases?|enclosures?|housings?|3d[ -]print\w*|printed parts|mechanical|stencils?|firmware|software|licen[cs]e|daughter[ -]?boards?|mother[ -]?boards?|carrier boards?|older|previous|old versions?|faq|usage|install\w*|acknowledg\w*|credits)\b`)
)

// opensElsewhere reports whether the list of options that begins at row i stands below a bare line
// that names something else than the board, or begins with one.
func opensElsewhere(rows []string, i int) bool {
	const fewWords = 3
	bare := func(s string) bool {
		return len(strings.Fields(s)) <= fewWords && !strings.ContainsAny(s, ":=|0123456789") && elsewhere().MatchString(s)
	}
	above := i - 1
	for above >= 0 && strings.TrimSpace(rows[above]) == "" {
		above--
	}
	return bare(rows[i]) || above >= 0 && bare(rows[above])
}

// headings keeps the heading that lines stand below.
type headings struct {
	section, level int
	aside          bool
}

// see takes line i for a heading where it is one. Only a heading of the same rank or a
// higher one ends what is said of something else.
func (h *headings) see(rows []string, i int) {
	text, level := strings.TrimSpace(rows[i]), 7
	switch m := heading().FindStringSubmatch(text); {
	case m != nil:
		level, text = len(m[1]), m[2]
	case i+1 < len(rows) && text != "" && len(text) < 60 && underline().MatchString(rows[i+1]):
		level = 2
	case lead().MatchString(text):
	default:
		return
	}
	h.section++
	if h.aside && level > h.level {
		return
	}
	h.aside, h.level = elsewhere().MatchString(text) && level > 1 || level < 7 && level > 1 && version().MatchString(text), level
}
