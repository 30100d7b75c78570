package formal

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/services/console/internal/page"

	"github.com/google/go-cmp/cmp"
)

func post(values url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// TestQuoteForm: each option has its own lines, of which one may be negative; what is left
// empty is no option.
func TestQuoteForm(t *testing.T) {
	t.Parallel()
	f := readQuoteForm(post(url.Values{
		"fabricator": {"Fab One", "", "Fab Two"}, "description": {"four layers", "", ""}, "days": {"12", "", "0"},
		"label-0": {"Boards", "", "Shipping", "Discount"}, "amount-0": {"1,200.50", "", "30", "-10.50"}, "detail-0": {"ENIG", "", "", ""}, "label-1": {""}, "amount-1": {""},
		"label-2": {"All"}, "amount-2": {"5"}, "until": {"2031-02-03"}, "email": {"grace@example.com"}, "note": {"Well."},
	}))
	got, ok := f.parse()
	want := formal.IssueQuoteData{
		Options: []formal.Option{
			{Fabricator: "Fab One", Description: "four layers", LeadTimeDays: 12, TotalCents: 122000,
				Lines: []prices.Line{{Label: "Boards – ENIG", Cents: 120050}, {Label: "Shipping", Cents: 3000}, {Label: "Discount", Cents: -1050}}},
			{Fabricator: "Fab Two", TotalCents: 500, Lines: []prices.Line{{Label: "All", Cents: 500}}},
		},
		ValidUntil: time.Date(2031, 2, 3, 23, 59, 59, 0, time.UTC), Email: "grace@example.com", Note: "Well.",
	}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("parse() = %v, -want +got:\n%s", ok, diff)
	}
	if len(f.Options) != 2 || f.Options[1].Lines.Name != "-1" {
		t.Errorf("the form has the options %+v to show, want the two, the second's lines named -1", f.Options)
	}
	if got := largestTotal(got.Options); got != 122000 {
		t.Errorf("largestTotal = %d, want 122000", got)
	}
}

func TestQuoteFormSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	option := func(f quoteForm) optionForm { return f.Options[0] }
	for _, tt := range []struct {
		name, field, value string
		at                 func(quoteForm) string
	}{
		{"no fabricator", "fabricator", "", func(f quoteForm) string { return option(f).Fabricator.Problem }},
		{"days in words", "days", "soon", func(f quoteForm) string { return option(f).Days.Problem }},
		{"days below 0", "days", "-1", func(f quoteForm) string { return option(f).Days.Problem }},
		{"more than two years", "days", "731", func(f quoteForm) string { return option(f).Days.Problem }},
		{"no lines", "label-0", "", func(f quoteForm) string { return option(f).Lines.Problem }},
		{"nothing to pay", "amount-0", "0", func(f quoteForm) string { return option(f).Lines.Problem }},
		{"more than a million", "amount-0", "1000000.01", func(f quoteForm) string { return option(f).Lines.Problem }},
		{"no date", "until", "tomorrow", func(f quoteForm) string { return f.Until.Problem }},
		{"no e-mail address", "email", "grace", func(f quoteForm) string { return f.Email.Problem }},
		{"a name beside the address", "email", "Grace <grace@example.com>", func(f quoteForm) string { return f.Email.Problem }},
		{"a long note", "note", strings.Repeat("x", 2001), func(f quoteForm) string { return f.Note.Problem }},
	} {
		values := url.Values{"fabricator": {"Fab"}, "description": {"x"}, "days": {"3"}, "label-0": {"Boards"}, "amount-0": {"10"}, "until": {"2031-01-01"}}
		values.Set(tt.field, tt.value)
		if tt.field == "label-0" {
			values.Del("amount-0")
		}
		f := readQuoteForm(post(values))
		if _, ok := f.parse(); ok || tt.at(f) == "" {
			t.Errorf("%s: parse() = %v, said %q; want false and a problem at the field", tt.name, ok, tt.at(f))
		}
	}
	empty := readQuoteForm(post(url.Values{"until": {"2031-01-01"}}))
	if _, ok := empty.parse(); ok || empty.Problem == "" {
		t.Errorf("without options: parse() = %v, problem %q; want false and a problem", ok, empty.Problem)
	}
}

