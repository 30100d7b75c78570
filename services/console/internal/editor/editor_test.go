package editor

import (
	"net/url"
	"strings"
	"testing"

	"boardorder/pkg/contract/prices"

	"github.com/google/go-cmp/cmp"
)

// read is a form of lines: label, amount and note of each.
func read(parts []prices.Part, cells ...string) Lines {
	form := url.Values{}
	for i := 0; i < len(cells); i += 3 {
		form.Add("label-0", cells[i])
		form.Add("amount-0", cells[i+1])
		form.Add("detail-0", cells[i+2])
	}
	return Read(form, "-0", parts)
}

// TestLinesAreRead: a note stands behind its label, an empty row is none, and what is wrong
// is said with the line's words, or its number where it has none.
func TestLinesAreRead(t *testing.T) {
	t.Parallel()
	line := func(label string, cents int64) prices.PricedLine {
		return prices.PricedLine{Line: prices.Line{Label: label, Cents: cents}, For: prices.Other}
	}
	for _, tt := range []struct {
		name, problem string
		lines         Lines
		want          []prices.PricedLine
	}{
		{"lines", "", read(nil, "Boards", "1,200.50", "ENIG", "", "", "", "Discount", "-10.5", ""), []prices.PricedLine{line("Boards – ENIG", 120050), line("Discount", -1050)}},
		{"no amount", "“Shipping” needs an amount such as 1234.50.", read(nil, "Shipping", "", ""), nil},
		{"no number", "“ten” is not an amount of “Shipping”. Write it like 1234.50.", read(nil, "Shipping", "ten", ""), nil},
		{"no words", "Line 1: enter what it is for.", read(nil, "", "5", ""), nil},
		{"a note alone", "Line 1: enter what it is for.“Line 1” needs an amount such as 1234.50.", read(nil, "", "", "ENIG"), nil},
		{"too long with its note", "Line 1: at most 120 characters, the note among them.", read(nil, strings.Repeat("x", 100), "5", strings.Repeat("y", 18)), nil},
		{"nothing", "A price has at least one line.", read(nil, "", "", ""), nil},
	} {
		got, ok := tt.lines.Parse()
		problem := tt.lines.Problem
		for _, r := range tt.lines.Rows {
			problem += r.Label.Problem + r.Amount.Problem
		}
		if problem != tt.problem || ok != (problem == "") || ok && cmp.Diff(tt.want, got) != "" {
			t.Errorf("%s: Parse = %+v, %v, said %q; want %+v, %q", tt.name, got, ok, problem, tt.want, tt.problem)
		}
	}
}

// TestKnownLinesAreWrittenBack as they were, whatever stands in their labels.
func TestKnownLinesAreWrittenBack(t *testing.T) {
	t.Parallel()
	for _, want := range []prices.Line{{Label: "Boards", Cents: 5}, {Label: "Boards – ENIG – gold", Cents: -1050}, {Label: "Shipping: DHL", Cents: 2000}} {
		l := Lines{Rows: []Row{NewRow(want, prices.Other)}}
		got, ok := l.Parse()
		if !ok || len(got) != 1 || got[0].Line != want || l.Total != want.Cents {
			t.Errorf("%+v is read as %+v, %v, total %d; want it as it was", want, got, ok, l.Total)
		}
	}
}

// TestRowsComeAndGo by the buttons of the form, up to as many as a price has.
func TestRowsComeAndGo(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]string{"row-0": "a b ", "drop-0:0": "b", "drop-0:1": "a", "drop-0:2": "a b", "drop-1:0": "", "add": ""} {
		l := read(nil, "a", "1", "", "b", "2", "")
		done := l.Edit(action)
		var got []string
		for _, r := range l.Rows {
			got = append(got, r.Label.Value)
		}
		if done != (want != "") || done && strings.Join(got, " ") != want {
			t.Errorf("Edit(%q) = %v, rows %q; want %q", action, done, got, want)
		}
	}
	l := Lines{Rows: make([]Row, MaxLines)}
	if l.Edit("row"); len(l.Rows) != MaxLines {
		t.Errorf("a row more than %d: %d", MaxLines, len(l.Rows))
	}
}

// TestPartsOfAPrice: a line says which part it is, and one of a part may stay without an
// amount: whether the price has all that it must is asked elsewhere.
func TestPartsOfAPrice(t *testing.T) {
	t.Parallel()
	form := url.Values{"label": {"Boards", "Shipping", "Odd"}, "amount": {"10", "", "1"}, "for": {"boards", "shipping", "nonsense"}}
	l := Read(form, "", prices.ListParts())
	got, ok := l.Parse()
	want := []prices.PricedLine{{Line: prices.Line{Label: "Boards", Cents: 1000}, For: prices.Boards}, {Line: prices.Line{Label: "Odd", Cents: 100}, For: prices.Other}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("Parse = %v, -want +got %s", ok, diff)
	}
}
