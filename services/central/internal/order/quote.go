package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
)

// Bounds of a formal quote.
const (
	maxLines     = 40
	maxLeadDays  = 730
	maxCents     = 10_000_000_000
	maxText      = 2000
	maxName      = 200
	longestValid = 366 * 24 * time.Hour
)

// Currency of formal quotes.
const Currency = "USD"

// Quote issues a quote in place of the one before.
func Quote(o formal.Order, data formal.IssueQuoteData, at time.Time) (formal.Order, contract.EventName, error) {
	if !slices.Contains([]formal.Status{formal.Submitted, formal.InReview, formal.Quoted}, o.Status) {
		return o, "", contract.Refuse(contract.Conflict, "This order is %s: no quote can be issued for it any more.", words(o.Status))
	}
	at = at.UTC().Truncate(time.Millisecond)
	if problems := wrong(data, at); len(problems) > 0 {
		return o, "", contract.RefuseFields(problems)
	}
	o.Issued++
	q := formal.Quote{
		Number: o.Ref + "-Q" + strconv.Itoa(o.Issued), IssuedAt: at, ValidUntil: data.ValidUntil.UTC().Truncate(time.Second),
		Operator: data.Operator, Note: data.Note, Options: slices.Clone(data.Options),
	}
	for i := range q.Options {
		q.Options[i].ID, q.Options[i].Currency = "opt_"+strconv.Itoa(o.Issued)+"_"+strconv.Itoa(i+1), Currency
	}
	if data.Email != "" {
		o.Email = data.Email
	}
	o.Quote, o.Status, o.Dates.Quoted = &q, formal.Quoted, &at
	return recordMoment(o, formal.Moment{What: formal.EventQuoted, At: at, By: data.Operator}), formal.EventQuoted, nil
}

// wrong lists what is wrong with a quote.
func wrong(data formal.IssueQuoteData, at time.Time) (out []contract.FieldProblem) {
	bad := func(field, format string, args ...any) {
		out = append(out, contract.FieldProblem{Field: field, Problem: "invalid", Message: fmt.Sprintf(format, args...)})
	}
	if data.Operator == "" {
		bad("operator", "A quote names the operator who issues it.")
	}
	switch n := len(data.Options); {
	case n == 0:
		bad("options", "A quote has at least one option.")
	case n > formal.MaxOptions:
		bad("options", "A quote has at most %d options.", formal.MaxOptions)
	}
	if !data.ValidUntil.After(at) || data.ValidUntil.After(at.Add(longestValid)) {
		bad("valid_until", "A quote is valid until a day in the year to come.")
	}
	if utf8.RuneCountInString(data.Note) > maxText {
		bad("note", "At most %d characters.", maxText)
	}
	for i, o := range data.Options {
		wrongOption(o, func(field, format string, args ...any) { bad("options."+strconv.Itoa(i)+"."+field, format, args...) })
	}
	return out
}

func wrongOption(o formal.Option, bad func(field, format string, args ...any)) {
	switch n := utf8.RuneCountInString(o.Fabricator); {
	case strings.TrimSpace(o.Fabricator) == "":
		bad("fabricator", "Enter who builds it.")
	case n > maxName:
		bad("fabricator", "At most %d characters.", maxName)
	}
	if utf8.RuneCountInString(o.Description) > maxText {
		bad("description", "At most %d characters.", maxText)
	}
	if o.LeadTimeDays < 0 || o.LeadTimeDays > maxLeadDays {
		bad("lead_time_days", "A number of days, 0 to %d.", maxLeadDays)
	}
	if len(o.Lines) == 0 || len(o.Lines) > maxLines {
		bad("lines", "An option has 1 to %d lines.", maxLines)
	}
	sum := int64(0)
	for _, l := range o.Lines {
		sum += l.Cents
		if n := utf8.RuneCountInString(l.Label); n == 0 || n > maxName {
			bad("lines", "Each line says in at most %d characters what it is for.", maxName)
		}
		if l.Cents > maxCents || l.Cents < -maxCents {
			bad("lines", "An amount is too large.")
		}
	}
	if sum != o.TotalCents || o.TotalCents <= 0 || o.TotalCents > maxCents {
		bad("total_cents", "The total is the sum of the lines, and more than nothing.")
	}
}

// Accept accepts an option. What was accepted before is accepted again only in the
// same terms.
func Accept(o formal.Order, data formal.AcceptQuoteData, request string, at time.Time) (formal.Order, contract.EventName, error) {
	terms := data.Terms
	switch option := o.Quote.Option(terms.OptionID); {
	case !data.Approved:
		return o, "", contract.Refuse(contract.ApprovalRequired, "An option is accepted only after the customer approved it explicitly: send customer_approved=true once that is so.")
	case o.Accepted != nil && same(o.Accepted.Terms, terms):
		return o, "", nil
	case o.Accepted != nil:
		return o, "", refuseAcceptance("This order was accepted in other terms already.")
	case o.Status != formal.Quoted || o.Quote == nil:
		return o, "", refuseAcceptance("There is no quote of this order that could be accepted: it is " + words(o.Status) + ".")
	case o.Quote.HasEnded(at):
		return o, "", contract.Refuse(contract.QuoteNotAccepted, "Nothing was accepted. %s", o.ExplainEnd())
	case option == nil || !same(terms, formal.Terms{OptionID: option.ID, QuoteNumber: o.Quote.Number, IssuedAt: o.Quote.IssuedAt, TotalCents: option.TotalCents}):
		return o, "", refuseAcceptance("These terms are not those of the current quote.")
	default:
		o.Accepted = &formal.Acceptance{Terms: terms, Currency: option.Currency, AcceptedAt: at, Key: data.Key, Request: request}
	}
	o.Status, o.Dates.Accepted = formal.Accepted, &at
	return recordMoment(o, formal.Moment{What: formal.EventAccepted, At: at}), formal.EventAccepted, nil
}

func same(a, b formal.Terms) bool {
	return a.OptionID == b.OptionID && a.QuoteNumber == b.QuoteNumber && a.TotalCents == b.TotalCents && a.IssuedAt.Equal(b.IssuedAt)
}

func refuseAcceptance(why string) *contract.Refusal {
	return contract.Refuse(contract.QuoteNotAccepted, "%s Nothing was accepted. Read the order, show the customer the options of its quote, and ask again.", why)
}

// words is a status as people say it.
func words(s formal.Status) string { return strings.ReplaceAll(string(s), "_", " ") }