// TestQuoteFormBeginsWithTheQuote: what was issued is read again as it was.
func TestQuoteFormBeginsWithTheQuote(t *testing.T) {
	t.Parallel()
	options := []formal.Option{{Fabricator: "Fab", Description: "d", LeadTimeDays: 5, TotalCents: 1050, Lines: []prices.Line{{Label: "Boards", Cents: 2050}, {Label: "Discount", Cents: -1000}}}}
	now := time.Date(2031, 1, 1, 8, 0, 0, 0, time.UTC)
	f := quoteFormOf(formal.Order{Form: formal.Form{Email: "grace@example.com"}, Quote: &formal.Quote{Options: options, Note: "n"}}, now)
	got, ok := f.parse()
	if diff := cmp.Diff(options, got.Options); !ok || diff != "" || got.Note != "n" || got.Email != "grace@example.com" {
		t.Errorf("parse() = %v, note %q, e-mail %q, -want +got:\n%s", ok, got.Note, got.Email, diff)
	}
	if want := time.Date(2031, 1, 31, 23, 59, 59, 0, time.UTC); got.ValidUntil != want {
		t.Errorf("valid until %v, want %v", got.ValidUntil, want)
	}
}

// TestQuoteFormBeginsWithWhatIsOrdered: a line for each service and the way to the customer,
// to which only amounts are missing.
func TestQuoteFormBeginsWithWhatIsOrdered(t *testing.T) {
	t.Parallel()
	f := quoteFormOf(formal.Order{Form: formal.Form{Qty: 50, Services: formal.Services{Fabrication: true, Assembly: true}}}, time.Now())
	var got []string
	for _, r := range f.Options[0].Lines.Rows {
		got = append(got, r.Label.Value+"|"+r.Note.Value+"|"+r.Amount.Value)
	}
	if want := []string{"Boards|for 50 boards|", "Assembly|for 50 boards|", "Shipping||", "||"}; !slices.Equal(got, want) {
		t.Errorf("the lines begin as %q, want %q", got, want)
	}
	if _, ok := f.parse(); ok || f.Options[0].Lines.Rows[2].Amount.Problem != "“Shipping” needs an amount such as 1234.50." {
		t.Errorf("without amounts: parse() = %v, said %+v; want false, and what the line of shipping needs", ok, f.Options[0].Lines.Rows)
	}
}

// TestQuoteFormIsEdited: options and their lines come and go, each by its own button.
func TestQuoteFormIsEdited(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]string{
		"option": "A[x y ] B[z ] [z ]", "drop-option:0": "B[z ]", "drop-0:0": "A[y] B[z]", "row-1": "A[x y] B[z ]", "drop-option:7": "", "issue": "", "row-5": "",
	} {
		f := readQuoteForm(post(url.Values{"fabricator": {"A", "B"}, "label-0": {"x", "y"}, "amount-0": {"1", "2"}, "label-1": {"z"}, "amount-1": {"3"}}))
		done, got := f.edit(action), []string{}
		for _, o := range f.Options {
			var rows []string
			for _, r := range o.Lines.Rows {
				rows = append(rows, r.Label.Value)
			}
			got = append(got, fmt.Sprintf("%s[%s]", o.Fabricator.Value, strings.Join(rows, " ")))
		}
		if done != (want != "") || done && strings.Join(got, " ") != want {
			t.Errorf("edit(%q) = %v, options %q; want %q", action, done, got, want)
		}
	}
}

