package fabricator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// NameFiles reads design files to their end and names them by their content, where nobody but
// us keeps them: whoever places the order by hand sends them.
func NameFiles(prefix string, zip io.Reader) (string, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, zip)
	if err != nil {
		return "", fmt.Errorf("read design files: %w", err)
	}
	if n == 0 {
		return "", &Error{Kind: Files, Message: "there are no design files"}
	}
	return prefix + hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// PlaceByHand holds the agreed price against that of now, of which source says so, and leaves
// the order to people, who know it by its reference behind prefix. It tells nobody outside, so
// it may be called again.
func PlaceByHand(ctx context.Context, r PlaceRequest, price func(context.Context, Spec) (Price, error), source, prefix string) (Placed, error) {
	if r.Reference == "" {
		return Placed{}, &Error{Kind: Internal, Message: "an order needs a reference"}
	}
	p, err := price(ctx, r.Spec)
	if err != nil {
		return Placed{}, err
	}
	way, ok := p.ShippingByID(r.Shipping)
	if !ok {
		const message = "is not a way of shipping to this destination"
		return Placed{}, &Error{Kind: Shipment, Message: message, Fields: []Field{{Field: "shipping", Message: message}}}
	}
	total := p.Boards() + way.Cents
	if r.AgreedCents != 0 && (r.Currency != p.Currency || total > r.AgreedCents) {
		return Placed{}, &Error{Kind: PriceMoved, Message: fmt.Sprintf("%s now says %d cents %s, %d %s were agreed", source, total, p.Currency, r.AgreedCents, r.Currency)}
	}
	return Placed{
		Reference: r.Reference, OrderID: r.Reference, OrderNumber: prefix + r.Reference, Cents: total, Currency: p.Currency,
		Orders: 1, Manual: true, At: p.PricedAt,
	}, nil
}
