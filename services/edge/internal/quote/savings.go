package quote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"github.com/tidwall/gjson"
)

const savingsEndpoint = "POST /v1/quotes/{quote_id}/savings"

func (q *Quotes) savingsKind() kind {
	return kind{
		name: savings.Find, requests: q.Savings,
		outcomes: outcome.Outcomes{Docs: q.Docs, Made: func(request string) (contract.Aggregate, string) { return contract.SavingsAggregate, request }},
		members:  func(request string) string { return fmt.Sprintf(`"savings":%q`, request) },
		outdated: func(out *outcome.Outcome) bool {
			return !q.Now().Before(gjson.GetBytes(out.Doc.Body, "expires_at").Time())
		},
	}
}

// FindSavings answers POST /v1/quotes/{quote_id}/savings: what would make the quote cheaper.
func (q *Quotes) FindSavings(c *web.Call) error {
	body := map[string]any{}
	var err error
	if !c.Body().Empty() {
		if body, err = c.Object(); err != nil {
			return err
		}
	}
	id, of, _, err := q.find(c, "quote_id")
	if err != nil {
		return err
	}
	if itar.DeclaresIn(body) {
		return q.designs().RefuseITAR(c, of.Upload)
	}
	f := jsonbody.NewFields(body)
	o := &order{timeout: c.Wait(usualWait, f)}
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	if o.request, err = q.Keys.Begin(c, q.savingsKind().outcomes, "POST /v1/quotes/"+id+"/savings", jsonbody.Text(body)); err != nil {
		return err
	}
	a, err := q.sendSavings(c, of, o)
	if err != nil {
		return err
	}
	defer a.waiter.Leave()
	a.mark(c)
	a.await(c, q.savingsKind().outcomes)
	return q.answerSavings(c, a.out, a.request, id, http.StatusCreated)
}

// SavingsOutcome is what came of asking what would make a quote cheaper; it is empty while that
// is not known.
type SavingsOutcome struct {
	Savings *savings.Savings
	Refusal *contract.Refusal
	Joined  bool // it was asked before
}

// AskSavings asks as POST /v1/quotes/{quote_id}/savings does, for the caller, and waits for it
// so long.
func (q *Quotes) AskSavings(c *web.Call, of quotes.Quote, timeout time.Duration) (SavingsOutcome, error) {
	a, err := q.sendSavings(c, of, &order{timeout: timeout})
	if err != nil {
		return SavingsOutcome{}, err
	}
	defer a.waiter.Leave()
	a.await(c, q.savingsKind().outcomes)
	made := SavingsOutcome{Joined: a.joined}
	switch {
	case a.out == nil:
		return made, nil
	case a.out.Refusal != nil:
		made.Refusal = a.out.Refusal
		return made, nil
	}
	found, err := outcome.Decode[savings.Savings](a.out.Doc)
	made.Savings = &found
	return made, err
}

// sendSavings asks what would make a quote cheaper as it is chosen now.
func (q *Quotes) sendSavings(c *web.Call, of quotes.Quote, o *order) (submission, error) {
	if o.request.HasEnded() {
		return replay(o), nil
	}
	if err := q.CountTable(c, savings.MaxPrices, false); err != nil {
		return submission{}, err
	}
	if of.Request.Assembly {
		if err := q.Assembled(c); err != nil {
			return submission{}, err
		}
	}
	body, err := json.Marshal(savings.FindData{Quote: of.Ref, Upload: of.Upload, Version: of.Version})
	if err != nil {
		return submission{}, fmt.Errorf("encode search for savings: %w", err)
	}
	o.upload, o.body = of.Upload, body
	seen, err := json.Marshal(of.Estimate) // entered at checkout, and no part of the price's version
	if err != nil {
		return submission{}, fmt.Errorf("encode estimate: %w", err)
	}
	o.sum = digest(c.Caller.Account, savingsEndpoint, body, of.Digest+string(seen))
	return q.submitKind(c, o, q.savingsKind())
}

// ShowSavings answers GET /v1/quotes/{quote_id}/savings/{savings_id}, whether they are found
// yet or not.
func (q *Quotes) ShowSavings(c *web.Call) error {
	f := jsonbody.NewFields(nil)
	timeout := c.Wait(0, f)
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	id, of, _, err := q.find(c, "quote_id")
	if err != nil {
		return err
	}
	request, err := requestOf(c, "savings_id", unknownSavings)
	if err != nil {
		return err
	}
	w := q.Waiters.Join(wait.Request(request))
	defer w.Leave()
	out, err := q.awaitSavings(c, w, request, of.Ref, timeout)
	if err != nil {
		return err
	}
	return q.answerSavings(c, out, request, id, http.StatusOK)
}

// awaitSavings gives what came of a request for the savings of the caller's quote; nil is
// nothing yet.
func (q *Quotes) awaitSavings(c *web.Call, w *wait.Waiter, request, ref string, timeout time.Duration) (*outcome.Outcome, error) {
	outcomes := q.savingsKind().outcomes
	out, err := outcomes.Find(c.Context(), request)
	if err != nil {
		return nil, err
	}
	sent, found, err := q.Savings.readClaim(c.Context(), request)
	switch {
	case err != nil:
		return nil, problem.Unavailable(err)
	case found && (sent.Account != c.Caller.Account || gjson.GetBytes(sent.Data, "quote").Str != ref), !found && out == nil:
		return nil, unknownSavings()
	}
	if out == nil {
		if out, err = outcomes.Await(c.Context(), w, request, timeout); err != nil {
			return nil, err
		}
	}
	if out != nil && (out.Account != c.Caller.Account || out.Refusal == nil && (out.Aggregate != contract.SavingsAggregate || gjson.GetBytes(out.Doc.Body, "quote").Str != ref)) {
		return nil, unknownSavings()
	}
	return out, nil
}

func unknownSavings() error {
	return problem.New(contract.NotFound, "There are no savings with this savings_id for this quote. They are kept for a day.")
}

// answerSavings replies with what came of a request for savings; nil is nothing yet.
func (q *Quotes) answerSavings(c *web.Call, out *outcome.Outcome, request, id string, status int) error {
	switch {
	case out == nil:
		return q.pending(c, request, q.PublicURL+"/v1/quotes/"+id+"/savings/"+request)
	case out.Refusal != nil:
		return q.refuse(c.Context(), request, out.Refusal)
	}
	found, err := outcome.Decode[savings.Savings](out.Doc)
	if err != nil {
		return err
	}
	found.Reply.QuoteID = id
	return c.JSON(status, found.Reply)
}
