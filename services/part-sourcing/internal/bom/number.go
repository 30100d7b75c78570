package bom

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/table"

	"golang.org/x/text/width"
)

// countForm is a number of pieces, as lists write it: "2", "2 pcs", "2x", "1,000".
var countForm = regexp.MustCompile(`(?i)^x?\s*([0-9]{1,9}(?:[.,][0-9]{1,3})*)\s*(?:x|pcs?\.?|pieces?|ea\.?|each|stk\.?|stück|st\.?|uds?\.?|pz\.?|шт\.?|個|个|只|片|枚|개)?$`)

// thousands is a number in which a sign parts the thousands, or stands before three
// decimals.
var thousands = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:[.,][0-9]{3})+$`)

// count reads a number of pieces; ok is false where it is none, or may be two:
// "1,000". Of these the one counts that is the number of references.
func count(stated string, refs int) (n int, ok bool) {
	m := countForm.FindStringSubmatch(width.Fold.String(strings.TrimSpace(stated)))
	if m == nil {
		return 0, false
	}
	whole, fine := number(m[1])
	if !thousands.MatchString(m[1]) {
		return whole, fine
	}
	many, large := number(strings.NewReplacer(",", "", ".", "").Replace(m[1]))
	switch {
	case large && many == refs:
		return many, true
	case fine && whole == refs:
		return whole, true
	}
	return many, large && !fine // "1,250" is no piece and a quarter
}

// number reads a whole number, which may have decimals of zero.
func number(text string) (n int, ok bool) {
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || v < 0 || v > 100_000 || v != float64(int(v)) {
		return 0, false
	}
	return int(v), true
}

// spoiled is what spreadsheets make of part numbers: numbers in exponents, dates,
// errors, formulas.
var spoiled = regexp.MustCompile(`^(?:[0-9]+(?:[.,][0-9]+)?E\+[0-9]{1,3}|#(?:REF|N/A|NAME|VALUE|NULL|NUM|DIV/0|SPILL|CALC)[!?]?|#{3,}` +
	`|[0-9]{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-[0-9]{2,4})?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-[0-9]{2}|[12][0-9]{3}-[01][0-9]-[0-3][0-9])$|^=`)

// partNumbers files the numbers of a cell, less those that a spreadsheet spoiled.
func (r *reader) partNumbers(l *Line, cell string) {
	if l.partNumbers(cell) {
		r.note(Note{Code: NumberSpoiled, Row: l.Row, Text: cell})
	}
}

// partNumbers takes one number, or several that the list allows; bad reports that
// one was spoiled.
func (l *Line) partNumbers(cell string) (bad bool) {
	var named []string
	for _, w := range numbersIn(cell) {
		switch {
		case fitting.IsDenied(w):
			l.DNP = true
		case table.Plain(w) == "" || notNumber[table.Plain(w)]:
		case spoiled.MatchString(w):
			bad = true
		case l.MPN == "":
			l.MPN = l.stripMaker(w)
			named = append(named, l.MPN)
		default:
			l.Alternates = append(l.Alternates, alternate(w))
			named = append(named, alternate(w).MPN)
		}
	}
	if named = dropWholes(named); len(named) > 1 {
		l.Joined = named
	}
	return bad
}

// alternates takes numbers that the list allows besides another.
func (l *Line) alternates(cell string) {
	for _, w := range numbersIn(cell) {
		if table.Plain(w) != "" && !notNumber[table.Plain(w)] && !fitting.IsDenied(w) && !spoiled.MatchString(w) {
			l.Alternates = append(l.Alternates, alternate(w))
		}
	}
}

// alternate is a number, and its manufacturer where that stands behind it.
func alternate(number string) Part {
	var l Line
	return Part{MPN: l.stripMaker(number), Manufacturer: l.Manufacturer}
}

var (
	asText     = regexp.MustCompile(`^="([^"]*)"$`)
	equivalent = regexp.MustCompile(`(?i)[\s,(/]+(?:(?:or )?(?:equivalent|equiv\.?|equal|similar|eq\.?|compatible)|oder (?:gleichwertig|ähnlich|vergleichbar)|ou équivalent|o equivalente|或同等|或等效)\)?$`)
	between    = regexp.MustCompile(`(?i)[\s(]+(?:or|oder|ou|或)\s+|\s+/\s+|\s*\|\s*|,\s+|[\s,(]+alt(?:ernate|ernative|ernatively)?\b[.:]?\s*`)
)

// numbersIn are the part numbers of a cell. What stands between words parts them
// only where each is a number: "CRCW0603 10K, 1 %" is one.
func numbersIn(cell string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(cell, func(r rune) bool { return r == '\n' || r == ';' }) {
		w = strings.TrimSpace(w)
		if m := asText.FindStringSubmatch(w); m != nil {
			w = m[1]
		}
		w = strings.TrimSpace(strings.TrimPrefix(w, "'"))
		w = equivalent.ReplaceAllString(w, "")
		w = alternative.ReplaceAllString(w, "")
		if several := split(w); len(several) > 1 && !slices.ContainsFunc(several, func(n string) bool { return !looks(n) }) {
			out = append(out, several...)
		} else {
			out = append(out, w)
			out = append(out, whole(w)...)
		}
	}
	return out
}

// whole are the numbers of text that may be one number with a mark within, or several
// without any space: AO3400A/SI2302. Each is as long as whole numbers are, so that no
// ending is taken for one: the /TR, ,215 and /SOT89 of a number.
func whole(text string) []string {
	const least = 6
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ',' })
	if len(parts) < 2 || strings.ContainsAny(text, " ()") {
		return nil
	}
	for _, p := range parts {
		if len(p) < least || !mpn.Looks(p) || !strings.ContainsAny(p, "0123456789") || strings.Trim(p, "0123456789") == "" || casecode.Parse(p).Family != "" {
			return nil
		}
	}
	return parts
}

// dropWholes leaves out text that is several numbers, which follow it.
func dropWholes(numbers []string) []string {
	return slices.DeleteFunc(numbers, func(n string) bool { return len(whole(n)) > 0 })
}

// NumbersOfSeveral are the numbers of text that names several parts; nil where it names one.
func NumbersOfSeveral(text string) []string {
	if n := dropWholes(numbersIn(text)); len(n) > 1 {
		return n
	}
	return nil
}

// Numbers are the part numbers of text, as [Read] finds them in a cell: one, or several
// of which any will do.
func Numbers(text string) []string { return numbersIn(text) }

// alternative is what a line of a cell begins with that names another part.
var alternative = regexp.MustCompile(`(?i)^alt(?:ernate|ernative)?\b[.:]?\s+`)

// split parts a cell where another number may begin; the bracket that closes "(or X)" is
// part of none.
func split(cell string) []string {
	parts := between.Split(cell, -1)
	for i, p := range parts {
		if !strings.Contains(p, "(") {
			parts[i] = strings.TrimRight(p, " )")
		}
	}
	return parts
}

// looks reports whether text is a part number, which may have its manufacturer behind it.
func looks(text string) bool {
	if m := behind.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return mpn.Looks(text)
}

var behind = regexp.MustCompile(`^(\S+)\s+[(\[]([^()\[\]]+)[)\]]$`)

// stripMaker takes off a manufacturer in brackets: "RC0603FR-0710KL (Yageo)".
func (l *Line) stripMaker(number string) string {
	m := behind.FindStringSubmatch(number)
	if m == nil {
		return number
	}
	if _, ok := maker.UsualName(m[2]); !ok {
		return number
	}
	l.Manufacturer = cmp.Or(l.Manufacturer, m[2])
	return m[1]
}
