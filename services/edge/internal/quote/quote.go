package quote

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/idempotency"
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
	*dispatch.Client
	Rules     Rules
	Requests  Requests
	Tables    Requests // of price tables
	Savings   Requests
	Customers *customer.Customers
	Arrivals  design.Arrivals
	Links     *design.Links
	// ReportURL is where the report is that a request was refused with; "" where there is none.
	ReportURL func(ctx context.Context, request string, r *contract.Refusal) string
	// Assembled counts a request for assembled boards, or refuses it.
	Assembled func(*web.Call) error
	// CountTable counts a price table as so many quotes, or refuses it.
	CountTable func(c *web.Call, n int, assembled bool) error
	Shown      ShownPrices // on buttons and cards of buy links
	// Network names where a call comes from, for people.
	Network func(*web.Call) string
}

// NewRequests sends requests of one name over the bus.
func NewRequests(b *bus.Bus, name contract.CommandName, now func() time.Time) Requests {
	return Requests{b, name, now}
}

const (
	endpoint     = "POST /v1/quotes"
	usualWait    = 30 // seconds
	maxRequestID = 64
	maxQuoteID   = 80
)

func (q *Quotes) outcomes() outcome.Outcomes { return outcome.Outcomes{Docs: q.Docs, Made: q.quoteRef} }

// quoteRef is the quote of a request that is granted.
func (q *Quotes) quoteRef(request string) (kind contract.Aggregate, ref string) {
	return contract.QuoteAggregate, contract.SecretRef(q.Secrets.QuoteID(request))
}

func (q *Quotes) designs() design.Designs {
	return design.Designs{Client: q.Client, Arrivals: q.Arrivals}
}

// Create answers POST /v1/quotes.
func (q *Quotes) Create(c *web.Call) error {
	a, err := q.begin(c)
	if err != nil {
		return err
	}
	return q.respond(c, a)
}

// respond waits for the outcome of a request and answers with it.
func (q *Quotes) respond(c *web.Call, a submission) error {
	defer a.waiter.Leave()
	a.mark(c)
	// Thousands may wait here, so whatever it took to get here has left the stack.
	a.await(c, q.outcomes())
	if a.out == nil {
		return q.pending(c, a.request, q.pollURL(a.request))
	}
	return q.answer(c, a.out, http.StatusCreated, a.joined, nil)
}

// submission is a request that was published, or an earlier one that is the same.
type submission struct {
	request string
	joined  bool             // an earlier one
	keyed   bool             // found by its Idempotency-Key
	waiter  *wait.Waiter     // must leave
	out     *outcome.Outcome // nil: there is none yet
	timeout time.Duration
}

// begin reads a request and submits it.
func (q *Quotes) begin(c *web.Call) (submission, error) {
	o, err := q.read(c)
	if err != nil {
		return submission{}, err
	}
	return q.send(c, o)
}

// send submits an order once its files are unpacked. What came of one whose key names an
// earlier request holds whatever became of the files since.
func (q *Quotes) send(c *web.Call, o *order) (submission, error) {
	if o.request.HasEnded() {
		return replay(o), nil
	}
	up, err := q.awaitUpload(c, o, o.upload)
	if err != nil {
		return submission{}, err
	}
	if err := q.complete(c, o, up.OrderFile); err != nil {
		return submission{}, err
	}
	if o.assembled {
		if err := q.Assembled(c); err != nil {
			return submission{}, err
		}
	}
	o.sum = digest(c.Caller.Account, endpoint, o.body, up.Digest)
	return q.submit(c, o)
}

// replay is the submission of a request that has its outcome.
func replay(o *order) submission {
	return submission{request: o.request.ID, joined: true, keyed: true, out: o.request.Outcome, timeout: o.timeout}
}

// awaitUpload gives the upload of a request, which waits for files that are still being
// unpacked. What it waited it does not wait for its price.
func (q *Quotes) awaitUpload(c *web.Call, o *order, ref string) (uploads.Brief, error) {
	began := time.Now()
	up, err := q.designs().Usable(c.Context(), c.Caller.Account, ref, o.timeout)
	o.timeout = max(o.timeout-time.Since(began).Truncate(time.Second), 0)
	return up, err
}

