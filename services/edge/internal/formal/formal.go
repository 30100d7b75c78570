// Package formal is the edge's part in formal orders: it takes the form in as it
// arrives, checks every field, passes the order on, and shows orders. What becomes of
// them is decided elsewhere.
//
// Of a file nothing is looked at: the fields that say whether the design is
// controlled may come after it.
package formal

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Orders answers what has to do with formal orders.
type Orders struct {
	*dispatch.Client
	Blobs blob.Store
	// Begin gives the body of a form, counted as uploads are.
	Begin   func(*web.Call) (body io.Reader, leave func(), err error)
	Timeout time.Duration // for the outcome
	// Network names whom calls without a key are counted for.
	Network func(*web.Call) (string, error)
}

// kind is the projection's kind of document.
const kind = string(contract.FormalAggregate)

// Submit answers POST /v1/orders. The same request_id is the same order, also when
// two requests race or an earlier one broke halfway.
func (k *Orders) Submit(c *web.Call) error {
	f, err := k.receive(c)
	if err != nil {
		return err
	}
	data, named, err := f.submission(c)
	if err != nil {
		k.discard(f.files)
		return k.declare(c, f, data, err)
	}
	r, err := k.name(c, f, &data, named)
	if err != nil {
		k.discard(f.files)
		return k.declare(c, f, data, err)
	}
	if named {
		f.unknown = ineffectiveNames(c, f.unknown)
	}
	o, found, err := outcome.Read[formal.Order](c.Context(), k.Docs, kind, data.Order)
	if err == nil && found && (o.ITAR || !data.ITAR) {
		k.discard(f.files)
		c.Set(web.Replayed, "true")
		return k.answerCreated(c, o, f.unknown, differing(o, data))
	}
	if r.HasEnded() && r.Outcome.Refusal != nil {
		k.discard(f.files)
		r.Mark(c)
		return problem.NewFromRefusal(r.Outcome.Refusal)
	}
	request := r.ID
	c.About = append(c.About, zap.String("request", request), zap.String("order", data.Order))
	out, err := k.submit(c, formal.Submit, request, data)
	switch {
	case errors.Is(err, dispatch.ErrNotSent):
		// Perhaps only the answer was lost and the command is on its way: the files stay
		// for it, or else for the sweep.
		return incomplete(data.RequestID, named, err)
	case err != nil:
		return err
	case out == nil:
		return unavailable("The order was taken, but is not confirmed yet. List your orders, or send it again with " + sameID(data.RequestID, named) + ": it is made once.")
	}
	if o, err = outcome.Decode[formal.Order](out.Doc); err != nil {
		return err
	}
	var other []string
	if o.Submission != request {
		c.Set(web.Replayed, "true")
		other = differing(o, data)
	}
	return k.answerCreated(c, o, f.unknown, other)
}

// name gives the request that makes an order. Where the form has no request_id, an
// Idempotency-Key stands for one.
func (k *Orders) name(c *web.Call, f *form, data *formal.SubmitData, named bool) (*idempotency.Request, error) {
	if named {
		return &idempotency.Request{ID: k.NewRequest()}, nil
	}
	r, err := k.Keys.Begin(c, outcome.Outcomes{Docs: k.Docs}, "POST /v1/orders", f.content())
	if err != nil {
		return nil, err
	}
	if err := r.Claim(c.Context()); err != nil {
		return nil, err
	}
	if r.IsNamed() {
		data.RequestID = r.ID
		data.Order = formal.Key(c.Caller.Account, data.RequestID)
	}
	return r, nil
}

// declare passes on that a refused request declares the order of its request_id, or of its
// Idempotency-Key, ITAR-controlled, and gives the refusal. Nothing else of the request is
// passed on.
func (k *Orders) declare(c *web.Call, f *form, data formal.SubmitData, refusal error) error {
	if !data.ITAR {
		return refusal
	}
	id := f.line("request_id", maxRequestID)
	if id == "" {
		named, _, err := k.Keys.Look(c)
		if err != nil || named == "" {
			return cmp.Or(err, refusal)
		}
		id = named
	}
	only := formal.SubmitData{
		Form: formal.Form{ITAR: true, BoardOrigin: data.BoardOrigin}, RequestID: id, Order: formal.Key(c.Caller.Account, id),
	}
	out, err := k.submit(c, formal.Submit, k.NewRequest(), only)
	switch {
	case errors.Is(err, dispatch.ErrNotSent):
		return incomplete(id, true, err)
	case err == nil && out == nil:
		return unavailable("Whether the declaration was recorded is not known yet. Send it again with the same request_id.")
	}
	return refusal
}

// answerCreated answers with an order. Of one that there was before differs names the
// fields of this request that are not those of the order.
func (k *Orders) answerCreated(c *web.Call, o formal.Order, unknown, differs []string) error {
	r := k.recordOf(o)
	r.LeftAside = unknown
	r.noteRepeat(differs)
	c.Set("Location", "/v1/orders/"+o.ID)
	return c.JSON(http.StatusCreated, r)
}

// ineffectiveNames names what of a request has no effect, an Idempotency-Key among it.
func ineffectiveNames(c *web.Call, unknown []string) []string {
	if c.Header("Idempotency-Key") == "" {
		return unknown
	}
	return append(slices.Clone(unknown), "Idempotency-Key")
}

// sameID says which request_id to send again. One that the service made is told.
func sameID(id string, named bool) string {
	if named {
		return "the same request_id"
	}
	return "request_id=" + id
}

func incomplete(id string, named bool, cause error) error {
	p := problem.New(contract.FormalIncomplete, "The order did not arrive completely. Send it again with %s; it is placed only once.", sameID(id, named))
	p.Cause = cause
	return p
}

func unavailable(message string) error {
	return problem.New(contract.FormalUnavailable, "%s", message)
}

// submit sends a command and gives its outcome; nil when that takes too long. A
// refusal is an error.
func (k *Orders) submit(c *web.Call, name contract.CommandName, request string, data any) (*outcome.Outcome, error) {
	cmd, err := contract.NewCommand(name, request, c.Caller.Account, k.Now(), data)
	if err != nil {
		return nil, err
	}
	return k.Client.Submit(c.Context(), cmd, k.Timeout)
}
