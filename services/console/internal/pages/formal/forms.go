package formal

import (
	"fmt"
	"net/http"
	netmail "net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/editor"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/reviews"
)

// quoteForm is a formal quote as it was filled in.
type quoteForm struct {
	Request            string
	Options            []optionForm
	Until, Email, Note page.Field
	Problem            string
}

// optionForm is one option.
type optionForm struct {
	Fabricator, Description, Days page.Field
	Lines                         editor.Lines
	Added                         bool // now, to be filled in next
}

// usualValid is how long a quote is valid unless the team says otherwise.
const usualValid = 30 * 24 * time.Hour

func quoteFormOf(o formal.Order, now time.Time) quoteForm {
	f := quoteForm{Until: page.Field{Value: now.Add(usualValid).UTC().Format(time.DateOnly)}, Email: page.Field{Value: o.Email}}
	if o.Quote == nil {
		f.Options = []optionForm{{Lines: editor.Lines{Rows: rowsOf(o)}}}
	} else {
		f.Note.Value = o.Quote.Note
		for _, option := range o.Quote.Options {
			one := optionForm{
				Fabricator: page.Field{Value: option.Fabricator}, Description: page.Field{Value: option.Description}, Days: page.Field{Value: strconv.Itoa(option.LeadTimeDays)},
				Lines: editor.Lines{Total: option.TotalCents},
			}
			for _, l := range option.Lines {
				one.Lines.Rows = append(one.Lines.Rows, editor.NewRow(l, prices.Other))
			}
			f.Options = append(f.Options, one)
		}
	}
	f.complete()
	return f
}

// rowsOf are lines for what is ordered, whose amounts are still to be found.
func rowsOf(o formal.Order) (rows []editor.Row) {
	add := func(label, note string) {
		rows = append(rows, editor.Row{Label: page.Field{Value: label}, Note: page.Field{Value: note}, For: prices.Other})
	}
	for _, service := range []struct {
		ordered bool
		label   string
	}{{o.Services.Fabrication, "Boards"}, {o.Services.PartProcurement, "Parts"}, {o.Services.Assembly, "Assembly"}} {
		if service.ordered {
			add(service.label, fmt.Sprintf("for %d boards", o.Qty))
		}
	}
	add("Shipping", "")
	return rows
}

// complete has one option at least, numbers them, and gives each a line to write into.
func (f *quoteForm) complete() {
	if len(f.Options) == 0 {
		f.Options = []optionForm{{}}
	}
	for i := range f.Options {
		lines := &f.Options[i].Lines
		lines.Name = optionName(i)
		lines.AddBlank()
	}
}

// addOption adds an option with the lines of the last, whose amounts are still to be found.
func (f *quoteForm) addOption() {
	if len(f.Options) >= formal.MaxOptions {
		f.Problem = fmt.Sprintf("A quote has at most %d options.", formal.MaxOptions)
		return
	}
	next := optionForm{Added: true}
	if n := len(f.Options); n > 0 {
		for _, r := range f.Options[n-1].Lines.Rows {
			next.Lines.Rows = append(next.Lines.Rows, editor.Row{Label: page.Field{Value: r.Label.Value}, Note: page.Field{Value: r.Note.Value}, For: r.For})
		}
	}
	f.Options = append(f.Options, next)
}

// optionName ends the names of the inputs for the lines of an option.
func optionName(i int) string { return "-" + strconv.Itoa(i) }

// edit adds or removes an option or a line, where that is what a button of the form asks for.
func (f *quoteForm) edit(action string) bool {
	which, drops := strings.CutPrefix(action, "drop-option:")
	switch i, err := strconv.Atoi(which); {
	case action == "option":
		f.addOption()
	case drops && err == nil && i >= 0 && i < len(f.Options):
		f.Options = slices.Delete(f.Options, i, i+1)
	default:
		for i := range f.Options {
			if f.Options[i].Lines.Edit(action) {
				return true
			}
		}
		return false
	}
	f.complete()
	return true
}

func readQuoteForm(r *http.Request) quoteForm {
	_ = r.ParseForm() // was parsed before
	get := func(name string, most int) page.Field {
		return page.Field{Value: untrusted.Line(r.PostFormValue(name), most)}
	}
	f := quoteForm{Request: r.PostFormValue("request"), Until: get("until", 20), Email: get("email", 254), Note: page.Field{Value: untrusted.Block(r.PostFormValue("note"), reviews.MaxNote+1)}}
	at := func(name string, i int) string {
		if values := r.PostForm[name]; i < len(values) {
			return values[i]
		}
		return ""
	}
	for i := range min(len(r.PostForm["fabricator"]), formal.MaxOptions) {
		o := optionForm{
			Fabricator: page.Field{Value: untrusted.Line(at("fabricator", i), 201)}, Description: page.Field{Value: untrusted.Block(at("description", i), reviews.MaxNote+1)},
			Days: page.Field{Value: strings.TrimSpace(at("days", i))}, Lines: editor.Read(r.PostForm, optionName(i), nil),
		}
		f.Options = append(f.Options, o)
	}
	return f
}

