package pcbway

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/shopspring/decimal"

	"boardorder/pkg/fabricator"
)

// A quotation is the answer of PcbQuotation.
type quotation struct {
	Prices []struct {
		BuildDays int
		BuildText string
		Express   bool
		Price     decimal.Decimal
		Standard  bool
	} `json:"priceList"`
	Shipping *struct {
		ShipCost decimal.Decimal
		ShipDays string // "3-5"
		Weight   decimal.Decimal
		IsRas    bool // DHL calls the place remote
	}
	Status    string // ok, error
	ErrorText string
	Code      int
}

// Price asks what the boards of s cost and what DHL takes for them.
func (c *Client) Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error) {
	r, err := translate(s)
	if err != nil {
		return fabricator.Price{}, err
	}
	q, err := c.ask(ctx, r)
	if err != nil {
		return fabricator.Price{}, err
	}
	p, err := q.price(s.BuildHours)
	if err != nil {
		return fabricator.Price{}, err
	}
	p.PricedAt = c.cfg.Now()
	p.ValidUntil = p.PricedAt.Add(c.cfg.PriceTTL)
	if err := p.Check(); err != nil {
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "its answer contradicts itself", Err: err}
	}
	return p, nil
}

var shipDays = regexp.MustCompile(`^([0-9]{1,2})-([0-9]{1,2})$`)

// price is the price that a quotation gives for a build of so many hours; 0 is the standard
// one. Each of its prices is of a whole build; those that cost less than the standard one are
// left out.
func (q quotation) price(hours int) (fabricator.Price, error) {
	p := fabricator.Price{Currency: "USD", Source: "pcbway partner API"}
	standard := int64(0)
	for _, x := range q.Prices {
		if x.Standard && standard == 0 {
			standard = cents(x.Price)
			p.Builds = append(p.Builds, fabricator.Build{Hours: x.BuildDays * 24, Name: x.BuildText, Chosen: hours == 0 || hours == x.BuildDays*24})
		}
	}
	for _, x := range q.Prices {
		if over := cents(x.Price) - standard; standard > 0 && !x.Standard && over >= 0 {
			p.Builds = append(p.Builds, fabricator.Build{Hours: x.BuildDays * 24, Name: x.BuildText, Cents: over, Chosen: hours == x.BuildDays*24})
		}
	}
	p.Lines = []fabricator.Line{{Code: fabricator.CodeBoard, Label: "Boards", Cents: standard}}
	build := p.Build()
	switch w := q.Shipping; {
	case standard <= 0:
		return p, &fabricator.Error{Kind: fabricator.Unavailable, Message: "it names no standard build"}
	case build.Hours == 0:
		return p, &fabricator.Error{Kind: fabricator.Refused, Message: fmt.Sprintf("no build of %d hours", hours), Fields: []fabricator.Field{{Field: "build_hours", Message: "is not one of the build times on offer"}}}
	case w == nil || !shipDays.MatchString(w.ShipDays):
		return p, &fabricator.Error{Kind: fabricator.Unavailable, Message: "it does not say when and for what it ships"}
	case w.IsRas:
		return p, &fabricator.Error{Kind: fabricator.Review, Reasons: []string{"DHL calls this place remote, and the fabricator's documents do not say whether its price holds the surcharge."}}
	default:
		days := shipDays.FindStringSubmatch(w.ShipDays)
		from, _ := strconv.Atoi(days[1]) // two digits
		to, _ := strconv.Atoi(days[2])
		p.Shipping = []fabricator.Shipping{{ID: "dhl", Carrier: "DHL", Service: "DHL", Cents: cents(w.ShipCost), DaysMin: from, DaysMax: to}}
		p.Weight = w.Weight.Ceil().IntPart()
	}
	if build.Cents > 0 {
		p.Lines = append(p.Lines, fabricator.Line{Code: fabricator.CodeExpress, Label: "Faster build", Cents: build.Cents})
	}
	return p, nil
}

func cents(d decimal.Decimal) int64 { return d.Shift(2).Round(0).IntPart() }

// Upload reads the files to their end and names them by their content: whoever places the
// order sends them.
func (c *Client) Upload(_ context.Context, _ string, zip io.Reader) (string, error) {
	return fabricator.NameFiles("pcbway-", zip)
}

// Stackups lists none: no page tells of any.
func (c *Client) Stackups(context.Context, fabricator.Spec) ([]fabricator.Stackup, error) {
	return nil, nil
}

// Place holds the agreed price against the one of now and leaves the order to people. It
// tells nobody outside, so it may be called again.
func (c *Client) Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	return fabricator.PlaceByHand(ctx, r, c.Price, "it", "")
}

// FindOrder finds nothing: Place does nothing outside, so it can always be called again.
func (c *Client) FindOrder(_ context.Context, reference string) (fabricator.Placed, error) {
	return fabricator.Placed{}, &fabricator.Error{Kind: fabricator.NotFound, Message: "orders are placed by hand, so it cannot be asked for " + reference}
}

// Progress is Received, always: only the team knows more.
func (c *Client) Progress(_ context.Context, p fabricator.Placed) (fabricator.Progress, error) {
	return fabricator.Progress{Status: fabricator.Received, Order: p}, nil
}
