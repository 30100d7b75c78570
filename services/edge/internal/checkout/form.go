package checkout

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// formView is the page with the form: for paying, or for asking the team.
type formView struct {
	Frame
	Board           boardView
	Price           priceView
	Example         string        // the country that the price is an example for, as in a sentence
	To              string        // the country that it is for, likewise
	Covers          string        // how many boards it is for, and where to
	NoPrice         template.HTML // why there is no price for what was entered
	Links           agreeLinks
	Seller          sellerView
	Token           string
	Version         int
	Errors          []fieldError // all at once, in the order of the form
	Fields          []inputView
	Folds           bool     // some of them are folded
	Address         []string // as it is delivered to, once it is complete
	Open            bool     // the delivery form is unfolded
	Ready           bool     // can be paid
	Update          bool     // the price is another than that of what is chosen
	ByTeam          bool     // priced by people: nothing can be changed
	Boards          string   // as it was typed
	BoardsErr       template.HTML
	Fixed           bool // the number of boards cannot be changed here
	Shipping        []choice
	ShipError       template.HTML
	ShipNote        string // the way that was wanted and is not offered; another is to be chosen
	Builds          []choice
	BuildErr        template.HTML
	BuildsOpen      bool   // they are unfolded
	BuildNote       string // what the price holds in place of the build that was wanted
	Save            bool
	Acknowledgement acknowledgementView
	Note            string
	NoteError       template.HTML
	Reasons         []string
	Expires         time.Time
	Countries       []countryView
}

// fieldError is one thing to mend, and where.
type fieldError struct {
	ID   string
	Text template.HTML
}

// inputView is one input of the delivery form.
type inputView struct {
	ID, Name, Label, Kind, Complete, Mode, Value, Hint string
	Error                                              template.HTML
	MaxLength                                          int
	Needed, Half, Short, Country                       bool
	Folded                                             bool // few fill it in: behind the others
	Plain                                              bool // neither needed nor said to be optional
	Hidden                                             bool // no address of the country has it
	Countries                                          []countryView
}

type countryView struct {
	Code, Name string
	Chosen     bool
	Apart      bool // a line follows it
}

func (p *Pages) formView(c *web.Call, s record, e entry) formView {
	l, isAsking := s.lang, stageOf(s, false) == asking
	title := l.Text("Checkout")
	if isAsking {
		title = l.Text("Ask for a price")
	}
	v := formView{
		Frame: p.frameOf(c, title, s), Board: p.boardView(s), Price: priceOf(s), Token: p.token(s.quote), Version: s.quote.Version,
		ByTeam: s.hasTeamPrice(), Ready: s.complete(), Shipping: shippingChoices(s, e), Builds: buildChoices(s, e), BuildNote: describeBuild(s),
		Boards: cmp.Or(e.typed, strconv.Itoa(quantity(s.quote))), Fixed: s.quote.Request.Assembly, Save: e.save, Acknowledgement: p.findingsView(s, e), Note: e.note, Reasons: explainAll(s.quote.Reply.CustomQuoteReasons), Expires: s.quote.ExpiresAt,
	}
	v.Links, v.Seller, v.Script, v.Form, v.Posts = p.agreeLinks(), p.seller(), p.asset("checkout.js"), "order", true
	v.Price.Arrival = Arrival(l, v.Price.Delivery, p.Now())
	if day := readyDay(l, v.Price.Delivery, p.Now()); day != "" {
		v.Price.Leaves = l.Text("on %s", day)
	}
	v.Example, v.To = p.priceCountry(s)
	v.Covers, v.ShipNote = covers(s, v), describeWay(s, v.To)
	if s.hasAddress() {
		v.Address = p.address(l, s.quote.Delivery.ShipTo)
	}
	if e.ship.Country != s.delivery().Country && !isAsking {
		v.NoPrice, v.Ready = l.HTML("The price follows from the country: choose it and press “Update price”."), false
		if country, ok := p.countries[l.Code].Find(e.ship.Country); ok {
			v.NoPrice = l.HTML("There is no price for %s yet: press “Update price”.", country.TheName)
		}
	}
	v.Open = len(v.Address) == 0
	v.Fields = p.inputs(c, l, e)
	v.Folds = slices.ContainsFunc(v.Fields, func(in inputView) bool { return in.Folded })
	v.BuildsOpen = v.BuildNote != "" || len(v.Builds) > 0 && !v.Builds[0].Chosen
	return v
}

