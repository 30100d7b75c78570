package quote

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"github.com/tidwall/gjson"
	"go.uber.org/zap"
)

// Quotes answers what is asked about quotes.
type Quotes struct {
	Send      aggregate.Sender
	Docs      projection.Store // an outcome.Current
	Waiters   *wait.Waiters
	Secrets   *secret.Keyring
	Catalog   *catalog.Catalog
	Requests  Requests
	Customers *customer.Customers
	Arrivals  design.Arrivals
	PublicURL string
	Now       func() time.Time
	// Assembled counts a request for assembled boards, or refuses it.
	Assembled func(*web.Call) error

	files files
}

// NewRequests sends requests over the bus.
func NewRequests(b *bus.Bus, now func() time.Time) Requests { return Requests{b, now} }

const (
	endpoint     = "POST /v1/quotes"
	usualWait    = 30 // seconds
	maxRequestID = 64
	maxQuoteID   = 80
)

func (q *Quotes) outcomes() outcome.Outcomes { return outcome.Outcomes{Docs: q.Docs, Made: q.made} }

// made is the quote of a request that is granted.
func (q *Quotes) made(request string) (kind contract.Aggregate, ref string) {
	return contract.QuoteAggregate, contract.SecretRef(q.Secrets.QuoteID(request))
}

func (q *Quotes) designs() design.Designs {
	return design.Designs{Send: q.Send, Docs: q.Docs, Secrets: q.Secrets, Waiters: q.Waiters, Arrivals: q.Arrivals, Now: q.Now}
}

// Create answers POST /v1/quotes.
func (q *Quotes) Create(c *web.Call) error {
	a, err := q.begin(c)
	if err != nil {
		return err
	}
	return q.finish(c, a)
}

// finish waits for the outcome of a request and answers with it.
func (q *Quotes) finish(c *web.Call, a asked) error {
	defer a.waiter.Leave()
	// Thousands may wait here, so whatever it took to get here has left the stack.
	if a.out == nil {
		a.out = q.outcomes().Next(c.Context(), a.waiter, a.request, a.timeout)
	}
	if a.out == nil {
		return q.pending(c, a.request)
	}
	return q.answer(c, a.out, http.StatusCreated, a.joined)
}

// asked is a request that was passed on, or one that is known already.
type asked struct {
	request string
	joined  bool             // known before
	waiter  *wait.Waiter     // must leave
	out     *outcome.Outcome // nil: not known yet
	timeout time.Duration
}

// begin reads a request and passes it on.
func (q *Quotes) begin(c *web.Call) (asked, error) {
	o, err := q.read(c)
	if err != nil {
		return asked{}, err
	}
	digest, remembered := q.files.get(o.upload, contract.IsTest(c.Caller.Account), q.Now())
	if !remembered {
		if digest, err = q.arrived(c, o, o.upload); err != nil {
			return asked{}, err
		}
	}
	o.fingerprint = fingerprintOf(c.Caller.Account, o.body, digest, o.key)
	a, err := q.pass(c, o)
	if err == nil && a.joined && remembered {
		a, err = q.again(c, o, a, digest)
	}
	if err != nil {
		return asked{}, err
	}
	q.noted(c, o, a)
	return a, nil
}

// known passes a request on whose files are certain.
func (q *Quotes) known(c *web.Call, o *order) (asked, error) {
	a, err := q.pass(c, o)
	if err != nil {
		return asked{}, err
	}
	q.noted(c, o, a)
	return a, nil
}

// noted says in log and reply that a request is known.
func (q *Quotes) noted(c *web.Call, o *order, a asked) {
	c.About = append(c.About, zap.String("request", a.request), zap.Bool("joined", a.joined))
	switch {
	case a.joined && o.fingerprint.body != "":
		c.Set("Idempotent-Replayed", "true")
	case a.joined:
		c.Set("Deduplicated", "true")
	}
}

// again passes a request on that was taken for an earlier one by what is
// remembered of its files, unless they are still the same.
func (q *Quotes) again(c *web.Call, o *order, a asked, digest string) (asked, error) {
	fresh, err := q.digest(c.Context(), c.Caller.Account, o.upload, 0)
	if err == nil && fresh == digest {
		return a, nil
	}
	a.waiter.Leave()
	if err != nil {
		return asked{}, err
	}
	o.fingerprint = fingerprintOf(c.Caller.Account, o.body, fresh, o.key)
	return q.pass(c, o)
}

// order is a request that is fit to be passed on.
type order struct {
	upload      string          // ref
	body        json.RawMessage // contract.PriceQuoteData
	key         string          // Idempotency-Key
	fingerprint fingerprint
	timeout     time.Duration
}

