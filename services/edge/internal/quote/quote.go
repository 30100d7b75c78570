package quote

import (
	"context"
	"errors"
	"net/http"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Quotes answers what is asked about quotes.
type Quotes struct {
	Send      aggregate.Sender
	Docs      projection.Store
	Room      *wait.Room
	Secrets   *secret.Keyring
	Catalog   *catalog.Catalog
	Requests  Requests
	PublicURL string
	Now       func() time.Time
}

// NewRequests keeps the requests in the bucket.
func NewRequests(bucket *bus.Bucket, now func() time.Time) Requests { return Requests{bucket, now} }

const (
	endpoint  = "POST /v1/quotes"
	usualWait = 30 // seconds
)

func (q *Quotes) desk() outcome.Desk { return outcome.Desk{Docs: q.Docs} }

func (q *Quotes) designs() design.Designs {
	return design.Designs{Send: q.Send, Docs: q.Docs, Now: q.Now}
}

// Create answers POST /v1/quotes.
func (q *Quotes) Create(c *web.Call) error {
	a, err := q.begin(c)
	if err != nil {
		return err
	}
	defer a.waiter.Leave()
	// Thousands may wait here, so whatever it took to get here has left the stack.
	if a.out == nil {
		a.out = q.desk().Next(c.Context(), a.waiter, a.request, a.patience)
	}
	if a.out == nil {
		return q.pending(c, a.request)
	}
	return q.answer(c, a.out, http.StatusCreated)
}

// asked is a request that was passed on, or one that is known already.
type asked struct {
	request  string
	waiter   *wait.Waiter     // must leave
	out      *outcome.Outcome // nil: not known yet
	patience time.Duration
}

// begin reads a request and passes it on.
func (q *Quotes) begin(c *web.Call) (asked, error) {
	o, err := q.read(c)
	if err != nil {
		return asked{}, err
	}
	up, err := q.designs().Usable(c.Context(), o.data.Upload)
	if err != nil {
		return asked{}, err
	}
	if o.wish, err = wishOf(c.Caller.Account, &o.data, up.Digest, o.key); err != nil {
		return asked{}, err
	}
	return q.pass(c, o)
}

// order is a request that is fit to be passed on.
type order struct {
	data     contract.PriceQuoteData
	key      string // Idempotency-Key
	wish     wish
	patience time.Duration
}

// read checks the form of a request.
func (q *Quotes) read(c *web.Call) (*order, error) {
	body, err := c.Object()
	if err != nil {
		return nil, err
	}
	if design.DeclaresITAR(body) {
		return nil, q.designs().RefuseITAR(c, body)
	}
	fields := jsonbody.Of(body)
	o := &order{patience: c.Wait(usualWait, fields)}
	o.data.Request, o.data.Unknown = Validate(fields, q.Catalog)
	o.key = idempotencyKey(c.Header("Idempotency-Key"), fields)
	if p := fields.Problems(); len(p) > 0 {
		return nil, problem.Fields(p)
	}
	o.data.Upload, o.data.Request.UploadID = contract.SecretRef(o.data.Request.UploadID), ""
	return o, nil
}

// pass sends a request on, unless the same one is known.
func (q *Quotes) pass(c *web.Call, o *order) (asked, error) {
	ctx := c.Context()
	request, joined, err := q.Requests.claim(ctx, &o.wish, func(request string) (bool, error) {
		out, err := q.desk().Find(ctx, request)
		return out != nil && out.Refusal != nil && problem.Passing(out.Refusal.Code), err
	})
	if errors.Is(err, errKeyReused) {
		return asked{}, problem.New(contract.IdempotencyKeyReused, "This Idempotency-Key was sent with another body. A key stands for one request.")
	}
	if err != nil {
		return asked{}, problem.Unavailable(err)
	}
	c.About = append(c.About, zap.String("request", request), zap.Bool("joined", joined))
	switch {
	case joined && o.wish.body != "":
		c.Set("Idempotent-Replayed", "true")
	case joined:
		c.Set("Deduplicated", "true")
	}
	a := asked{request: request, waiter: q.Room.Join(request), patience: o.patience}
	if a.out, err = q.ask(ctx, request, joined, c.Caller.Account, &o.data); err != nil {
		a.waiter.Leave()
	}
	return a, err
}

// ask publishes the request. One that was joined is published again as well,
// which changes nothing if it was heard the first time, unless its outcome is
// already known.
func (q *Quotes) ask(ctx context.Context, request string, joined bool, account string, data *contract.PriceQuoteData) (*outcome.Outcome, error) {
	if joined {
		if out, err := q.desk().Find(ctx, request); err != nil || out != nil {
			return out, err
		}
	}
	cmd, err := contract.NewCommand(contract.PriceQuote, request, account, q.Now(), data)
	if err != nil {
		return nil, err
	}
	if err := q.Send.Send(ctx, cmd); err != nil {
		return nil, problem.Unavailable(err)
	}
	return nil, nil
}

// Poll answers GET /v1/quote-requests/{request_id}.
func (q *Quotes) Poll(c *web.Call) error {
	fields := jsonbody.Of(nil)
	patience := c.Wait(0, fields)
	request := c.Param("request_id")
	if len(request) > 64 {
		fields.Refuse("request_id", jsonbody.TooLong, map[string]int{"max_length": 64}, "request_id has at most 64 characters.")
	}
	if p := fields.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	if _, _, ok := parseRequest(request); !ok {
		return unknownRequest()
	}
	c.About = append(c.About, zap.String("request", request))
	w := q.Room.Join(request)
	defer w.Leave()
	out, err := q.desk().Find(c.Context(), request)
	if err != nil {
		return err
	}
	if out == nil {
		if err := q.mine(c, request); err != nil {
			return err
		}
		if out, err = q.desk().Await(c.Context(), w, request, patience); err != nil {
			return err
		}
	}
	switch {
	case out == nil:
		return q.pending(c, request)
	case out.Account != c.Caller.Account || out.Refusal == nil && out.Aggregate != contract.QuoteAggregate:
		return unknownRequest()
	}
	return q.answer(c, out, http.StatusOK)
}

// mine refuses a request in progress that is not the caller's.
func (q *Quotes) mine(c *web.Call, request string) error {
	owner, found, err := q.Requests.owner(c.Context(), request)
	if err != nil {
		return problem.Unavailable(err)
	}
	if !found { // a later request took its place: the progress may know it
		waiting, known, err := outcome.Read[contract.QuoteWait](c.Context(), q.Docs, string(contract.QuoteRequestAggregate), request)
		if err != nil {
			return err
		}
		owner, found = waiting.Account, known
	}
	if !found || owner != c.Caller.Account {
		return unknownRequest()
	}
	return nil
}

func unknownRequest() error {
	return problem.New(contract.NotFound, "There is no quote request with this request_id.")
}
