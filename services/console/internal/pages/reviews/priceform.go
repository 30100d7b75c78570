package reviews

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/editor"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
)

// Bounds of a price that is set by hand.
const (
	MaxNote      = 2000
	maxBuildDays = 365
)

// priceForm is the form as it was filled in, with what is wrong at each field.
type priceForm struct {
	Request  string // names the request
	Version  int    // of the quote when the form was opened
	Lines    editor.Lines
	Tax      page.Field
	Out      []leftOutField
	Parts    []partField
	Rest     string // what becomes of the parts that have no decision of their own
	Below    bool   // less than is known is meant
	AskBelow string // what is below
	Days     page.Field
	Transit  page.Field // 3 to 5
	Valid    page.Field
	Note     page.Field
	Problem  string // of the lines as a whole
	Total    int64  // cents, as far as the amounts could be read
	Added    bool   // the total was worked out
}

// leftOutField is a part of the price that may be left out, in words for the customer.
type leftOutField struct {
	Part    prices.Part
	Out     bool
	Words   string
	Problem string
}

// partField is what becomes of a part without a price.
type partField struct {
	Reference, Part, Why string
	Fitting              string
	Amount, From         page.Field
	Problem              string
}

// priceFormOf is the form that a price begins with: the last one, or else all that
// is known.
func priceFormOf(q quotes.Quote) priceForm {
	f := priceForm{Lines: editor.Lines{Parts: prices.ListParts()}, Version: q.Version}
	var was quotes.PriceReviewData
	switch {
	case q.Team != nil:
		was = q.Team.Price
	case q.Known != nil:
		k := q.Known
		was = quotes.PriceReviewData{Lines: k.Lines, BuildDays: k.BuildDays, TransitMin: k.TransitMin, TransitMax: k.TransitMax}
	}
	for _, l := range was.Lines {
		f.Lines.Rows = append(f.Lines.Rows, editor.NewRow(l.Line, l.For))
	}
	f.complete(q)
	if was.TaxCents > 0 {
		f.Tax.Value = format.Decimal(was.TaxCents)
	}
	f.Out = omissionFields(was.LeftOut)
	f.Parts = partFields(q, was.Parts)
	f.Days.Value, f.Transit.Value, f.Note.Value = daysWords(was.BuildDays), transitWords(was.TransitMin, was.TransitMax), was.Note
	f.Lines.AddBlank()
	return f
}

// complete adds an empty line for each part of the order that has none.
func (f *priceForm) complete(q quotes.Quote) {
	parts := []prices.Part{prices.Boards, prices.Shipping}
	if q.Request.Assembly {
		parts = []prices.Part{prices.Boards, prices.Assembly, prices.Components, prices.Shipping}
	}
	for _, part := range parts {
		if !slices.ContainsFunc(f.Lines.Rows, func(r editor.Row) bool { return r.For == part }) {
			f.Lines.Rows = append(f.Lines.Rows, editor.Row{Label: page.Field{Value: strings.ToUpper(string(part[:1])) + string(part[1:])}, For: part})
		}
	}
}

// leftOutWords are what the customer reads unless the operator writes it otherwise.
var leftOutWords = map[prices.Part]string{
	prices.Boards: "The boards themselves", prices.Assembly: "Assembling the boards", prices.Components: "The parts",
	prices.Shipping: "Shipping to you", prices.Duty: "Import duty: whoever delivers collects it from you", prices.Tax: "Tax: whoever delivers collects it from you where it is due",
}

func omissionFields(was []prices.LeftOut) []leftOutField {
	var out []leftOutField
	for _, part := range prices.ListParts() {
		f := leftOutField{Part: part, Words: leftOutWords[part]}
		for _, l := range was {
			if l.Part == part {
				f.Out, f.Words = true, l.Words
			}
		}
		if f.Words != "" {
			out = append(out, f)
		}
	}
	return out
}

func partFields(q quotes.Quote, was []quotes.PartDecision) []partField {
	var out []partField
	for _, p := range q.PartsToDecide() {
		f := partField{Reference: p.Reference, Part: strings.TrimSpace(cmp.Or(p.MPN, p.Part) + " " + p.Footprint), Why: p.Why}
		for _, d := range was {
			if d.Reference == p.Reference {
				f.Fitting, f.From.Value = d.Fitting, d.From
				if d.Cents > 0 {
					f.Amount.Value = format.Decimal(d.Cents)
				}
			}
		}
		out = append(out, f)
	}
	return out
}

