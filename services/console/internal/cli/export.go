package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	netmail "net/mail"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console"
	"boardorder/services/console/internal/person"
)

// exportCustomer prints all that is held of a customer: the last state of each
// aggregate one of whose events has the customer's label. That it was asked for is
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
	record := audits.Record{Operator: c.Operator, Action: "exported a customer's data", Kind: "customer", ID: contract.PersonRef(*email), Outcome: "done"}
	if err := console.NewTrail(c.Bus, c.Now).Record(ctx, record); err != nil {
		return err
	}
	out := json.NewEncoder(c.Out)
	return person.Export(ctx, c.Bus, contract.PersonRef(*email), true, func(h person.Held) error { return out.Encode(h) })
}