func TestMoveForm(t *testing.T) {
	t.Parallel()
	production := formal.InProduction
	for _, tt := range []struct {
		name string
		from formal.Status
		form url.Values
		bad  func(moveForm) page.Field // nil: the form is right
	}{
		{"a status that follows", production, url.Values{"status": {"shipped"}, "carrier": {"DHL"}, "number": {"1"}, "url": {"https://dhl.example/1"}}, nil},
		{"only a date", production, url.Values{"ship": {"2031-01-01"}}, nil},
		{"a status that does not follow", production, url.Values{"status": {"submitted"}}, func(f moveForm) page.Field { return f.Status }},
		{"no such status", production, url.Values{"status": {"odd"}}, func(f moveForm) page.Field { return f.Status }},
		{"no date", production, url.Values{"ship": {"1 May"}}, func(f moveForm) page.Field { return f.Ship }},
		{"shipped by nobody", production, url.Values{"status": {"shipped"}, "number": {"1"}}, func(f moveForm) page.Field { return f.Carrier }},
		{"shipped without a number", production, url.Values{"status": {"shipped"}, "carrier": {"DHL"}}, func(f moveForm) page.Field { return f.Number }},
		{"an address that is none", production, url.Values{"carrier": {"DHL"}, "number": {"1"}, "url": {"javascript:alert(1)"}}, func(f moveForm) page.Field { return f.URL }},
	} {
		f := readMoveForm(post(tt.form))
		_, ok := f.parse(tt.from)
		if want := tt.bad == nil; ok != want || !want && tt.bad(f).Problem == "" {
			t.Errorf("%s: parse(%s) = %v, want %v; form %+v", tt.name, tt.from, ok, want, f)
		}
	}
}

func TestFindingForm(t *testing.T) {
	t.Parallel()
	f := readFindingForm(post(url.Values{"findings": {"Must fix: The outline is open.\n\nnote: fine: really"}, "note": {"n"}}))
	got, ok := f.parse()
	want := formal.RecordReviewData{Note: "n", Findings: []formal.Finding{{Level: "must_fix", What: "The outline is open."}, {Level: "note", What: "fine: really"}}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("parse() = %v, -want +got:\n%s", ok, diff)
	}
	for _, text := range []string{"odd: x", "note", "note:", strings.Repeat("note: x\n", formal.MaxFindings+1)} {
		f := readFindingForm(post(url.Values{"findings": {text}}))
		if _, ok := f.parse(); ok || f.Findings.Problem == "" {
			t.Errorf("findings %.20q: parse() = %v, problem %q; want false and a problem", text, ok, f.Findings.Problem)
		}
	}
	again := findingFormOf(formal.Order{Review: &formal.Review{Findings: want.Findings, Note: "n"}})
	if got, ok := again.parse(); !ok || cmp.Diff(want, got) != "" {
		t.Errorf("what was recorded is read as %+v, %v; want %+v", got, ok, want)
	}
}

// TestAddedOptionHasLines: it begins with the lines of the last without their amounts, and
// nothing that was typed before is lost.
func TestAddedOptionHasLines(t *testing.T) {
	t.Parallel()
	f := readQuoteForm(post(url.Values{
		"fabricator": {"Fab One"}, "description": {"four layers"}, "days": {"12"}, "label-0": {"Boards", "Shipping"}, "amount-0": {"12,50", "x"}, "detail-0": {"ENIG", ""},
		"until": {"2031-02-03"}, "email": {"grace@example.com"}, "note": {"Well."},
	}))
	if !f.edit("option") || len(f.Options) != 2 || !f.Options[1].Added {
		t.Fatalf("after adding an option the form has %+v, want a second one that is marked as added", f.Options)
	}
	var got []string
	for _, o := range f.Options {
		for _, r := range o.Lines.Rows {
			got = append(got, r.Label.Value+"|"+r.Note.Value+"|"+r.Amount.Value)
		}
	}
	if want := []string{"Boards|ENIG|12,50", "Shipping||x", "||", "Boards|ENIG|", "Shipping||", "||"}; !slices.Equal(got, want) {
		t.Errorf("the lines of both are %q, want %q", got, want)
	}
	if f.Options[0].Fabricator.Value != "Fab One" || f.Note.Value != "Well." || f.Options[1].Fabricator.Value != "" {
		t.Errorf("the form has %+v, want what was typed, and no fabricator in the new option", f)
	}
	for range formal.MaxOptions {
		f.edit("option")
	}
	if len(f.Options) != formal.MaxOptions || f.Problem == "" {
		t.Errorf("there are %d options, said %q; want %d and that there are no more", len(f.Options), f.Problem, formal.MaxOptions)
	}
}
