package bom

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/foreigntext"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// maxRefs is how many designators a list may have, ranges filled in: ten times as
// many as any board has parts.
const maxRefs = 100_000

// A reader makes lines of the rows of one section.
type reader struct {
	layout layout
	list   List
}

func (r *reader) read(rows []table.Row) {
	refs := 0
	for _, row := range rows {
		l := r.line(row)
		if refs += len(l.Refs); refs > maxRefs {
			r.note(Note{Code: ListCut, Row: l.Row})
			return
		}
		switch {
		case l.Quantity == 0 && len(l.Refs) == 0 && r.alternate(l):
		case len(l.Refs) == 0 && !l.Exact() && l.Value == "":
		case len(l.Refs) == 0 && r.layout.has(references):
			r.note(Note{Code: NoReferences, Row: l.Row, Text: firstOf(l.MPN, l.Value, l.Description)})
		default:
			r.list.Lines = append(r.list.Lines, l)
		}
	}
}

// alternate takes a row that names another part only as one that may be fitted
// in place of the line above.
func (r *reader) alternate(l Line) bool {
	if l.MPN == "" || l.Value != "" || l.Description != "" || len(r.list.Lines) == 0 {
		return false
	}
	above := &r.list.Lines[len(r.list.Lines)-1]
	above.Alternates = append(above.Alternates, Part{l.MPN, l.Manufacturer})
	return true
}

func (r *reader) note(n Note) { r.list.Notes = append(r.list.Notes, n) }

func (r *reader) line(row table.Row) Line {
	l := Line{Row: row.Line}
	supplierName, number, stated := "", "", ""
	for i, cell := range row.Cells {
		if i >= len(r.layout.columns) || cell == "" || cell == "~" || cell == "-" || cell == "_" {
			continue
		}
		switch r.layout.columns[i] {
		case references:
			r.references(&l, cell)
		case quantity:
			stated = cell
		case value:
			l.Value = cell
		case footprint:
			l.Footprint = cell
		case partNumber:
			l.partNumbers(cell)
		case makerAndNumber:
			l.Manufacturer, l.MPN = splitMaker(cell)
		case manufacturer:
			l.Manufacturer = cell
		case fabCode:
			l.FabCode = fabCodeIn(cell)
		case distributorA:
			l.DistributorA = oneWord(cell)
		case distributorB:
			l.DistributorB = oneWord(cell)
		case description:
			l.Description = cell
		case leftOut:
			r.fitting(&l, cell, true)
		case fitted:
			r.fitting(&l, cell, false)
		case supplier:
			supplierName = cell
		case supplierNumber:
			number = cell
		case rated:
			l.Description = strings.TrimSpace(l.Description + " " + cell)
		default:
			l.field(r.layout.names[i], cell)
		}
	}
	l.supplied(supplierName, number)
	l.tidy()
	r.quantity(&l, stated)
	return l
}

func (r *reader) references(l *Line, cell string) {
	refs, odd := refdes.Parse(cell)
	l.Refs = refs
	if len(odd) > 0 {
		r.note(Note{Code: OddReference, Row: l.Row, Text: strings.Join(odd, " ")})
	}
}

func (r *reader) quantity(l *Line, stated string) {
	l.Quantity = len(l.Refs)
	if stated == "" {
		return
	}
	n, err := strconv.ParseFloat(strings.Replace(stated, ",", ".", 1), 64)
	if err != nil || n < 0 || n > 100_000 || n != float64(int(n)) {
		r.note(Note{Code: QuantityUnread, Row: l.Row, Text: stated})
		return
	}
	switch {
	case len(l.Refs) == 0:
		l.Quantity = int(n)
	case int(n) != len(l.Refs) && !(n == 0 && l.DNP):
		r.note(Note{Code: QuantityDiffers, Row: l.Row, Refs: l.Refs, Text: stated})
	}
}

// fitting reads a cell that says whether the part is fitted. In a column that is
// headed "DNP" anything but a no means so; in one headed "fitted" only a no does.
func (r *reader) fitting(l *Line, cell string, marksLeftOut bool) {
	switch w := plain(cell); {
	case noWords[w]:
		l.DNP = l.DNP || !marksLeftOut
	case outWords[w]:
		l.DNP = true
	case yesWords[w]:
		l.DNP = l.DNP || marksLeftOut
	case marksLeftOut:
		l.DNP = true
	default:
		r.note(Note{Code: FitUnclear, Row: l.Row, Text: cell})
	}
}

