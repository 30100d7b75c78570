package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// waitSeconds is how long one request waits for what takes long.
const waitSeconds = 30

func escape(id string) string { return url.PathEscape(id) }

func waitQuery() url.Values { return url.Values{"wait_s": {strconv.Itoa(waitSeconds)}} }

// Quote asks for the price of boards, and waits for it. An *Error of class NeedsAnswers
// has what the files leave open (ApplyAnswer puts an answer into the request), one of class
// Design the faults that stop it.
func (c *Client) Quote(ctx context.Context, request QuoteRequest, options ...CallOption) (*QuoteReply, error) {
	out := &QuoteReply{}
	return out, c.Await(ctx, "/v1/quotes", "/v1/quote-requests/", request, out, options...)
}

// PriceTable asks for the prices of several quantities and destinations, and waits for them.
func (c *Client) PriceTable(ctx context.Context, request PriceTableRequest, options ...CallOption) (*PriceTable, error) {
	out := &PriceTable{}
	return out, c.Await(ctx, "/v1/price-tables", "/v1/price-tables/", request, out, options...)
}

// Refresh prices a quote again as it is today; the reply is a quote of its own.
func (c *Client) Refresh(ctx context.Context, quoteID string, options ...CallOption) (*QuoteReply, error) {
	out := &QuoteReply{}
	return out, c.Await(ctx, "/v1/quotes/"+escape(quoteID)+"/refresh", "/v1/quote-requests/", NoBody{}, out, options...)
}

// FindSavings looks for what would make a quote cheaper, and waits for it.
func (c *Client) FindSavings(ctx context.Context, quoteID string, options ...CallOption) (*Savings, error) {
	out, path := &Savings{}, "/v1/quotes/"+escape(quoteID)+"/savings"
	return out, c.Await(ctx, path, path+"/", NoBody{}, out, options...)
}

// GetQuote gives where a quote stands, and the order that came of it.
func (c *Client) GetQuote(ctx context.Context, quoteID string, options ...CallOption) (*QuoteStanding, error) {
	out := &QuoteStanding{}
	return out, c.Do(ctx, http.MethodGet, "/v1/quotes/"+escape(quoteID), nil, nil, out, options...)
}

// Await posts a request that may take long to path; while it does, it asks again below
// poll. A request is sent once, however long it takes.
func (c *Client) Await(ctx context.Context, path, poll string, request, out any, options ...CallOption) error {
	k := &call{}
	for _, o := range options {
		o(k)
	}
	var body json.RawMessage
	r, err := c.do(ctx, http.MethodPost, path, waitQuery(), request, &body, options)
	for err == nil && r.status == http.StatusAccepted {
		var pending PendingQuoteReply
		if err := r.decode(&pending); err != nil {
			return err
		}
		if k.progress != nil {
			k.progress(Progress{pending.Progress, duration(pending.ElapsedS)})
		}
		asked := time.Now()
		r, err = c.do(ctx, http.MethodGet, poll+escape(pending.RequestID), waitQuery(), nil, &body, options)
		if rest := duration(pending.RetryAfterS) - time.Since(asked); err == nil && r.status == http.StatusAccepted && rest > 0 {
			err = c.sleep(ctx, rest)
		}
	}
	if err != nil {
		return err
	}
	return r.decode(out)
}

// ApplyAnswer gives request with one property set: an answer to a question, or a way on
// from a finding. A field within an object is named by its path, as replies do:
// "file_answers.outline".
func ApplyAnswer[Request any](request Request, field string, value any) (Request, error) {
	var answered Request
	text, err := json.Marshal(request)
	if err != nil {
		return answered, err
	}
	var properties map[string]any
	if err := json.Unmarshal(text, &properties); err != nil {
		return answered, err
	}
	into, names := properties, strings.Split(field, ".")
	for _, name := range names[:len(names)-1] {
		inner, there := into[name].(map[string]any)
		if !there {
			inner = map[string]any{}
			into[name] = inner
		}
		into = inner
	}
	into[names[len(names)-1]] = value
	if text, err = json.Marshal(properties); err != nil {
		return answered, err
	}
	return answered, json.Unmarshal(text, &answered)
}
