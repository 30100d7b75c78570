package checkout

import (
	"cmp"
	"strconv"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/edge/internal/problem"
)

// formView is the page with the form: for paying, or for asking the team.
type formView struct {
	Frame
	Board           boardView
	Price           priceView
	Example         string // the country that the price is an example for, as in a sentence
	To              string // the country that it is for, likewise
	NoPrice         string // why there is no price for what was entered
	Links           agreeLinks
	Token           string
	Version         int
	Errors          []fieldError // all at once, in the order of the form
	Fields          []inputView
	Address         []string // as it is delivered to, once it is complete
	Open            bool     // the delivery form is unfolded
	Ready           bool     // can be paid
	ByTeam          bool     // priced by people: nothing can be changed
	Boards          string   // as it was typed
	BoardsErr       string
	Fixed           bool // the number of boards cannot be changed here
	Shipping        []choice
	ShipError       string
	Builds          []choice
	BuildErr        string
	Save            bool
	Acknowledgement acknowledgementView
	Note            string
	NoteError       string
	Reasons         []string
	Expires         time.Time
	Countries       []countryView
}

// fieldError is one thing to mend, and where.
type fieldError struct{ ID, Text string }

// inputView is one input of the delivery form.
type inputView struct {
	ID, Name, Label, Kind, Complete, Mode, Value, Hint, Error string
	MaxLength                                                 int
	Needed, Half, Country                                     bool
	Countries                                                 []countryView
}

type countryView struct {
	Code, Name string
	Chosen     bool
}

func (p *Pages) formView(s record, e entry) formView {
	title := "Checkout"
	if stageOf(s, false) == asking {
		title = "Ask for a price"
	}
	v := formView{
		Frame: p.frameOf(title, s), Board: p.boardView(s), Price: priceOf(s), Token: p.token(s.quote), Version: s.quote.Version,
		ByTeam: s.hasTeamPrice(), Ready: s.complete(), Shipping: shippingChoices(s, e), Builds: buildChoices(s, e),
		Boards: cmp.Or(e.typed, strconv.Itoa(quantity(s.quote))), Fixed: s.quote.Request.Assembly, Save: e.save, Acknowledgement: p.findingsView(s, e), Note: e.note, Reasons: s.quote.Reply.CustomQuoteReasons, Expires: s.quote.ExpiresAt,
	}
	v.Links, v.Script = p.agreeLinks(), p.asset("checkout.js")
	v.Example, v.To = p.priceCountry(s)
	if s.complete() {
		v.Address = p.address(s.quote.Delivery.ShipTo)
	}
	if e.ship.Country != s.delivery().Country && title == "Checkout" {
		v.NoPrice, v.Ready = "The price follows from the country: choose it and press “Update price”.", false
		if country, ok := p.countries.Find(e.ship.Country); ok {
			v.NoPrice = "There is no price for " + country.TheName + " yet: press “Update price”."
		}
	}
	v.Open = len(v.Address) == 0
	v.Fields = p.inputs(e)
	return v
}

// priceCountry is the country that a price is for, or is an example for.
func (p *Pages) priceCountry(s record) (example, to string) {
	the := func(code string) string {
		if c, ok := p.countries.Find(code); ok {
			return c.TheName
		}
		return code
	}
	if s.quote.Assumed != "" {
		return the(s.quote.Assumed), ""
	}
	return "", the(s.delivery().Country)
}

func (p *Pages) inputs(e entry) []inputView {
	var out []inputView
	for _, f := range shipFields() {
		in := inputView{
			ID: fieldID(f.name), Name: f.name, Label: f.label, Kind: f.kind, Complete: f.complete, Mode: f.mode,
			Value: *f.of(&e.ship), Hint: f.hint, MaxLength: f.maxLength, Needed: f.needed, Half: f.half,
		}
		if country, ok := p.countries.Find(e.ship.Country); ok {
			in.adapt(country)
		}
		if f.name == "country" {
			in.Country, in.Countries = true, p.countryViews(e.ship.Country)
		}
		out = append(out, in)
	}
	return out
}

