package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	netmail "net/mail"
	"text/tabwriter"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/projection"
)

// eraseCustomer has a customer's personal data removed and prints what the
// record of it is called. The address itself stays in this process.
func (c command) eraseCustomer(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("customer erase", flag.ContinueOnError)
	email := f.String("email", "", "")
	if err := c.flags(f, args, "email"); err != nil {
		return err
	}
	if a, err := netmail.ParseAddress(*email); err != nil || a.Address != *email {
		return errors.New("-email is no address such as ada@example.com")
	}
	person := contract.PersonRef(*email)
	err := c.outcomes.Do(ctx, erasures.EraseCustomer, c.outcomes.NewRequest(), "", erasures.EraseCustomerData{Person: person, Operator: c.Operator})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Out, person)
	return nil
}

// listErasures shows what was erased, newest first.
func (c command) listErasures(ctx context.Context, args []string) error {
	if err := c.flags(flag.NewFlagSet("customer erasures", flag.ContinueOnError), args); err != nil {
		return err
	}
	return c.table("PERSON\tASKED BY\tASKED AT\tERASED\tORDERS ON THEIR WAY\tLAST LOOK", func(w *tabwriter.Writer) error {
		for cursor := ""; ; {
			docs, next, err := c.Docs.List(ctx, string(contract.ErasureAggregate), "", "", projection.Page{Cursor: cursor})
			if err != nil {
				return fmt.Errorf("list erasures: %w", err)
			}
			for _, doc := range docs {
				var e erasures.Erasure
				if err := json.Unmarshal(doc.Body, &e); err != nil {
					return fmt.Errorf("erasure %s: %w", doc.ID, err)
				}
				erasureRow(w, e)
			}
			if cursor = next; next == "" {
				return nil
			}
		}
	})
}

func erasureRow(w *tabwriter.Writer, e erasures.Erasure) {
	var last erasures.Request
	if n := len(e.Requests); n > 0 {
		last = e.Requests[n-1]
	}
	sum := 0
	for _, n := range e.Erased {
		sum += n
	}
	looked := "not yet"
	if !e.PassedAt.IsZero() {
		looked = e.PassedAt.UTC().Format(time.RFC3339)
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", e.Person, untrusted.Line(last.Operator, 40), last.At.UTC().Format(time.RFC3339), sum, e.Waiting, looked)
}