// priceCountry is the country that a price is for, or is an example for.
func (p *Pages) priceCountry(s record) (example, to string) {
	the := func(code string) string {
		if c, ok := p.countries[s.lang.Code].Find(code); ok {
			return c.TheName
		}
		return code
	}
	if s.quote.Assumed != "" {
		return the(s.quote.Assumed), ""
	}
	return "", the(s.delivery().Country)
}

func (p *Pages) inputs(c *web.Call, l *language.Printer, e entry) []inputView {
	var out []inputView
	home := cmp.Or(e.ship.Country, l.HomeCountry(c.Header("Accept-Language")))
	for _, f := range orderFields(shipFields(), home) {
		in := inputView{
			ID: fieldID(f.name), Name: f.name, Label: l.Text(f.label), Kind: f.kind, Complete: f.complete, Mode: f.mode,
			Value: *f.of(&e.ship), Hint: l.Text(f.hint), MaxLength: f.maxLength, Needed: f.needed, Half: f.half, Short: f.short,
		}
		if in.Name == "name" && isFamilyFirst(l, home) {
			in.Hint = l.Text("Family name first.")
		}
		if country, ok := p.countries[l.Code].Find(e.ship.Country); ok {
			in.adapt(l, country)
		}
		if f.name == "country" {
			in.Country, in.Countries = true, p.countryViews(c, l, e.ship.Country)
		}
		if isLargeFirst(home) && (in.Name == "state" || in.Name == "city") {
			in.Short = in.Name == "state" // beside the postal code
		}
		in.Folded = f.rare && !in.Needed && in.Value == "" && !(in.Name == "line2" && isLargeFirst(home))
		out = append(out, in)
	}
	return out
}

// withoutState are countries in whose addresses no state, province or region is written.
var withoutState = strings.Fields("AT BE BG CH CY CZ DE DK EE FI FR GR HR HU IS LI LT LU LV MT NL NO NZ PL PT RS SE SG SI SK")

// adapt says what a country asks for, once it is known.
func (in *inputView) adapt(l *language.Printer, c Country) {
	switch {
	case in.Name == "tax_id" && c.TaxID != "":
		in.Needed, in.Hint = true, l.Text("Customs in %s ask for it: %s.", c.TheName, phrase.Translate(l, c.TaxID))
	case in.Name == "state" && c.Region:
		in.Needed, in.Hint = true, l.Text("By name or two-letter code.")
	case in.Name == "state" && c.Code == "JP": // every address has one, if not always in this field
		in.Label, in.Hint, in.Plain = l.Text("Prefecture"), "", true
	case in.Name == "state":
		in.Hint = l.Text("If the address has one.")
		in.Hidden = in.Value == "" && slices.Contains(withoutState, c.Code)
	case in.Name == "postal_code" && shipments.LacksPostalCodes(c.Code):
		in.Needed, in.Hint = false, l.Text("If the address has one.")
	}
}

// countryViews are the countries to choose from, the reader's own first.
func (p *Pages) countryViews(c *web.Call, l *language.Printer, chosen string) []countryView {
	var out []countryView
	list, lifted := p.countries[l.Code].Lift(l.HomeCountry(c.Header("Accept-Language")))
	for n, one := range list {
		out = append(out, countryView{one.Code, one.Name, one.Code == chosen, lifted && n == 0})
	}
	return out
}

// address is an address as it stands on a parcel, with the country in the reader's language.
func (p *Pages) address(l *language.Printer, to shipments.ShipTo) []string {
	return address.Lines(to, p.countries[l.Code].Name)
}