var (
	yesWords = set("yes y 1 true x fitted populate populated install installed mounted mount ja oui si sì 是 i assy smd smt tht pop")
	noWords  = set("no n 0 false nein non")
	outWords = set("dnp dnf dni dnm ni nf np nc nm nopop notfitted notpopulated notinstalled donotpopulate donotfit donotinstall donotplace donotmount donotstuff dns unfitted unpopulated exclude 否 不贴")
	outValue = regexp.MustCompile(`(?i)^(?:.*[\s_/(,;])?(?:DNP|DNF|DNI|DNM|NOPOP|NO[_ -]?POP|DO[_ -]?NOT[_ -]?(?:POPULATE|FIT|MOUNT|INSTALL|PLACE|STUFF)|NOT[_ -]?FITTED|NOSTUFF|NO[_ -]STUFF|UNPOPULATED)(?:[\s_/),;].*)?$`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// MarksDNP reports whether the text of a value or comment says that the part is
// not to be fitted: "DNP", "10k DNM".
func MarksDNP(text string) bool { return len(text) < 200 && outValue.MatchString(text) }

// partNumbers takes one number, or several that the list allows.
func (l *Line) partNumbers(cell string) {
	for _, w := range strings.FieldsFunc(cell, func(r rune) bool { return r == '\n' || r == ';' }) {
		w = strings.TrimSpace(w)
		switch {
		case plain(w) == "" || notNumber[plain(w)]:
		case l.MPN == "":
			l.MPN = w
		default:
			l.Alternates = append(l.Alternates, Part{MPN: w})
		}
	}
}

// notNumber are what people write where there is no part number.
var notNumber = set("na none tbd any generic various nc misc dnp dnf dni std standard unknown notapplicable")

func (l *Line) field(name, cell string) {
	if l.Fields == nil {
		l.Fields = map[string]string{}
	}
	if len(l.Fields) < 40 {
		l.Fields[name] = cell
	}
}

// supplied files a supplier's number by the supplier's name; the fabricator's
// codes are known by their form.
func (l *Line) supplied(name, number string) {
	switch n := plain(name); {
	case number == "" && name == "":
	case strings.Contains(n, "digikey") || n == "dk":
		l.DistributorA = firstOf(l.DistributorA, oneWord(number))
	case strings.Contains(n, "mouser"):
		l.DistributorB = firstOf(l.DistributorB, oneWord(number))
	case strings.Contains(n, "lcsc") || strings.Contains(n, "jlc") || n == "" && fabCodeIn(number) == number:
		l.FabCode = firstOf(l.FabCode, fabCodeIn(number))
	default:
		if name != "" {
			l.field("supplier", name)
		}
		if number != "" {
			l.field("supplier_number", number)
		}
	}
}

// tidy moves what stands in the wrong place: a do-not-fit mark in the value, a
// manufacturer before the number, a part number as comment.
func (l *Line) tidy() {
	if MarksDNP(l.Value) {
		l.DNP = true
	}
	switch w := plain(l.MPN); {
	case outWords[w]:
		l.DNP, l.MPN = true, ""
	case w == "" || notNumber[w]:
		l.MPN = ""
	}
	if l.MPN == "" {
		l.fromValue()
	}
	if l.Manufacturer != "" {
		l.MPN = strings.TrimPrefix(l.MPN, l.Manufacturer+" ")
	}
}

// makerPrefix is how some libraries write comments: Yageo_RC0402FR-0710KL.
var makerPrefix = regexp.MustCompile(`^([A-Z][A-Za-z.&, -]{1,40})_([A-Za-z0-9][A-Za-z0-9./+-]{3,40})$`)

func (l *Line) fromValue() {
	m := makerPrefix.FindStringSubmatch(l.Value)
	if m == nil {
		return
	}
	if _, ok := maker.Known(m[1]); !ok {
		return
	}
	if l.Manufacturer == "" {
		l.Manufacturer = m[1]
	}
	l.MPN = m[2]
}

// splitMaker parts "YAGEO CC0402KRX7R7BB104" at its last space.
func splitMaker(cell string) (maker, number string) {
	i := strings.LastIndexByte(cell, ' ')
	if i < 0 {
		return "", cell
	}
	return cell[:i], cell[i+1:]
}

var fabCodeForm = regexp.MustCompile(`(?:^|[^A-Za-z0-9])([Cc][0-9]{1,9})(?:[^A-Za-z0-9]|$)`)

// fabCodeIn finds a code of the fabricator's library, also in a link to it.
func fabCodeIn(cell string) string {
	if m := fabCodeForm.FindStringSubmatch(strings.ReplaceAll(cell, "_", " ")); m != nil {
		return strings.ToUpper(m[1])
	}
	return ""
}

// oneWord takes a supplier's number; a link or a sentence is none.
func oneWord(cell string) string {
	if len(cell) > 60 || strings.ContainsAny(cell, " /\n") && strings.Contains(cell, "//") || notNumber[plain(cell)] {
		return ""
	}
	first, _, _ := strings.Cut(cell, "\n")
	return first
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// Fields files the named fields of a design tool's part where a line has a place
// for them, and keeps the rest.
func Fields(l *Line, fields map[string]string) {
	names := slices.Sorted(maps.Keys(fields))
	supplierName, number := "", ""
	for _, name := range names {
		cell := foreigntext.Clean(fields[name])
		if cell == "" || cell == "~" {
			continue
		}
		if plain(name) == "part" { // ODB++ and IPC-2581 name the library's entry so
			l.field(name, cell)
			continue
		}
		switch columnOf(name) {
		case fabCode:
			l.FabCode = firstOf(l.FabCode, fabCodeIn(cell))
		case distributorA:
			l.DistributorA = firstOf(l.DistributorA, oneWord(cell))
		case distributorB:
			l.DistributorB = firstOf(l.DistributorB, oneWord(cell))
		case partNumber, anyNumber:
			if l.MPN == "" {
				l.partNumbers(cell)
			}
		case manufacturer:
			l.Manufacturer = firstOf(l.Manufacturer, cell)
		case supplier:
			supplierName = cell
		case supplierNumber:
			number = cell
		case rated:
			l.Description = strings.TrimSpace(l.Description + " " + cell)
		default:
			l.field(name, cell)
		}
	}
	l.supplied(supplierName, number)
	l.tidy()
}
