package formal

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Accept answers POST /v1/orders/{identifier}/accept-quote. What the customer saw must
// be the current quote to the cent; that is decided where the order is kept.
func (k *Orders) Accept(c *web.Call) error {
	input, err := object(c)
	if err != nil {
		return err
	}
	o, err := k.callersOrder(c)
	if err != nil {
		return err
	}
	if input["customer_approved"] != true {
		return problem.New(contract.ApprovalRequired, "An option is accepted only after the customer approved it explicitly: send customer_approved=true once that is so.")
	}
	terms, wrong := readTerms(input)
	if len(wrong) > 0 {
		return refuse(wrong...)
	}
	request := k.NewRequest()
	c.About = append(c.About, zap.String("request", request), zap.String("order", o.Key))
	out, err := k.submit(c, formal.AcceptQuote, request, formal.AcceptQuoteData{
		Terms: terms, Order: o.Key, ITAR: o.ITAR, Approved: true, Key: c.Caller.Key.ID,
	})
	r, err := k.recordAfter(out, err, notConfirmed)
	if err != nil {
		return err
	}
	r.LeftAside = ineffectiveNames(c, unknownIn(input, "customer_approved", "option_id", "quote_number", "issued_at", "total_cents"))
	return c.JSON(http.StatusOK, r)
}

// recordAfter is the order after a command that changed it; unconfirmed says so where nobody knows
// whether it did.
func (k *Orders) recordAfter(out *outcome.Outcome, err error, unconfirmed string) (Record, error) {
	switch {
	case errors.Is(err, dispatch.ErrNotSent):
		p := problem.New(contract.FormalUnavailable, "%s", unconfirmed)
		p.Cause = err
		return Record{}, p
	case err != nil:
		return Record{}, err
	case out == nil:
		return Record{}, unavailable(unconfirmed)
	}
	after, err := outcome.Decode[formal.Order](out.Doc)
	if err != nil {
		return Record{}, err
	}
	return k.recordOf(after), nil
}

// unknownIn names what of an object is none of what the service knows; itar any may have.
func unknownIn(input map[string]any, known ...string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if name != "itar" && !slices.Contains(known, name) {
			names = append(names, echo(name))
		}
	}
	return names[:min(len(names), maxUnknown)]
}

const notConfirmed = "Whether the option was accepted is not known yet. Read the order; if it is not accepted by then, send the same again: it is accepted once."

// readText reads a text that has to be there, of at most so many characters, and adds what is
// wrong with it.
func readText(input map[string]any, name string, most int, wrong []problem.Detail) (string, []problem.Detail) {
	s, ok := input[name].(string)
	switch _, given := input[name]; {
	case !given:
		wrong = append(wrong, missing(body(name)))
	case !ok:
		wrong = append(wrong, problem.Detail{Loc: body(name), Type: "string_type", Msg: "Input should be a valid string", Input: echoValue(input[name])})
	default:
		if d := checkLength(body(name), s, most); d != nil {
			wrong = append(wrong, *d)
		}
	}
	return s, wrong
}

// readTerms reads what the customer saw.
func readTerms(input map[string]any) (terms formal.Terms, wrong []problem.Detail) {
	terms.OptionID, wrong = readText(input, "option_id", maxWord, wrong)
	terms.QuoteNumber, wrong = readText(input, "quote_number", maxWord, wrong)
	known := len(wrong)
	issued, wrong := readText(input, "issued_at", maxWord, wrong)
	if len(wrong) == known {
		var err error
		if terms.IssuedAt, err = time.Parse(time.RFC3339Nano, issued); err != nil {
			wrong = append(wrong, problem.Detail{Loc: body("issued_at"), Type: "datetime_from_date_parsing", Msg: "Input should be a valid datetime, as the order shows it", Input: echo(issued)})
		}
	}
	number, isNumber := input["total_cents"].(json.Number)
	cents, err := number.Int64()
	switch _, given := input["total_cents"]; {
	case !given:
		wrong = append(wrong, missing(body("total_cents")))
	case !isNumber || err != nil:
		wrong = append(wrong, problem.Detail{Loc: body("total_cents"), Type: "int_type", Msg: "Input should be a valid integer", Input: echoValue(input["total_cents"])})
	}
	terms.TotalCents = cents
	return terms, wrong
}
