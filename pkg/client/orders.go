package client

import (
	"context"
	"iter"
	"net/http"
)

// CreateBuyLink makes a public page at which others order a board.
func (c *Client) CreateBuyLink(ctx context.Context, request BuyLinkRequest, options ...CallOption) (*BuyLink, error) {
	out := &BuyLink{}
	return out, c.Do(ctx, http.MethodPost, "/v1/buy-links", nil, request, out, options...)
}

// CloseBuyLink ends a buy link: its page takes no further order.
func (c *Client) CloseBuyLink(ctx context.Context, buyLinkID string, options ...CallOption) error {
	return c.Do(ctx, http.MethodDelete, "/v1/buy-links/"+escape(buyLinkID), nil, nil, nil, options...)
}

// ListOrders gives the account's formal orders, newest first.
func (c *Client) ListOrders(ctx context.Context) iter.Seq2[FormalOrder, error] {
	return walkPages[FormalOrder](ctx, c, "/v1/orders", "orders", 0)
}

// GetOrder gives a formal order, by its id or its reference.
func (c *Client) GetOrder(ctx context.Context, identifier string, options ...CallOption) (*FormalOrder, error) {
	out := &FormalOrder{}
	return out, c.Do(ctx, http.MethodGet, "/v1/orders/"+escape(identifier), nil, nil, out, options...)
}

// AcceptQuote accepts an option of a formal quote. Only after the customer approved it.
func (c *Client) AcceptQuote(ctx context.Context, identifier string, request AcceptQuote, options ...CallOption) (*FormalOrder, error) {
	out := &FormalOrder{}
	return out, c.Do(ctx, http.MethodPost, "/v1/orders/"+escape(identifier)+"/accept-quote", nil, request, out, options...)
}

// AnswerQuestion answers what the team asked about a formal order.
func (c *Client) AnswerQuestion(ctx context.Context, identifier string, request AnswerQuestion, options ...CallOption) (*FormalOrder, error) {
	out := &FormalOrder{}
	return out, c.Do(ctx, http.MethodPost, "/v1/orders/"+escape(identifier)+"/answers", nil, request, out, options...)
}

// CheckKey says whose the key is, and what it may be used for.
func (c *Client) CheckKey(ctx context.Context, options ...CallOption) (*KeyCheck, error) {
	out := &KeyCheck{}
	return out, c.Do(ctx, http.MethodGet, "/auth/check", nil, nil, out, options...)
}
