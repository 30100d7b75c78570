package checkout

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// LinkPrices asks what several quantities of a buy link's board cost.
type LinkPrices func(c *web.Call, link buylinks.BuyLink, to shipments.ShipTo, assembled bool, quantities []int) []quote.LinkPrice

// buyPrices bounds how often one address has prices of buy links made.
var buyPrices = limit.Policy{Name: "buy-prices", Quota: 60, Window: time.Hour}

// tableOf are the quantities that the table of a buy link shows beside the chosen one.
var tableOf = []int{5, 10, 25, 50, 100}

type buyView struct {
	Frame
	Name, Source, Action        string
	Quantity                    string
	QuantityError, CountryError string
	ZipError                    string
	Zip                         string
	Countries                   []countryView
	MayAssemble, Assembled      bool
	Offer                       offerView
	Rows                        []buyRow
	Chosen                      int
	Delivery                    string // of the chosen number, in words
	Dated                       bool   // the table has days of arrival
	ShowsLocal                  bool   // and what it is in the shopper's currency
	Payable                     bool   // which it can be paid in
	Seller                      sellerView
}

// Span is how many cells a row has that says something else than a price.
func (v buyView) Span() int {
	n := 3
	for _, more := range []bool{v.ShowsLocal, v.Dated} {
		if more {
			n++
		}
	}
	return n
}

// buy answers GET /buy/{link}: what a board costs, by quantity, where the shopper is.
func (p *Pages) buy(c *web.Call) error {
	link, err := p.link(c)
	if err != nil {
		return err
	}
	v := buyView{Frame: p.Frame(c, "", ""), Name: c.Language().Text("Printed circuit board"), Source: link.SourceURL, Action: p.base + "/buy/" + link.ID, MayAssemble: link.Assembly}
	v.Test, v.Form = contract.IsTest(link.Account), "buy"
	if Switch(c, v.Action) {
		return nil
	}
	if link.Request.ProjectName != nil {
		v.Name = *link.Request.ProjectName
	}
	v.Title, v.Seller = v.Name, p.seller()
	l := c.Language()
	board, err := p.offerBoard(c.Context(), link)
	if err != nil {
		return err
	}
	v.Offer = p.offerView(l, v.Action, link, board, nil, v.MayAssemble && isAssembled(c))
	v.Chosen = cmp.Or(link.Request.Quantity, quote.ShownQuantity)
	v.Quantity = strconv.Itoa(v.Chosen)
	text, requested := c.Query("quantity")
	country, _ := c.Query("country")
	country = strings.ToUpper(untrusted.CleanLine(country))
	v.Countries = p.countryViews(c, l, country)
	if !requested {
		return p.html(c, http.StatusOK, "buy", v)
	}
	to, ok := p.readBuy(c, &v, text, country)
	if !ok {
		v.Title = errorTitle(l, v.Title)
		return p.html(c, http.StatusUnprocessableEntity, "buy", v)
	}
	if err := p.take(c, buyPrices, p.Network(c)); err != nil {
		return err
	}
	quantities := append(slices.Clone(tableOf), v.Chosen)
	slices.Sort(quantities)
	quantities = slices.Compact(quantities)
	if err := p.takePrices(c, link.Account, v.Assembled, len(quantities)); err != nil {
		return err
	}
	priced := p.Prices(c, link, to, v.Assembled, quantities)
	v.Payable = areChargeable(priced)
	v.Rows = p.buyRows(l, priced, v.Payable)
	if v.ZipError = v.Rows[0].PostalProblem; v.ZipError != "" { // of all numbers alike
		v.Title, v.Rows = errorTitle(l, v.Title), nil
		return p.html(c, http.StatusUnprocessableEntity, "buy", v)
	}
	for _, r := range v.Rows {
		if r.Quantity == v.Chosen {
			v.Delivery, v.Offer = r.Delivery, p.offerView(l, v.Action, link, board, r.Quote, v.Assembled)
		}
		v.Dated, v.ShowsLocal = v.Dated || r.Arrival != "", v.ShowsLocal || r.Local != ""
	}
	return p.html(c, http.StatusOK, "buy", v)
}

// takePrices counts the prices that an account's links show in a day.
func (p *Pages) takePrices(c *web.Call, owner string, assembled bool, n int) error {
	who := limit.OwnerName(owner)
	state, err := p.Limiter.TakeMany(c.Context(), p.LinkQuotes.OwnerPolicy(owner), who, n)
	if err == nil && state.Allowed && assembled {
		state, err = p.Limiter.TakeMany(c.Context(), p.LinkAssemblies.OwnerPolicy(owner), "link-"+who, n)
	}
	switch {
	case err != nil:
		return problem.Unavailable(err)
	case state.Allowed:
		return nil
	}
	r := problem.New(contract.RateLimited, "No more prices can be given here today. Please come back after %s.", p.Now().Add(state.Retry).UTC().Format("2 January, 15:04 UTC"))
	r.Refusal.RetryAfterS = state.RetryAfter()
	return r
}

// readBuy reads what the shopper chose; what is wrong stands beside its field.
func (p *Pages) readBuy(c *web.Call, v *buyView, text, country string) (to shipments.ShipTo, ok bool) {
	v.Quantity = address.Fold(untrusted.CleanLine(text))
	n, ok := readQuantity(v.Quantity)
	if !ok {
		v.QuantityError = noQuantity
	}
	v.Chosen = n
	if _, known := p.countries[language.English].Find(country); !known {
		v.CountryError = language.Key("Choose the country that the boards go to.")
	}
	zip, _ := c.Query("postal_code")
	v.Zip = address.FoldPostalCode(untrusted.CleanLine(zip))
	if len(v.Zip) > 20 {
		v.ZipError = language.Key("This is too long for a postal code.")
	}
	v.Assembled = v.MayAssemble && isAssembled(c)
	return shipments.ShipTo{Country: country, PostalCode: v.Zip}, v.QuantityError == "" && v.CountryError == "" && v.ZipError == ""
}

// isAssembled reports whether the boards are asked for with their parts.
func isAssembled(c *web.Call) bool {
	text, _ := c.Query("assembled")
	return text == "yes"
}

// link gives a buy link that is open.
func (p *Pages) link(c *web.Call) (buylinks.BuyLink, error) {
	id := c.Param("link")
	link, found, err := outcome.Read[buylinks.BuyLink](c.Context(), p.Docs, string(contract.BuyLinkAggregate), id)
	switch {
	case err != nil:
		return link, err
	case !found || link.ID != id:
		return link, problem.New(contract.NotFound, "There is no such page.")
	case link.ClosedAt != nil:
		return link, problem.New(contract.LinkExpired, "This board is no longer offered.")
	}
	up, known, err := outcome.Read[uploads.Upload](c.Context(), p.Docs, string(contract.UploadAggregate), link.Upload)
	if err == nil && known && up.IsDeclaredFor(link.Account) {
		err = problem.New(contract.LinkExpired, "This board is no longer offered.")
	}
	return link, err
}