func daysWords(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func transitWords(low, high int) string {
	switch {
	case high == 0:
		return ""
	case low == high:
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// readPriceForm reads what was filled in for a quote's price.
func readPriceForm(r *http.Request, q quotes.Quote) priceForm {
	_ = r.ParseForm() // was parsed before
	f := priceForm{
		Request: r.PostFormValue("request"), Tax: page.Field{Value: strings.TrimSpace(r.PostFormValue("tax"))}, Rest: r.PostFormValue("rest"),
		Below: r.PostFormValue("below") == "yes", Transit: page.Field{Value: strings.TrimSpace(r.PostFormValue("transit"))},
		Days:  page.Field{Value: strings.TrimSpace(r.PostFormValue("build_days"))},
		Valid: page.Field{Value: strings.TrimSpace(r.PostFormValue("valid_days"))}, Note: page.Field{Value: r.PostFormValue("note")},
	}
	f.Version, _ = strconv.Atoi(r.PostFormValue("version"))
	f.Lines = editor.Read(r.PostForm, "", prices.ListParts())
	for _, out := range omissionFields(nil) {
		out.Out = r.PostFormValue("out-"+string(out.Part)) == "yes"
		out.Words = untrusted.Line(r.PostFormValue("words-"+string(out.Part)), editor.MaxLabel)
		f.Out = append(f.Out, out)
	}
	refs, fittings, costs, from := r.PostForm["part"], r.PostForm["fitting"], r.PostForm["cost"], r.PostForm["from"]
	f.Parts = partFields(q, nil)
	for i := range f.Parts {
		p := &f.Parts[i]
		p.Fitting = f.Rest
		if j := slices.Index(refs, p.Reference); j >= 0 && j < min(len(fittings), len(costs), len(from)) {
			p.Fitting, p.Amount.Value, p.From.Value = cmp.Or(fittings[j], f.Rest), strings.TrimSpace(costs[j]), untrusted.Line(from[j], editor.MaxLabel)
		}
	}
	return f
}

// parse reads the form and notes what is wrong at each field.
func (f *priceForm) parse() (data quotes.PriceReviewData, ok bool) {
	defer f.Lines.AddBlank()
	bad := func(at *string, format string, args ...any) {
		*at, ok = fmt.Sprintf(format, args...), false
	}
	data.Lines, ok = f.Lines.Parse()
	f.Total = f.Lines.Total
	if f.Tax.Value != "" {
		cents, err := format.ParseCents(f.Tax.Value)
		if err != nil {
			bad(&f.Tax.Problem, "%s", format.ExplainAmount(f.Tax.Value, "tax"))
		} else if cents < 0 {
			bad(&f.Tax.Problem, "Tax cannot be negative.")
		}
		data.TaxCents = cents
		f.Total += cents
	}
	for i := range f.Parts {
		p := &f.Parts[i]
		d := quotes.PartDecision{Reference: p.Reference, Fitting: p.Fitting}
		if p.Fitting == assemblies.Fitted {
			cents, err := format.ParseCents(p.Amount.Value)
			if err != nil || cents <= 0 {
				bad(&p.Problem, "%s", format.ExplainAmount(p.Amount.Value, p.Reference))
			}
			d.Cents, d.From = cents, p.From.Value
			f.Total += cents
		}
		if p.Fitting != "" {
			data.Parts = append(data.Parts, d)
		}
	}
	for i := range f.Out {
		switch o := &f.Out[i]; {
		case o.Out && o.Words == "":
			bad(&o.Problem, "Describe it: the customer reads this.")
		case o.Out:
			data.LeftOut = append(data.LeftOut, prices.LeftOut{Part: o.Part, Words: o.Words})
		}
	}
	data.Below = f.Below
	f.parseTimes(&data, bad)
	data.Note = untrusted.Block(f.Note.Value, MaxNote+1)
	if utf8.RuneCountInString(data.Note) > MaxNote {
		bad(&f.Note.Problem, "At most %d characters.", MaxNote)
	}
	f.Added = ok
	if wrong := editor.ExplainTotal(f.Total); ok && wrong != "" {
		bad(&f.Problem, "%s", wrong)
	}
	return data, ok
}

func (f *priceForm) parseTimes(data *quotes.PriceReviewData, bad func(at *string, format string, args ...any)) {
	if f.Days.Value != "" {
		n, err := strconv.Atoi(f.Days.Value)
		if err != nil || n < 0 || n > maxBuildDays {
			bad(&f.Days.Problem, "A number of working days, 0 to %d.", maxBuildDays)
		}
		data.BuildDays = n
	}
	if f.Transit.Value != "" {
		low, high, ranged := strings.Cut(strings.NewReplacer("-", "to", "–", "to").Replace(f.Transit.Value), "to")
		if !ranged {
			high = low
		}
		from, err := strconv.Atoi(strings.TrimSpace(low))
		until, wrong := strconv.Atoi(strings.TrimSpace(high))
		if err != nil || wrong != nil || from < 0 || until < from || until > maxBuildDays {
			bad(&f.Transit.Problem, "Working days, such as 3 to 5.")
		}
		data.TransitMin, data.TransitMax = from, until
	}
	if f.Valid.Value != "" {
		n, err := strconv.Atoi(f.Valid.Value)
		if err != nil || n < 1 || n > quotes.MaxValidDays {
			bad(&f.Valid.Problem, "A number of days, 1 to %d.", quotes.MaxValidDays)
		}
		data.ValidDays = n
	}
}

// markProblems puts what the service refused at the fields that it names.
func (f *priceForm) markProblems(problems []contract.FieldProblem) {
	for _, p := range problems {
		out, isOut := strings.CutPrefix(p.Field, quotes.PriceLacks)
		ref, isPart := strings.CutPrefix(p.Field, quotes.PriceUndecided)
		switch {
		case isOut:
			for i := range f.Out {
				if string(f.Out[i].Part) == out {
					f.Out[i].Problem = p.Message
				}
			}
		case isPart:
			for i := range f.Parts {
				if f.Parts[i].Reference == ref {
					f.Parts[i].Problem = p.Message
				}
			}
		case strings.HasPrefix(p.Field, quotes.PriceBelow):
			f.AskBelow = strings.TrimSpace(f.AskBelow + " " + p.Message)
		case p.Field == "tax_cents":
			f.Tax.Problem = p.Message
		case p.Field == "build_days":
			f.Days.Problem = p.Message
		case p.Field == "transit":
			f.Transit.Problem = p.Message
		case p.Field == "valid_days":
			f.Valid.Problem = p.Message
		case p.Field == "note":
			f.Note.Problem = p.Message
		default:
			f.Problem = p.Message
		}
	}
}
