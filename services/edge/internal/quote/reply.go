package quote

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Pending is the reply while pricing goes on.
type Pending struct {
	OK          bool   `json:"ok"`
	Status      string `json:"status"`
	RequestID   string `json:"request_id"`
	PollURL     string `json:"poll_url"`
	RetryAfterS int    `json:"retry_after_s"`
	ElapsedS    int    `json:"elapsed_s"`
	Progress    string `json:"progress"`
}

func (q *Quotes) pending(c *web.Call, request string) error {
	_, began, _ := parseRequest(request)
	elapsed := max(q.Now().Sub(began), 0)
	p := Pending{
		OK: true, Status: "pending", RequestID: request, PollURL: q.PublicURL + "/v1/quote-requests/" + request,
		RetryAfterS: retryAfter(elapsed), ElapsedS: int(elapsed / time.Second), Progress: "Your quote is being priced.",
	}
	// Without the words of the pricing the reply is as good.
	waiting, found, err := outcome.Read[contract.QuoteWait](c.Context(), q.Docs, string(contract.QuoteRequestAggregate), request)
	if err == nil && found && waiting.Progress != "" {
		p.Progress = waiting.Progress
	}
	c.Set("Location", p.PollURL)
	c.Set("Retry-After", strconv.Itoa(p.RetryAfterS))
	return c.JSON(http.StatusAccepted, p)
}

func retryAfter(elapsed time.Duration) int {
	if elapsed < 15*time.Second {
		return 2
	}
	return 5
}

// answer replies with how a request ended.
func (q *Quotes) answer(c *web.Call, out *outcome.Outcome, status int) error {
	if out.Refusal != nil {
		return problem.FromRefusal(out.Refusal)
	}
	if out.Aggregate != contract.QuoteAggregate {
		return fmt.Errorf("quote request ended with %s", out.Aggregate)
	}
	quote, err := outcome.Decode[contract.Quote](out.Doc)
	if err != nil {
		return err
	}
	return c.JSON(status, q.reply(quote))
}

// reply adds to a quote what only the edge knows.
func (q *Quotes) reply(quote contract.Quote) contract.QuoteReply {
	r := quote.Reply
	r.OK, r.Mode, r.RequestID = true, quote.Mode, &quote.Request
	r.QuoteID = q.Secrets.QuoteID(quote.Request)
	r.CheckoutURL = q.checkoutURL(r.QuoteID)
	if r.ExpiresAt != nil {
		at := millis(*r.ExpiresAt)
		r.ExpiresAt = &at
	}
	if quote.Picture != "" {
		url := q.PublicURL + "/board-images/" + q.Secrets.Link(pictureLink, quote.Ref, quote.ExpiresAt) + ".png"
		r.BoardImageURL = &url
	}
	return r
}

func (q *Quotes) checkoutURL(id string) string { return q.PublicURL + "/checkout/" + id }
