package quote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"github.com/tidwall/gjson"
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

// pending replies that a request is being priced, and where to ask for it again.
func (q *Quotes) pending(c *web.Call, request, at string) error {
	_, began, _ := parseRequest(request)
	elapsed := max(q.Now().Sub(began), 0)
	p := Pending{
		OK: true, Status: "pending", RequestID: request, PollURL: at,
		RetryAfterS: retryAfter(elapsed), ElapsedS: int(elapsed / time.Second), Progress: q.progress(c.Context(), request),
	}
	c.Set("Location", p.PollURL)
	c.Set("Retry-After", strconv.Itoa(p.RetryAfterS))
	return c.JSON(http.StatusAccepted, p)
}

// progress says how far a request is: what the pricing service recorded, or else
// what was sent to it. Without either the reply is as good.
func (q *Quotes) progress(ctx context.Context, request string) string {
	const passedOn = "Your request is with the pricing service, which has recorded no result yet."
	waiting, found, err := outcome.Read[quotes.Wait](ctx, q.Docs, string(contract.QuoteRequestAggregate), request)
	if err == nil && found && waiting.Progress != "" {
		return waiting.Progress
	}
	var data struct {
		Request struct {
			Quantity int  `json:"quantity"`
			Assembly bool `json:"assembly"`
		} `json:"request"`
	}
	sent, found, err := q.Requests.readClaim(ctx, request)
	if err != nil || !found || json.Unmarshal(sent.Data, &data) != nil || data.Request.Quantity == 0 {
		return passedOn
	}
	return quotes.Request{Quantity: data.Request.Quantity, Assembly: data.Request.Assembly}.Describe() + " " + passedOn
}

func retryAfter(elapsed time.Duration) int {
	if elapsed < 15*time.Second {
		return 2
	}
	return 5
}

// answer replies with how a request ended, with own beside the quote's reply. Of one that was
// answered before, it says what has become of the quote since.
func (q *Quotes) answer(c *web.Call, out *outcome.Outcome, status int, before bool, own map[string]any) error {
	if out.Refusal != nil {
		return q.refuse(c.Context(), out.Request, out.Refusal)
	}
	if out.Aggregate != contract.QuoteAggregate {
		return fmt.Errorf("quote request ended with %s", out.Aggregate)
	}
	saved, err := q.hasSavedDetails(c.Context(), out.Doc.Body)
	if err != nil {
		return err
	}
	all := map[string]any{}
	if before {
		if all, err = q.currentFields(c, out.Doc.Body); err != nil {
			return err
		}
	}
	maps.Copy(all, own)
	if choice := gjson.GetBytes(out.Doc.Body, "fabricator_choice"); c.Caller.SeesOffers && choice.IsObject() {
		all["fabricator_choice"] = json.RawMessage(choice.Raw)
	}
	links, err := q.Links.Version(c.Context(), gjson.GetBytes(out.Doc.Body, "upload").Str)
	if err != nil {
		return problem.Unavailable(err)
	}
	reply, err := q.reply(out.Doc.Body, links, saved, all)
	if err != nil {
		return fmt.Errorf("quote %s: %w", out.Doc.ID, err)
	}
	return c.Bytes(status, "application/json", append(web.Words.SetApartExcept(reply, "board"), '\n'))
}

// refuse is the refusal of a request, with the address of its report.
func (q *Quotes) refuse(ctx context.Context, request string, r *contract.Refusal) error {
	p := problem.NewFromRefusal(r)
	p.Refusal.ReportURL = q.ReportURL(ctx, request, r)
	return p
}

// currentFields is what a quote's reply says of what has happened after it was made.
func (q *Quotes) currentFields(c *web.Call, doc []byte) (map[string]any, error) {
	var now quotes.Quote
	if err := json.Unmarshal(doc, &now); err != nil {
		return nil, fmt.Errorf("decode a quote: %w", err)
	}
	paying, err := optional[checkouts.Checkout](c, q, contract.CheckoutAggregate, now.Ref)
	if err != nil {
		return nil, err
	}
	order, err := optional[orders.Order](c, q, contract.OrderAggregate, now.Ref)
	if err != nil {
		return nil, err
	}
	own := map[string]any{}
	approvals, err := q.approvals(c.Context(), now)
	if err != nil {
		return nil, err
	}
	if len(approvals) > 0 {
		own["part_approvals"] = approvals
	}
	status := orders.StatusOf(now, paying, order, q.Now())
	if now.Mode == quotes.ModeReview {
		own["review"] = reviewOf(now)
	}
	if status != quotes.Ready && status != quotes.SourcingReady || len(now.Watched.FindShort()) > 0 { // else its own words say more
		own["next"] = advice(status, now, order)
	}
	if words := choicesSince(now); words != "" {
		own["notes"] = append(slices.Clone(now.Reply.Notes), words)
	}
	return own, nil
}