// parse reads the form and notes what is wrong at each field.
func (f *quoteForm) parse() (data formal.IssueQuoteData, ok bool) {
	f.Options = slices.DeleteFunc(f.Options, func(o optionForm) bool {
		return o.Fabricator.Value+o.Description.Value+o.Days.Value == "" && o.Lines.IsEmpty()
	})
	defer f.complete()
	ok = true
	bad := func(at *page.Field, why string) { at.Problem, ok = why, false }
	if len(f.Options) == 0 {
		f.Problem, ok = "A quote has at least one option.", false
	}
	for i := range f.Options {
		option, fine := f.Options[i].parse()
		data.Options, ok = append(data.Options, option), ok && fine
	}
	until, err := time.Parse(time.DateOnly, f.Until.Value)
	if err != nil {
		bad(&f.Until, "A date.")
	}
	data.ValidUntil = until.Add(24*time.Hour - time.Second) // the whole day, UTC
	if a, err := netmail.ParseAddress(f.Email.Value); f.Email.Value != "" && (err != nil || a.Address != f.Email.Value) {
		bad(&f.Email, "An e-mail address.")
	}
	if len([]rune(f.Note.Value)) > reviews.MaxNote {
		bad(&f.Note, "At most 2000 characters.")
	}
	data.Email, data.Note = f.Email.Value, f.Note.Value
	return data, ok
}

func (o *optionForm) parse() (out formal.Option, ok bool) {
	ok = true
	bad := func(at *page.Field, why string) { at.Problem, ok = why, false }
	if o.Fabricator.Value == "" {
		bad(&o.Fabricator, "Enter who builds it.")
	}
	days, err := strconv.Atoi(o.Days.Value)
	if err != nil || days < 0 || days > 730 {
		bad(&o.Days, "A number of days, 0 to 730.")
	}
	out = formal.Option{Fabricator: o.Fabricator.Value, Description: o.Description.Value, LeadTimeDays: days}
	lines, fine := o.Lines.Parse()
	for _, l := range lines {
		out.Lines = append(out.Lines, l.Line)
	}
	if out.TotalCents = o.Lines.Total; fine {
		o.Lines.Problem = editor.ExplainTotal(out.TotalCents)
	}
	return out, ok && o.Lines.Problem == "" && fine
}

// moveForm is an operator's word on a formal order.
type moveForm struct {
	Request, From                            string // From: how the order stood on the page
	Status, Ship, Carrier, Number, URL, Note page.Field
}

func moveFormOf(o formal.Order) moveForm {
	f := moveForm{Ship: page.Field{Value: o.Dates.EstimatedShip}}
	if t := o.Tracking; t != nil {
		f.Carrier.Value, f.Number.Value, f.URL.Value = t.Carrier, t.Number, t.URL
	}
	return f
}

func readMoveForm(r *http.Request) moveForm {
	get := func(name string, most int) page.Field {
		return page.Field{Value: untrusted.Line(r.PostFormValue(name), most)}
	}
	return moveForm{
		Request: r.PostFormValue("request"), From: untrusted.Line(r.PostFormValue("from"), 40), Status: get("status", 40), Ship: get("ship", 20), Carrier: get("carrier", 60),
		Number: get("number", 80), URL: get("url", 500), Note: get("note", 500),
	}
}

func (f *moveForm) parse(from formal.Status) (formal.MoveData, bool) {
	ok := true
	bad := func(at *page.Field, why string) { at.Problem, ok = why, false }
	data := formal.MoveData{Status: formal.Status(f.Status.Value), EstimatedShip: f.Ship.Value, Note: f.Note.Value}
	if data.Status != "" && !slices.Contains(from.Next(), data.Status) {
		bad(&f.Status, "Choose the new status of the order.")
	}
	if _, err := time.Parse(time.DateOnly, f.Ship.Value); f.Ship.Value != "" && err != nil {
		bad(&f.Ship, "A date.")
	}
	if f.Carrier.Value+f.Number.Value+f.URL.Value != "" || data.Status == formal.Shipped {
		data.Tracking = &shipments.Tracking{Carrier: f.Carrier.Value, Number: f.Number.Value, URL: f.URL.Value}
		if f.Carrier.Value == "" {
			bad(&f.Carrier, "Enter the carrier.")
		}
		if f.Number.Value == "" {
			bad(&f.Number, "Enter how the parcel can be tracked.")
		}
	}
	if u, err := url.Parse(f.URL.Value); f.URL.Value != "" && (err != nil || u.Host == "" || !strings.HasPrefix(f.URL.Value, "https://")) {
		bad(&f.URL, "An address that begins with https://.")
	}
	return data, ok
}

// findingForm is what the team found, one finding a line: a level and the words.
type findingForm struct {
	Request        string
	Findings, Note page.Field
}

func findingFormOf(o formal.Order) findingForm {
	var f findingForm
	if o.Review != nil {
		var lines []string
		for _, one := range o.Review.Findings {
			lines = append(lines, one.Level+": "+one.What)
		}
		f.Findings.Value, f.Note.Value = strings.Join(lines, "\n"), o.Review.Note
	}
	return f
}

func readFindingForm(r *http.Request) findingForm {
	block := func(name string, most int) page.Field {
		return page.Field{Value: untrusted.Block(r.PostFormValue(name), most)}
	}
	return findingForm{Request: r.PostFormValue("request"), Findings: block("findings", 40_000), Note: block("note", reviews.MaxNote)}
}

func (f *findingForm) parse() (data formal.RecordReviewData, ok bool) {
	data.Note = f.Note.Value
	for line := range strings.Lines(f.Findings.Value) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		level, what, _ := strings.Cut(line, ":")
		level, what = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(level)), " ", "_"), untrusted.Line(strings.TrimSpace(what), 500)
		if !slices.Contains([]string{"must_fix", "warning", "note"}, level) || what == "" {
			f.Findings.Problem = "Each line: must_fix, warning or note, a colon, and what was found."
			return data, false
		}
		data.Findings = append(data.Findings, formal.Finding{Level: level, What: what})
	}
	if len(data.Findings) > formal.MaxFindings {
		f.Findings.Problem = "At most 100 findings."
		return data, false
	}
	return data, true
}