// adapt says what a country asks for, once it is known.
func (in *inputView) adapt(c Country) {
	switch {
	case in.Name == "tax_id" && c.TaxID != "":
		in.Needed, in.Hint = true, "Customs in "+c.TheName+" ask for it: "+c.TaxID+"."
	case in.Name == "state" && c.Region:
		in.Needed, in.Hint = true, "By name or two-letter code."
	case in.Name == "state":
		in.Hint = "If the address has one."
	case in.Name == "postal_code" && shipments.LacksPostalCodes(c.Code):
		in.Needed, in.Hint = false, "If the address has one."
	}
}

func (p *Pages) countryViews(chosen string) []countryView {
	var out []countryView
	for _, c := range p.countries {
		out = append(out, countryView{c.Code, c.Name, c.Code == chosen})
	}
	return out
}

// address is an address as it stands on a parcel.
func (p *Pages) address(to shipments.ShipTo) []string {
	var out []string
	for _, line := range []string{to.Name, to.Company, to.Line1, to.Line2, address.Place(to), p.countries.Name(to.Country)} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// explain puts what is wrong beside what it is about, and lists it at the top.
func (p *Pages) explain(v *formView, e entry, failure *problem.Problem) {
	v.Ready = false
	found := map[string]string{}
	for _, f := range failure.Refusal.Fields {
		if _, twice := found[f.Field]; !twice {
			found[f.Field] = p.fieldWords(e, f)
		}
	}
	for i := range v.Fields {
		in := &v.Fields[i]
		if in.Error = take(found, "ship_to."+in.Name); in.Error != "" {
			v.Errors = append(v.Errors, fieldError{in.ID, in.Error})
			v.Open = true
		}
	}
	for _, other := range []struct {
		field, id string
		at        *string
	}{{"quantity", "f-quantity", &v.BoardsErr}, {"shipping_id", anchorID(v.Shipping, "delivery"), &v.ShipError}, {"build_hours", anchorID(v.Builds, "delivery"), &v.BuildErr}, {"note", "f-note", &v.NoteError}, {"seen", "seen", &v.Acknowledgement.Error}} {
		if *other.at = take(found, other.field); *other.at != "" {
			v.Errors = append(v.Errors, fieldError{other.id, *other.at})
		}
	}
	if v.BoardsErr != "" {
		v.NoPrice = v.BoardsErr
	}
	if len(v.Errors) == 0 {
		v.Notices = append(v.Notices, Notice{Kind: "bad", Text: p.failureWords(failure), Focus: true})
		v.Ready = len(v.Address) > 0 // press again
	}
	if v.Acknowledgement.Error != "" && len(v.Errors) == 1 {
		v.Ready = len(v.Address) > 0 // tick and press again
	}
	v.Title = "Error: " + v.Title
}

func take(m map[string]string, key string) string {
	s := m[key]
	delete(m, key)
	return s
}

func anchorID(cs []choice, otherwise string) string {
	if len(cs) > 0 {
		return cs[0].ID
	}
	return otherwise
}

// fieldWords is what to show a shopper about a refused field.
func (p *Pages) fieldWords(e entry, f contract.FieldProblem) string {
	country, _ := p.countries.Find(e.ship.Country)
	for _, spec := range shipFields() {
		if f.Field == "ship_to."+spec.name && f.Problem == "missing" && spec.missing != "" {
			return spec.missing
		}
	}
	switch {
	case f.Field == "ship_to.country" && f.Problem == "not_served":
		return "We do not deliver to this country. Please choose another one."
	case f.Field == "ship_to.state" && f.Problem == "unknown" && country.TheName != "":
		return "This is no state or province of " + country.TheName + ". Enter its name or two-letter code."
	}
	return f.Message
}

// failureWords is what to show a shopper about a refusal as a whole.
func (p *Pages) failureWords(failure *problem.Problem) string {
	switch failure.Refusal.Code {
	case contract.PriceUnavailable:
		return "We cannot get a live price just now. Nothing you entered is lost: please press “Update price” again in a minute or two."
	case contract.PaymentUnavailable:
		return "The payment page cannot be reached just now. Nothing was charged and nothing is lost: please press “Pay” again in a moment."
	case contract.Internal:
		return "Something went wrong on our side. Nothing was charged and nothing is lost: please try again."
	}
	return failure.Refusal.Message
}