// reply is the reply that a quote's document holds, with what only the edge
// knows in it; links is the version of the links to its upload. The rest passes
// through as it is stored: it is most of it, and nothing in it is the edge's business.
func (q *Quotes) reply(doc []byte, links string, saved bool, own map[string]any) ([]byte, error) {
	var ref, request, mode, picture string
	var expires time.Time
	var reply, bare, ordered gjson.Result
	for name, v := range contract.Fields(doc) {
		switch name {
		case "ref":
			ref = v.Str
		case "request_id":
			request = v.Str
		case "mode":
			mode = v.Str
		case "picture":
			picture = v.Str
		case "expires_at":
			expires = v.Time()
		case "reply":
			reply = v
		case "bare":
			bare = v
		case "request":
			ordered = v
		}
	}
	if ref == "" || request == "" || !reply.IsObject() {
		return nil, errors.New("the document is no quote")
	}
	id := q.Secrets.QuoteIDOf(request, ref)
	maps.Copy(own, map[string]any{"ok": true, "mode": mode, "request_id": request, "quote_id": id, "checkout_url": q.checkoutURL(id)})
	for _, name := range []string{"special_notes", "file_stackup"} { // what was asked for in words
		if v := ordered.Get(name); v.Exists() && v.Type != gjson.Null {
			own[name] = json.RawMessage(v.Raw)
		}
	}
	if !expires.IsZero() {
		own["expires_at"] = millis(expires)
	}
	if saved {
		own["saved_details"] = true
	}
	token := q.Secrets.Link(pictureLink, ref+"-"+links, expires)
	if picture != "" {
		own["board_image_url"] = q.PublicURL + "/board-images/" + token + ".png"
	}
	if err := q.findings(reply, own, token); err != nil {
		return nil, err
	}
	nameOrderFile(ordered, reply.Get("board_details"), mode == quotes.ModeInstant, own)
	if alone := reply.Get("fabrication_quote"); alone.IsObject() && bare.IsObject() {
		id := q.Secrets.QuoteIDOf(bare.Get("request").Str, bare.Get("ref").Str)
		named, err := mergeFields(alone, map[string]any{"quote_id": id, "checkout_url": q.checkoutURL(id)})
		if err != nil {
			return nil, err
		}
		own["fabrication_quote"] = json.RawMessage(named)
	}
	return mergeFields(reply, own)
}

// hasSavedDetails reports whether the customer whom an instant quote names can pay
// with what is saved.
func (q *Quotes) hasSavedDetails(ctx context.Context, doc []byte) (bool, error) {
	var mode, account, delivered, requested string
	for name, v := range contract.Fields(doc) {
		switch name {
		case "mode":
			mode = v.Str
		case "account":
			account = v.Str
		case "delivery":
			delivered = v.Get("ship_to.email").Str
		case "request":
			requested = v.Get("ship_to.email").Str
		}
	}
	if mode != quotes.ModeInstant {
		return false, nil
	}
	return q.Customers.HasSaved(ctx, account, cmp.Or(delivered, requested))
}

// mergeFields gives a JSON object with some of its values replaced, or added at its
// end. Everything else stays as it stands.
func mergeFields(object gjson.Result, own map[string]any) ([]byte, error) {
	out := append(make([]byte, 0, len(object.Raw)+1024), '{')
	var errs []error
	add := func(name, value string) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	replace := func(name string, v any) {
		value, err := json.Marshal(v)
		errs = append(errs, err)
		add(name, string(value))
	}
	object.ForEach(func(key, v gjson.Result) bool {
		if o, ok := own[key.Str]; ok {
			replace(key.Raw, o)
			delete(own, key.Str)
		} else {
			add(key.Raw, v.Raw)
		}
		return true
	})
	for _, name := range slices.Sorted(maps.Keys(own)) {
		replace(strconv.Quote(name), own[name])
	}
	return append(out, '}'), errors.Join(errs...)
}

func (q *Quotes) checkoutURL(id string) string { return q.PublicURL + "/checkout/" + id }