// mark says in log and reply whether a request is an earlier one.
func (a submission) mark(c *web.Call) {
	c.About = append(c.About, zap.String("request", a.request), zap.Bool("joined", a.joined))
	switch {
	case a.joined && a.keyed:
		c.Set(web.Replayed, "true")
	case a.joined:
		c.Set("Deduplicated", "true")
	}
}

// await waits for what comes of a request, unless that is known.
func (a *submission) await(c *web.Call, outcomes outcome.Outcomes) {
	if a.out == nil {
		a.out = outcomes.AwaitNext(c.Context(), a.waiter, a.request, a.timeout)
	}
}

// order is a request that is fit to be submitted.
type order struct {
	upload    string               // ref
	asked     map[string]any       // the body of the request
	completed bool                 // by the order file of the upload
	body      json.RawMessage      // quotes.PriceData
	request   *idempotency.Request // named where the client did
	sum       [32]byte             // what it is known by where the client did not
	assembled bool
	approval  string // id of an approval of the quote that is priced again, whose parts it is priced with
	timeout   time.Duration
}

// read checks the form of a request.
func (q *Quotes) read(c *web.Call) (*order, error) {
	body, err := c.Object()
	if err != nil {
		return nil, err
	}
	if itar.DeclaresIn(body) {
		return nil, q.designs().RefuseITAR(c)
	}
	fields := jsonbody.NewFields(body)
	o := &order{timeout: c.Wait(usualWait, fields), asked: body}
	if err := q.validate(fields, o, nil); err != nil {
		if err := q.completeRefused(c, o, err); err != nil {
			return nil, err
		}
	}
	o.request, err = q.Keys.Begin(c, q.outcomes(), endpoint, jsonbody.Text(body))
	return o, err
}

// validate fills an order with what the fields of a request ask for, some of which may be an
// order file's.
func (q *Quotes) validate(fields *jsonbody.Fields, o *order, source *quotes.OrderSource) (err error) {
	var data quotes.PriceData
	data.Request, data.Unknown = Validate(fields, q.Rules)
	data.Request.OrderFile = source
	if p := fields.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	o.assembled = data.Request.Assembly
	o.upload = contract.SecretRef(data.Request.UploadID)
	data.Upload, data.Request.UploadID = o.upload, ""
	if o.body, err = json.Marshal(data); err != nil {
		return fmt.Errorf("encode quote request: %w", err)
	}
	return nil
}

// A kind is what requests ask for: quotes, price tables, or savings.
type kind struct {
	name     contract.CommandName
	requests Requests
	outcomes outcome.Outcomes
	// members are those that the body of a command begins with: what is no part of what
	// makes two requests the same.
	members func(request string) string
	// outdated reports whether what came of a request serves nobody else; nil = it does.
	outdated func(*outcome.Outcome) bool
}

func (q *Quotes) quoteKind(key string) kind {
	return kind{name: quotes.Price, requests: q.Requests, outcomes: q.outcomes(), members: func(request string) string {
		_, ref := q.quoteRef(request)
		return fmt.Sprintf(`"quote":%q,"key":%q`, ref, key)
	}}
}

// submit publishes a request for a quote, unless the same one was submitted before.
func (q *Quotes) submit(c *web.Call, o *order) (submission, error) {
	return q.submitKind(c, o, q.quoteKind(c.Caller.Key.ID))
}

