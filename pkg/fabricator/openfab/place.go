package openfab

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"boardorder/pkg/fabricator"
)

var referenceForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// Place orders the boards, once. Whatever it returns, it has sent at most one
// create; after fabricator.Unknown the caller asks FindOrder.
func (c *Client) Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	req, err := createOf(r)
	if err != nil {
		return fabricator.Placed{}, err
	}
	price, err := c.Price(ctx, r.Spec)
	if err != nil {
		return fabricator.Placed{}, err
	}
	total, err := c.agree(r, price)
	if err != nil {
		return fabricator.Placed{}, err
	}
	req.AchieveDate = price.Build().Hours
	var out createReply
	if err := c.postAs(ctx, "pcb/create", req, &out, true); err != nil {
		return fabricator.Placed{}, err
	}
	if out.OrderID == "" {
		return fabricator.Placed{}, &fabricator.Error{Kind: fabricator.Unknown, Message: "it answered a create without an order id"}
	}
	if out.BatchNum != "" && out.BatchNum != r.Reference {
		// FindOrder would never see this order: people must.
		return fabricator.Placed{}, &fabricator.Error{
			Kind: fabricator.Unknown, Message: fmt.Sprintf("it filed order %s under %s instead of %s", out.OrderID, out.BatchNum, r.Reference),
		}
	}
	return fabricator.Placed{
		Reference: r.Reference, OrderID: out.OrderID, Cents: total, Currency: price.Currency,
		Orders: 1, At: parseTime(out.OrderDate),
	}, nil
}

// agree holds today's price against what was quoted.
func (c *Client) agree(r fabricator.PlaceRequest, p fabricator.Price) (int64, error) {
	ship, ok := p.ShippingByID(r.Shipping)
	if !ok {
		return 0, &fabricator.Error{
			Kind: fabricator.Shipment, Message: "the chosen way of shipping is not on offer any more",
			Fields: []fabricator.Field{{Field: "shipping", Message: "is not on offer any more"}},
		}
	}
	total := p.Boards() + ship.Cents
	if r.AgreedCents == 0 {
		return total, nil
	}
	if r.Currency != p.Currency {
		return 0, &fabricator.Error{Kind: fabricator.Internal, Message: fmt.Sprintf("agreed in %s, priced in %s", r.Currency, p.Currency)}
	}
	if total > r.AgreedCents+r.AgreedCents*c.cfg.DriftPercent/100 {
		return 0, &fabricator.Error{
			Kind: fabricator.PriceMoved, Message: fmt.Sprintf("it now costs %d cents, %d were agreed", total, r.AgreedCents),
		}
	}
	return total, nil
}

func createOf(r fabricator.PlaceRequest) (createRequest, error) {
	if !referenceForm.MatchString(r.Reference) {
		return createRequest{}, &fabricator.Error{Kind: fabricator.Internal, Message: fmt.Sprintf("%.80q is no reference", r.Reference)}
	}
	if r.Spec.FileKey == "" {
		return createRequest{}, &fabricator.Error{Kind: fabricator.Files, Message: "the design files were not uploaded"}
	}
	b, err := board(r.Spec)
	if err != nil {
		return createRequest{}, err
	}
	b.OrderDetailsRemark = strings.TrimSpace(r.Reference + " " + r.Remark)
	return createRequest{
		FileKey: r.Spec.FileKey, BatchNum: r.Reference, Shipping: addressOf(r.ShipTo), TaxNumber: r.ShipTo.TaxID,
		OrderType: boardOnly, Board: b, ShippingMethod: r.Shipping,
	}, nil
}

func addressOf(a fabricator.Address) addressData {
	first, last := splitName(a.Name)
	return addressData{
		FirstName: first, LastName: last, Company: a.Company, Street: a.Line1, Line2: a.Line2, City: a.City,
		Country: a.Country, Province: cmp.Or(a.State, a.City), PostalCode: a.PostalCode, Phone: a.Phone,
	}
}

// splitName takes the last word for the last name. The wire wants both, so a
// single name stands for either.
func splitName(name string) (first, last string) {
	words := strings.Fields(name)
	if len(words) < 2 {
		return name, name
	}
	n := len(words) - 1
	return strings.Join(words[:n], " "), words[n]
}

func carrierOf(id, show string) (carrier, service string) {
	carrier = fabricator.CarrierOf(id + " " + show)
	if carrier == id+" "+show {
		carrier = id
	}
	return carrier, cmp.Or(show, id)
}
