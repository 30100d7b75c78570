package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	netmail "net/mail"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/console"
)

// A held is what one aggregate holds of a customer, one line of an export.
type held struct {
	Aggregate contract.Aggregate `json:"aggregate"`
	ID        string             `json:"id"`
	Event     contract.EventName `json:"event"` // the last one
	At        time.Time          `json:"at"`
	State     json.RawMessage    `json:"state"`
}

// exportCustomer prints all that is held of a customer: the last state of each
// aggregate one of whose events has the customer's mark. That it was asked for is
// recorded first.
func (c command) exportCustomer(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("customer export", flag.ContinueOnError)
	email := f.String("email", "", "")
	if err := c.flags(f, args, "email"); err != nil {
		return err
	}
	if a, err := netmail.ParseAddress(*email); err != nil || a.Address != *email {
		return errors.New("-email is no address such as ada@example.com")
	}
	person := contract.PersonRef(*email)
	record := contract.AuditRecord{Operator: c.Operator, Action: "exported a customer's data", Kind: "customer", ID: person, Outcome: "done"}
	if err := console.NewTrail(c.Bus, c.Now).Record(ctx, record); err != nil {
		return err
	}
	marks, out := contract.EraseData{Person: person}.Marks(), json.NewEncoder(c.Out)
	for _, a := range contract.Aggregates() {
		ids, err := c.Bus.Find(ctx, a, func(e contract.Event) bool { return e.Marks.Any(marks) })
		if err != nil {
			return err
		}
		for _, id := range ids {
			h, err := c.held(ctx, a, id)
			if err != nil {
				return err
			}
			if err := out.Encode(h); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c command) held(ctx context.Context, a contract.Aggregate, id string) (held, error) {
	e, err := c.Bus.Last(ctx, a, id)
	if err != nil {
		return held{}, err
	}
	var body contract.Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return held{}, fmt.Errorf("%s %s: %w", a, id, err)
	}
	return held{a, id, e.Name, e.At, body.State}, nil
}