// explain puts what is wrong beside what it is about, and lists it at the top.
func (p *Pages) explain(l *language.Printer, v *formView, e entry, failure *problem.Problem) {
	v.Ready = false
	found := map[string]template.HTML{}
	for _, f := range failure.Refusal.Fields {
		if _, twice := found[f.Field]; !twice {
			found[f.Field] = p.fieldWords(l, e, f)
		}
	}
	for i := range v.Fields {
		in := &v.Fields[i]
		if in.Error = take(found, "ship_to."+in.Name); in.Error != "" {
			v.Errors = append(v.Errors, fieldError{in.ID, in.Error})
			v.Open, in.Folded = true, false
		}
	}
	for _, other := range []struct {
		field, id string
		at        *template.HTML
	}{{"quantity", "f-quantity", &v.BoardsErr}, {"shipping_id", anchorID(v.Shipping, "delivery"), &v.ShipError}, {"build_hours", anchorID(v.Builds, "delivery"), &v.BuildErr}, {"note", "f-note", &v.NoteError}, {"seen", "seen", &v.Acknowledgement.Error}} {
		if *other.at = take(found, other.field); *other.at != "" {
			v.Errors = append(v.Errors, fieldError{other.id, *other.at})
		}
	}
	if v.BoardsErr != "" {
		v.NoPrice = v.BoardsErr
	}
	v.BuildsOpen = v.BuildsOpen || v.BuildErr != ""
	v.Folds = slices.ContainsFunc(v.Fields, func(in inputView) bool { return in.Folded })
	if len(v.Errors) == 0 {
		v.Notices = append(v.Notices, failureNotice(l, p.failureWords(failure)))
		v.Ready = len(v.Address) > 0 && v.ShipNote == "" // press again
	}
	if v.Acknowledgement.Error != "" && len(v.Errors) == 1 {
		v.Ready = len(v.Address) > 0 && v.ShipNote == "" // tick and press again
	}
	v.Title = errorTitle(l, v.Title)
}

// errorTitle is the title of a page that tells of something wrong.
func errorTitle(l *language.Printer, title string) string { return l.Text("Error: %s", title) }

// covers is what the total pays for.
func covers(s record, v formView) string {
	to := ""
	switch {
	case v.To == "":
	case v.Price.Delivered:
		to = s.lang.Text("delivered to %s", v.To)
	default:
		to = s.lang.Text("going to %s", v.To)
	}
	return join(s.lang, v.Board.Quantity, v.Price.PerBoard, to)
}

func take(m map[string]template.HTML, key string) template.HTML {
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
func (p *Pages) fieldWords(l *language.Printer, e entry, f contract.FieldProblem) template.HTML {
	country, _ := p.countries[l.Code].Find(e.ship.Country)
	for _, spec := range shipFields() {
		if f.Field == "ship_to."+spec.name && f.Problem == "missing" && spec.missing != "" {
			return say(l, spec.missing)
		}
	}
	switch {
	case f.Field == "ship_to.country" && f.Problem == "not_served":
		return l.HTML("We do not deliver to this country. Please choose another one.")
	case f.Field == "ship_to.state" && f.Problem == "unknown" && country.TheName != "":
		return l.HTML("This is no state or province of %s. Enter its name or two-letter code.", country.TheName)
	}
	return say(l, f.Message)
}

// failureWords is what to show a shopper about a refusal as a whole.
func (p *Pages) failureWords(failure *problem.Problem) string {
	switch failure.Refusal.Code {
	case contract.PriceUnavailable:
		return language.Key("We cannot get a live price just now. Nothing you entered is lost: please press “Update price” again in a minute or two.")
	case contract.PaymentUnavailable:
		return language.Key("The payment page cannot be reached just now. Nothing was charged and nothing is lost: please press “Pay” again in a moment.")
	case contract.Internal:
		return language.Key("Something went wrong on our side. Nothing was charged and nothing is lost: please try again.")
	}
	return failure.Refusal.Message
}