// submitKind publishes a request, unless the same one was submitted before.
func (q *Quotes) submitKind(c *web.Call, o *order, k kind) (submission, error) {
	ctx, a := c.Context(), submission{timeout: o.timeout, keyed: o.request.IsNamed()}
	command := func(request string, at time.Time) (contract.Command, error) {
		a.join(q.Waiters, request) // a command that is carried out at once must find its waiter
		text := append(make([]byte, 0, len(o.body)+96), '{')
		text = append(append(append(text, k.members(request)...), ','), o.body[1:]...)
		return contract.NewCommand(k.name, request, c.Caller.Account, at, json.RawMessage(text))
	}
	request, joined, err := k.claim(ctx, o, command)
	if err != nil {
		a.waiter.Leave()
		return a, err
	}
	if a.joined = joined; !joined {
		return a, nil
	}
	a.join(q.Waiters, request)
	if a.out, err = k.outcomes.Find(ctx, request); err != nil {
		a.waiter.Leave()
	}
	return a, err
}

// claim sends the command of a request that its key or else its content names, or finds the
// one that was sent.
func (k kind) claim(ctx context.Context, o *order, command func(string, time.Time) (contract.Command, error)) (request string, joined bool, err error) {
	if o.request.IsNamed() {
		if err := o.request.Claim(ctx); err != nil {
			return "", false, err
		}
		if joined, err = k.requests.sendNamed(ctx, o.request.ID, command); err != nil {
			err = problem.Unavailable(err)
		}
		return o.request.ID, joined, err
	}
	request, joined, err = k.requests.claim(ctx, o.sum, command, func(request string) (bool, error) {
		out, err := k.outcomes.Find(ctx, request)
		if err != nil || out == nil {
			return false, err
		}
		return out.Refusal != nil && problem.Passing(out.Refusal.Code) || k.outdated != nil && k.outdated(out), nil
	})
	if err != nil {
		err = problem.Unavailable(err)
	}
	return request, joined, err
}

// join joins the waiters of a request, in place of an earlier one.
func (a *submission) join(waiters *wait.Waiters, request string) {
	a.waiter.Leave()
	a.request, a.waiter = request, waiters.Join(wait.Request(request))
}

// requestOf is the request that a path names; what can name none is unknown.
func requestOf(c *web.Call, name string, unknown func() error) (string, error) {
	request, err := c.PathID(name, maxRequestID)
	if err != nil {
		return "", err
	}
	if _, _, ok := parseRequest(request); !ok {
		return "", unknown()
	}
	c.About = append(c.About, zap.String("request", request))
	return request, nil
}

// Poll answers GET /v1/quote-requests/{request_id}.
func (q *Quotes) Poll(c *web.Call) error {
	fields := jsonbody.NewFields(nil)
	timeout := c.Wait(0, fields)
	if p := fields.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	request, err := requestOf(c, "request_id", unknownRequest)
	if err != nil {
		return err
	}
	w := q.Waiters.Join(wait.Request(request))
	defer w.Leave()
	out, err := q.outcomes().Find(c.Context(), request)
	if err != nil {
		return err
	}
	if out == nil {
		if err := q.authorize(c, request); err != nil {
			return err
		}
		if out, err = q.outcomes().Await(c.Context(), w, request, timeout); err != nil {
			return err
		}
	}
	switch {
	case out == nil:
		return q.pending(c, request, q.pollURL(request))
	case out.Account != c.Caller.Account || out.Refusal == nil && out.Aggregate != contract.QuoteAggregate:
		return unknownRequest()
	}
	if out.Refusal == nil {
		if err := q.refuseDeclared(c.Context(), gjson.GetBytes(out.Doc.Body, "upload").Str); err != nil {
			return err
		}
	}
	return q.answer(c, out, http.StatusOK, true, nil)
}

// authorize refuses a request in progress that is not the caller's.
func (q *Quotes) authorize(c *web.Call, request string) error {
	sent, found, err := q.Requests.readClaim(c.Context(), request)
	if err != nil {
		return problem.Unavailable(err)
	}
	owner := sent.Account
	if !found { // a later request took its place: the progress may know it
		waiting, known, err := outcome.Read[quotes.Wait](c.Context(), q.Docs, string(contract.QuoteRequestAggregate), request)
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

func (q *Quotes) pollURL(request string) string { return q.PublicURL + "/v1/quote-requests/" + request }

func unknownRequest() error {
	return problem.New(contract.NotFound, "There is no quote request with this request_id.")
}
