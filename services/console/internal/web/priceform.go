package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/services/console/internal/plain"
)

// Bounds of a price that is set by hand.
const (
	mostLines     = 40
	mostLabel     = 120
	mostNote      = 2000
	mostCents     = 100_000_000 // a typing error is likelier than a million
	mostBuildDays = 365
	blankLines    = 3
)

// priceForm is the form as it was filled in, with what is wrong at each field.
type priceForm struct {
	Request string // names the request
	Lines   []priceLine
	Tax     field
	Days    field
	Valid   field
	Note    field
	Problem string // of the lines as a whole
	Total   int64  // cents, as far as the amounts could be read
	Added   bool   // the total was worked out
}

type priceLine struct{ Label, Amount field }

// field is one input: what stands in it and what is wrong with it.
type field struct{ Value, Problem string }

func priceFormOf(q contract.Quote) priceForm {
	var f priceForm
	tax := int64(0)
	if q.Reply.TaxCents != nil {
		tax = *q.Reply.TaxCents
	}
	for _, l := range q.Reply.Lines {
		if l.Label != "Tax" || l.Cents != tax { // it has a field of its own
			f.Lines = append(f.Lines, priceLine{field{Value: l.Label}, field{Value: decimal(l.Cents)}})
		}
	}
	for _, l := range assemblyLines(q) {
		if q.Reply.TotalCents == nil {
			f.Lines = append(f.Lines, priceLine{field{Value: l.Label}, field{Value: decimal(l.Cents)}})
		}
	}
	if len(f.Lines) > 0 && q.Reply.TotalCents == nil {
		f.Lines = append(f.Lines, priceLine{Label: field{Value: "Shipping"}})
	}
	if len(f.Lines) == 0 {
		f.Lines = []priceLine{{Label: field{Value: "Boards"}}, {Label: field{Value: "Shipping"}}}
	}
	if tax > 0 {
		f.Tax.Value = decimal(tax)
	}
	f.blank()
	return f
}

// blank adds empty lines to write into.
func (f *priceForm) blank() {
	for range blankLines {
		if len(f.Lines) < mostLines {
			f.Lines = append(f.Lines, priceLine{})
		}
	}
}

func readPriceForm(r *http.Request) priceForm {
	_ = r.ParseForm() // was parsed before
	labels, amounts := r.PostForm["label"], r.PostForm["amount"]
	f := priceForm{
		Request: r.PostFormValue("request"), Tax: field{Value: strings.TrimSpace(r.PostFormValue("tax"))},
		Days:  field{Value: strings.TrimSpace(r.PostFormValue("build_days"))},
		Valid: field{Value: strings.TrimSpace(r.PostFormValue("valid_days"))}, Note: field{Value: r.PostFormValue("note")},
	}
	for i := range min(len(labels), len(amounts), mostLines) {
		l := priceLine{field{Value: plain.Line(labels[i], 500)}, field{Value: strings.TrimSpace(amounts[i])}}
		if l.Label.Value != "" || l.Amount.Value != "" {
			f.Lines = append(f.Lines, l)
		}
	}
	return f
}

// parse reads the form and notes what is wrong at each field; empty lines to
// write into are added in any case.
func (f *priceForm) parse() (data contract.PriceReviewData, ok bool) {
	defer f.blank()
	ok = true
	bad := func(at *string, format string, args ...any) {
		*at, ok = fmt.Sprintf(format, args...), false
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		cents, err := parseCents(l.Amount.Value)
		if err != nil {
			bad(&l.Amount.Problem, amountHint)
		}
		switch {
		case l.Label.Value == "":
			bad(&l.Label.Problem, "Say what this is for.")
		case utf8.RuneCountInString(l.Label.Value) > mostLabel:
			bad(&l.Label.Problem, "At most %d characters.", mostLabel)
		}
		data.Lines = append(data.Lines, contract.Line{Label: l.Label.Value, Cents: cents})
		f.Total += cents
	}
	if len(f.Lines) == 0 {
		bad(&f.Problem, "A price has at least one line.")
	}
	if f.Tax.Value != "" {
		cents, err := parseCents(f.Tax.Value)
		if err != nil {
			bad(&f.Tax.Problem, amountHint)
		} else if cents < 0 {
			bad(&f.Tax.Problem, "Tax is not less than nothing.")
		}
		data.TaxCents = cents
		f.Total += cents
	}
	if f.Days.Value != "" {
		n, err := strconv.Atoi(f.Days.Value)
		if err != nil || n < 0 || n > mostBuildDays {
			bad(&f.Days.Problem, "A number of working days, 0 to %d.", mostBuildDays)
		}
		data.BuildDays = n
	}
	if f.Valid.Value != "" {
		n, err := strconv.Atoi(f.Valid.Value)
		if err != nil || n < 1 || n > contract.MostValidDays {
			bad(&f.Valid.Problem, "A number of days, 1 to %d.", contract.MostValidDays)
		}
		data.ValidDays = n
	}
	data.Note = plain.Block(f.Note.Value, mostNote+1)
	if utf8.RuneCountInString(data.Note) > mostNote {
		bad(&f.Note.Problem, "At most %d characters.", mostNote)
	}
	f.Added = ok
	switch {
	case !ok || len(f.Lines) == 0:
	case f.Total <= 0:
		bad(&f.Problem, "The total must be more than nothing.")
	case f.Total > mostCents:
		bad(&f.Problem, "The total is more than %s. Is there a typing error?", money(int64(mostCents), ""))
	}
	return data, ok
}

// refused puts what the service refused at the fields that it names.
func (f *priceForm) refused(r *contract.Refusal) {
	for _, p := range r.Fields {
		switch p.Field {
		case "tax_cents":
			f.Tax.Problem = p.Message
		case "build_days":
			f.Days.Problem = p.Message
		case "valid_days":
			f.Valid.Problem = p.Message
		case "note":
			f.Note.Problem = p.Message
		default:
			f.Problem = p.Message
		}
	}
}

var errAmount = errors.New("not an amount")

// amountHint is the message about an amount that cannot be read.
const amountHint = "An amount like 1234.50."

// parseCents reads an amount with at most two decimals: 1234.5, -10, 1,234.50.
func parseCents(s string) (int64, error) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "$")
	digits, negative := strings.CutPrefix(strings.ReplaceAll(s, "−", "-"), "-")
	whole, part, dotted := strings.Cut(digits, ".")
	whole, grouped := ungroup(whole)
	if !grouped || len(part) > 2 || dotted && part == "" || !allDigits(whole) || part != "" && !allDigits(part) {
		return 0, errAmount
	}
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil || n > math.MaxInt32*100 {
		return 0, errAmount
	}
	if negative {
		n = -n
	}
	return n, nil
}

// ungroup takes thousands separators out, where they stand right.
func ungroup(whole string) (string, bool) {
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && (g == "" || len(g) > 3)) {
			return whole, false
		}
	}
	return strings.Join(groups, ""), true
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// decimal writes cents as an amount to edit.
func decimal(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}
