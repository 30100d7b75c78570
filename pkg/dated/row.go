package dated

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/money"
)

// A Row hands out the cells of one line. A cell that is wrong is noted in the
// table and read as its zero value, so that one run names all that is wrong.
type Row struct {
	Line int

	table   *Table
	columns []string
	cells   []string
}

// Fail notes that a cell cannot be used, and why.
func (r *Row) Fail(column, why string) {
	r.table.problems = append(r.table.problems,
		fmt.Errorf("%s line %d, column %s: %q %s", r.table.Name, r.Line, column, r.Text(column), why))
}

// Text is a cell, which may be empty.
func (r *Row) Text(column string) string {
	return strings.TrimSpace(r.cells[slices.Index(r.columns, column)])
}

// RequireText is a cell that must not be empty.
func (r *Row) RequireText(column string) string {
	s := r.Text(column)
	if s == "" {
		r.Fail(column, "must not be empty")
	}
	return s
}

// Choice is a cell that must be one of these words.
func (r *Row) Choice(column string, words ...string) string {
	s := r.Text(column)
	if !slices.Contains(words, s) {
		r.Fail(column, fmt.Sprintf("is not one of %q", words))
	}
	return s
}

// List is a cell of words set apart by spaces.
func (r *Row) List(column string) []string { return strings.Fields(r.Text(column)) }

// Percent is a cell such as 25 or 9.975; an empty one is zero.
func (r *Row) Percent(column string) money.Rate {
	s := r.Text(column)
	if s == "" {
		return 0
	}
	rate, err := money.ParsePercent(s)
	if err != nil {
		r.Fail(column, "is not a percentage")
	}
	return rate
}

// Int is a whole number, zero or more; an empty cell is zero.
func (r *Row) Int(column string) int64 {
	s := r.Text(column)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		r.Fail(column, "is not a whole number, zero or more")
		return 0
	}
	return n
}

// Decimal is an amount of money with at most two decimals, as hundredths; an
// empty cell is zero.
func (r *Row) Decimal(column string) int64 {
	s := r.Text(column)
	whole, part, _ := strings.Cut(s, ".")
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", max(0, 2-len(part))), 10, 64)
	if err != nil || n < 0 || len(part) > 2 || whole == "" {
		r.Fail(column, "is not an amount with at most two decimals")
		return 0
	}
	return n
}

// Span is what the closing columns say.
func (r *Row) Span() Span {
	s := Span{
		From: r.day("valid_from", true), To: r.day("valid_to", false),
		Source: r.RequireText("source"), Checked: r.day("checked", true),
		Certainty: r.Choice("certainty", "confirmed", "estimate", "uncertain"), Note: r.Text("note"),
	}
	if s.To != "" && s.To < s.From {
		r.Fail("valid_to", "is before valid_from")
	}
	switch document, unread := strings.CutPrefix(s.Source, notRead); {
	case strings.Contains(strings.ToLower(s.Source), "general knowledge"):
		r.Fail("source", "is no document: name what was read, or what is to be read as \"not read: …\"")
	case unread && strings.TrimSpace(document) == "":
		r.Fail("source", "does not say which document was not read")
	case unread && !s.Uncertain():
		r.Fail("certainty", "what was not read is uncertain")
	}
	return s
}

func (r *Row) day(column string, required bool) Day {
	s := r.Text(column)
	if s == "" && !required {
		return ""
	}
	d, err := ParseDay(s)
	if err != nil {
		r.Fail(column, "is not a day such as 2026-11-21")
	}
	return d
}
