package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"text/tabwriter"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
)

// openAccount opens an account and prints its id.
func (c command) openAccount(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("account open", flag.ContinueOnError)
	name, id, email := f.String("name", "", ""), f.String("id", "", ""), f.String("email", "", "")
	if err := c.flags(f, args, "name"); err != nil {
		return err
	}
	if *id == "" {
		*id = contract.NewID(contract.AccountPrefix, c.Now())
	}
	err := c.outcomes.Do(ctx, accounts.Open, c.outcomes.NewRequest(), *id,
		accounts.OpenData{ID: *id, Name: *name, Email: *email, Operator: c.Operator})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Out, *id)
	return nil
}

// setAddress says where a partner is written to.
func (c command) setAddress(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("account address", flag.ContinueOnError)
	account, email := f.String("account", "", ""), f.String("email", "", "")
	if err := c.flags(f, args, "account"); err != nil {
		return err
	}
	return c.outcomes.Do(ctx, accounts.SetAddress, c.outcomes.NewRequest(), *account,
		accounts.SetAddressData{Account: *account, Email: *email, Operator: c.Operator})
}

func (c command) listAccounts(ctx context.Context, args []string) error {
	if err := c.flags(flag.NewFlagSet("account list", flag.ContinueOnError), args); err != nil {
		return err
	}
	return c.table("ID\tNAME\tE-MAIL\tKEYS\tOPENED", func(w *tabwriter.Writer) error {
		return c.walkAccounts(ctx, func(a accounts.Account) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", a.ID, untrusted.Line(a.Name, 60), cmp.Or(untrusted.Line(a.Email, 254), "-"), len(a.Keys), a.CreatedAt.UTC().Format(time.RFC3339))
		})
	})
}

func (c command) table(head string, rows func(*tabwriter.Writer) error) error {
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	if err := rows(w); err != nil {
		return err
	}
	return w.Flush()
}

// walkAccounts hands every account on, newest first.
func (c command) walkAccounts(ctx context.Context, do func(accounts.Account)) error {
	for cursor := ""; ; {
		docs, next, err := c.Docs.List(ctx, string(contract.AccountAggregate), "", "", projection.Page{Limit: 200, Cursor: cursor})
		if err != nil {
			return fmt.Errorf("list accounts: %w", err)
		}
		for _, doc := range docs {
			var a accounts.Account
			if err := json.Unmarshal(doc.Body, &a); err != nil {
				return fmt.Errorf("account %s: %w", doc.ID, err)
			}
			do(a)
		}
		if cursor = next; next == "" {
			return nil
		}
	}
}