// read checks the form of a request.
func (q *Quotes) read(c *web.Call) (*order, error) {
	body, err := c.Object()
	if err != nil {
		return nil, err
	}
	if itar.In(body) {
		return nil, q.designs().RefuseITAR(c)
	}
	fields := jsonbody.Of(body)
	o := &order{timeout: c.Wait(usualWait, fields)}
	var data contract.PriceQuoteData
	data.Request, data.Unknown = Validate(fields, q.Catalog)
	o.key = idempotencyKey(c.Header("Idempotency-Key"), fields)
	if p := fields.Problems(); len(p) > 0 {
		return nil, problem.Fields(p)
	}
	if data.Request.Assembly {
		if err := q.Assembled(c); err != nil {
			return nil, err
		}
	}
	o.upload = contract.SecretRef(data.Request.UploadID)
	data.Upload, data.Request.UploadID = o.upload, ""
	if o.body, err = json.Marshal(data); err != nil {
		return nil, fmt.Errorf("encode quote request: %w", err)
	}
	return o, nil
}

// named puts the quote's name, and the key that asked, before the members of a
// request's body: they are no part of what makes two requests the same.
func (q *Quotes) named(request, key string, body []byte) json.RawMessage {
	_, ref := q.made(request)
	named := fmt.Appendf(make([]byte, 0, len(body)+96), `{"quote":%q,"key":%q,`, ref, key)
	return append(named, body[1:]...)
}

// pass sends a request on, unless the same one is known.
func (q *Quotes) pass(c *web.Call, o *order) (asked, error) {
	ctx, a := c.Context(), asked{timeout: o.timeout}
	command := func(request string, at time.Time) (contract.Command, error) {
		a.wait(q.Waiters, request) // a command that is carried out at once must find its waiter
		return contract.NewCommand(contract.PriceQuote, request, c.Caller.Account, at, q.named(request, c.Caller.Key.ID, o.body))
	}
	request, joined, err := q.Requests.claim(ctx, &o.fingerprint, command, func(request string) (bool, error) {
		out, err := q.outcomes().Find(ctx, request)
		return out != nil && out.Refusal != nil && problem.Passing(out.Refusal.Code), err
	})
	if err != nil {
		a.waiter.Leave()
		if errors.Is(err, errKeyReused) {
			return a, problem.New(contract.IdempotencyKeyReused, "This Idempotency-Key was sent with another body. A key stands for one request.")
		}
		return a, problem.Unavailable(err)
	}
	if a.joined = joined; !joined {
		return a, nil
	}
	a.wait(q.Waiters, request)
	if a.out, err = q.outcomes().Find(ctx, request); err != nil {
		a.waiter.Leave()
	}
	return a, err
}

// wait joins the waiters of a request, in place of an earlier one.
func (a *asked) wait(waiters *wait.Waiters, request string) {
	a.waiter.Leave()
	a.request, a.waiter = request, waiters.Join(wait.Request(request))
}

// Poll answers GET /v1/quote-requests/{request_id}.
func (q *Quotes) Poll(c *web.Call) error {
	fields := jsonbody.Of(nil)
	timeout := c.Wait(0, fields)
	if p := fields.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	request, err := c.PathID("request_id", maxRequestID)
	if err != nil {
		return err
	}
	if _, _, ok := parseRequest(request); !ok {
		return unknownRequest()
	}
	c.About = append(c.About, zap.String("request", request))
	w := q.Waiters.Join(wait.Request(request))
	defer w.Leave()
	out, err := q.outcomes().Find(c.Context(), request)
	if err != nil {
		return err
	}
	if out == nil {
		if err := q.mine(c, request); err != nil {
			return err
		}
		if out, err = q.outcomes().Await(c.Context(), w, request, timeout); err != nil {
			return err
		}
	}
	switch {
	case out == nil:
		return q.pending(c, request)
	case out.Account != c.Caller.Account || out.Refusal == nil && out.Aggregate != contract.QuoteAggregate:
		return unknownRequest()
	}
	if out.Refusal == nil {
		if err := q.shown(c.Context(), gjson.GetBytes(out.Doc.Body, "upload").Str); err != nil {
			return err
		}
	}
	return q.answer(c, out, http.StatusOK, true)
}

// mine refuses a request in progress that is not the caller's.
func (q *Quotes) mine(c *web.Call, request string) error {
	sent, found, err := q.Requests.sent(c.Context(), request)
	if err != nil {
		return problem.Unavailable(err)
	}
	owner := sent.Account
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
