package offer

import (
	"fmt"

	"boardorder/pkg/dated"
	"boardorder/pkg/money"
)

// notes are what a careful customer should know about the price.
func (o Offer) notes(l landed) []string {
	var notes []string
	if o.Choice.Place.Assumed {
		notes = append(notes, fmt.Sprintf(
			"No destination was given: this price, with its duty and tax, is an example for %s. Send ship_to.country for another; "+
				"checkout prices the real address before payment.",
			o.country.TheName))
	}
	if l.tax.RegionNeeded {
		notes = append(notes, o.regionNote())
	}
	if extra := o.basis.BuildCount - o.basis.Quantity; extra > 0 {
		notes = append(notes, fmt.Sprintf("The smallest lot is %s: all of them are delivered, at this price for all, though %s asked for.",
			plural(o.basis.BuildCount, unitOf(o.basis.Board)), were(o.basis.Quantity)))
	}
	if n := o.basis.Assembly.Boards; n > 0 {
		notes = append(notes, assemblyNote(o.basis.Assembly, max(o.basis.BuildCount, o.basis.Quantity)))
	}
	if o.PerBoardCents*int64(o.basis.Quantity) != o.TotalCents {
		notes = append(notes, "The price per board is the total divided by the quantity, rounded to the cent; the total is what is paid.")
	}
	if o.Local == nil && o.country.Currency != "USD" {
		notes = append(notes, fmt.Sprintf("The total is in US dollars alone: there is no exchange rate for %s at the moment.", o.country.Currency))
	}
	if o.uncertain() {
		notes = append(notes, "Some of the duty or tax rates were not confirmed when they were last checked; "+
			"the price holds the prudent rate and does not rise if the true one is higher.")
	}
	return notes
}

// assemblyNote says how many of the boards are assembled, and what the price of
// their parts rests on.
func assemblyNote(a Assembly, of int) string {
	n := a.Boards
	var which string
	switch {
	case n == 1 && of == 1:
		which = "The board is assembled"
	case n >= of:
		which = "All boards are assembled"
	case n == 1:
		which = fmt.Sprintf("1 of the %d boards is assembled", of)
	default:
		which = fmt.Sprintf("%d of the %d boards are assembled", n, of)
	}
	if a.NoParts {
		return which + "; no parts are bought, so the price holds none."
	}
	return which + "; the price of parts was found at suppliers just now and is looked up again before payment."
}

func were(n int) string {
	if n == 1 {
		return "only 1 was"
	}
	return fmt.Sprintf("only %d were", n)
}

func (o Offer) regionNote() string {
	if o.TaxCents > 0 {
		return fmt.Sprintf("Tax in %s depends on the province; the highest rate is included until it is known.", o.country.TheName)
	}
	return fmt.Sprintf("Sales tax in %s depends on the state; it is added, where it is due, once the state is known.", o.country.TheName)
}

func (o Offer) uncertain() bool {
	for _, c := range o.Duty {
		if c.Uncertain { // also where it is held to be free
			return true
		}
	}
	for _, c := range o.Tax {
		if c.Uncertain && c.Cents > 0 {
			return true
		}
	}
	return false
}

// basisWords says, by the line that it explains, which law and table an amount
// comes from and as of which day.
func (o Offer) basisWords() map[string]string {
	words := map[string]string{"as_of": string(o.Day)}
	for _, c := range o.Duty {
		words["duty."+c.Basis] = fmt.Sprintf("%s: %s. %s%s",
			dutyLabel(c), money.Dollars(c.Cents), dated.SourceWords(c.Source, c.Checked), doubtNote(c.Uncertain))
	}
	for _, c := range o.Tax {
		words["tax."+c.Kind] = fmt.Sprintf("%s: %s. %s%s",
			taxLabel(c, o.country, o.region), money.Dollars(c.Cents), dated.SourceWords(c.Source, c.Checked), doubtNote(c.Uncertain))
	}
	if r := o.Relief; r != nil {
		words["tax.relief"] = fmt.Sprintf("Import tax in %s is %s. %s", o.country.TheName, r.Words, dated.SourceWords(r.Source, r.Checked))
	}
	return words
}

func doubtNote(uncertain bool) string {
	if uncertain {
		return "; not confirmed, prudent rate held"
	}
	return ""
}
