// Package editor is the form for the lines of a price, wherever the team sets one: what a
// line is for, how much, and a note, in as many rows as there are lines.
package editor

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/prices"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
)

// Bounds of a price that is set by hand.
const (
	MaxLines = 40
	MaxLabel = 120
	MaxCents = 100_000_000 // a typing error is likelier than a million
)

// Lines are the lines of one price as they stand in a form, with what is wrong at each.
type Lines struct {
	Name    string        // ends the names of the inputs: a page can have several prices
	Parts   []prices.Part // of a price, that a line can be for; none: it is not asked
	Rows    []Row
	Problem string // of the lines as a whole
	Total   int64  // cents, as far as the amounts could be read
}

// Row is one line. Customers read its note behind its label.
type Row struct {
	Label, Amount, Note page.Field
	For                 prices.Part
}

// NumberedRow is a row as a page shows it.
type NumberedRow struct {
	Row
	Name  string
	Parts []prices.Part
	N     int // from 0
}

// ListRows gives the rows as a page shows them.
func (l Lines) ListRows() []NumberedRow {
	out := make([]NumberedRow, len(l.Rows))
	for i, r := range l.Rows {
		out[i] = NumberedRow{r, l.Name, l.Parts, i}
	}
	return out
}

// noteMark stands between the label of a line and its note.
const noteMark = " – "

// NewRow is a line as it was set before, or is known.
func NewRow(l prices.Line, part prices.Part) Row {
	r := Row{Amount: page.Field{Value: format.Decimal(l.Cents)}, For: part}
	r.Label.Value, r.Note.Value, _ = strings.Cut(l.Label, noteMark)
	return r
}

// Read reads what was filled in.
func Read(form url.Values, name string, parts []prices.Part) Lines {
	l := Lines{Name: name, Parts: parts}
	at := func(field string, i int) string {
		if values := form[field+name]; i < len(values) {
			return values[i]
		}
		return ""
	}
	for i := range min(len(form["label"+name]), MaxLines) {
		r := Row{
			Label: page.Field{Value: untrusted.Line(at("label", i), 500)}, Amount: page.Field{Value: strings.TrimSpace(at("amount", i))},
			Note: page.Field{Value: untrusted.Line(at("detail", i), 500)}, For: prices.Other,
		}
		if part := prices.Part(at("for", i)); slices.Contains(parts, part) {
			r.For = part
		}
		l.Rows = append(l.Rows, r)
	}
	return l
}

// AddBlank adds a row to write into where there is none.
func (l *Lines) AddBlank() {
	if len(l.Rows) < MaxLines && !slices.ContainsFunc(l.Rows, Row.isBlank) {
		l.Rows = append(l.Rows, Row{For: prices.Other})
	}
}

// Edit adds or removes a row where that is what a button of the form asks for.
func (l *Lines) Edit(action string) bool {
	if action == "row"+l.Name {
		if len(l.Rows) < MaxLines {
			l.Rows = append(l.Rows, Row{For: prices.Other})
		}
		return true
	}
	which, drops := strings.CutPrefix(action, "drop"+l.Name+":")
	if i, err := strconv.Atoi(which); drops && err == nil && i >= 0 && i < len(l.Rows) {
		l.Rows = slices.Delete(l.Rows, i, i+1)
	}
	return drops
}

// IsEmpty tells whether nothing is filled in.
func (l Lines) IsEmpty() bool {
	return !slices.ContainsFunc(l.Rows, func(r Row) bool { return !r.isBlank() })
}

// Parse gives the lines, notes what is wrong at each, and adds them up.
func (l *Lines) Parse() (out []prices.PricedLine, ok bool) {
	ok, l.Total = true, 0
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.isBlank() || r.Amount.Value == "" && r.For != prices.Other {
			continue // what a price lacks of its parts is looked at as a whole
		}
		line, fine := r.parse(i + 1)
		ok = ok && fine
		out = append(out, line)
		l.Total += line.Cents
	}
	if len(out) == 0 && ok {
		l.Problem, ok = "A price has at least one line.", false
	}
	return out, ok
}

// ExplainTotal says what is wrong with the sum of a price; "" if nothing is.
func ExplainTotal(cents int64) string {
	switch {
	case cents <= 0:
		return "The total must be above 0."
	case cents > MaxCents:
		return fmt.Sprintf("The total is more than %s. Is there a typing error?", format.Money(int64(MaxCents), ""))
	}
	return ""
}

func (r Row) isBlank() bool { return r.Label.Value+r.Amount.Value+r.Note.Value == "" }

func (r *Row) parse(n int) (out prices.PricedLine, ok bool) {
	cents, err := format.ParseCents(r.Amount.Value)
	if err != nil {
		r.Amount.Problem = format.ExplainAmount(r.Amount.Value, cmp.Or(r.Label.Value, fmt.Sprintf("Line %d", n)))
	}
	label := r.Label.Value
	if r.Note.Value != "" {
		label += noteMark + r.Note.Value
	}
	switch {
	case r.Label.Value == "":
		r.Label.Problem = fmt.Sprintf("Line %d: enter what it is for.", n)
	case utf8.RuneCountInString(label) > MaxLabel:
		r.Label.Problem = fmt.Sprintf("Line %d: at most %d characters, the note among them.", n, MaxLabel)
	}
	out = prices.PricedLine{Line: prices.Line{Label: label, Cents: cents}, For: r.For}
	return out, r.Amount.Problem+r.Label.Problem == ""
}
