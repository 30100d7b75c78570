package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/apikey"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/plain"
)

// createKey makes a key and prints it: the key alone, so that a script can take it.
func (c command) createKey(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("key create", flag.ContinueOnError)
	account, name, test := f.String("account", "", ""), f.String("name", "", ""), f.Bool("test", false, "")
	scopes, expires := f.String("scopes", "", ""), f.String("expires", "", "")
	if err := c.flags(f, args, "account", "name"); err != nil {
		return err
	}
	end, err := lastDay(*expires, c.Now())
	if err != nil {
		return err
	}
	var may []string
	if *scopes != "" {
		may = strings.Split(*scopes, ",")
	}
	text, key := apikey.New(*name, !*test, may, end, c.Now())
	err = c.outcomes.Do(ctx, contract.CreateKey, c.outcomes.NewRequest(), *account,
		contract.CreateKeyData{Account: *account, Key: key, Operator: c.Operator})
	if err != nil && !errors.Is(err, ask.ErrSlow) {
		return err
	}
	fmt.Fprintln(c.Out, text) // also when it is slow: it may still come to be, and is shown only here
	return err
}

// lastDay is when a key ends that is good until the end of a day, in UTC.
func lastDay(day string, now time.Time) (*time.Time, error) {
	if day == "" {
		return nil, nil
	}
	d, err := time.Parse(time.DateOnly, day)
	end := d.Add(24 * time.Hour)
	if err != nil || !end.After(now) {
		return nil, fmt.Errorf("-expires is %q; it must be a day from today on, like 2030-12-31", day)
	}
	return &end, nil
}

func (c command) listKeys(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("key list", flag.ContinueOnError)
	account := f.String("account", "", "")
	if err := c.flags(f, args); err != nil {
		return err
	}
	return c.table("ID\tACCOUNT\tNAME\tBEGINS WITH\tSTATE\tSCOPES\tENDS", func(w *tabwriter.Writer) error {
		return c.each(ctx, func(a contract.Account) {
			if *account != "" && a.ID != *account {
				return
			}
			for _, k := range a.Keys {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, a.ID, plain.Line(k.Name, 40), k.Prefix, state(k, c.Now()), strings.Join(k.Scopes, ","), ends(k))
			}
		})
	})
}

func state(k contract.APIKey, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case !k.Usable(now):
		return "expired"
	case k.Live:
		return "live"
	}
	return "test"
}

func ends(k contract.APIKey) string {
	switch {
	case k.RevokedAt != nil:
		return k.RevokedAt.UTC().Format(time.RFC3339)
	case k.ExpiresAt != nil:
		return k.ExpiresAt.UTC().Format(time.RFC3339)
	}
	return "never"
}

// revokeKey ends a key, given its id or what it begins with.
func (c command) revokeKey(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("key revoke", flag.ContinueOnError)
	id := f.String("key", "", "")
	if err := c.flags(f, args, "key"); err != nil {
		return err
	}
	if parts := strings.Split(*id, "_"); len(parts) >= 3 && parts[0] == "bo" {
		*id = parts[2]
	}
	doc, err := c.Docs.Get(ctx, contract.KeyDocumentKind, *id)
	if errors.Is(err, projection.ErrNotFound) {
		return fmt.Errorf("there is no key %s", *id)
	}
	var key contract.KeyDocument
	if err := errors.Join(err, json.Unmarshal(doc.Body, &key)); err != nil {
		return fmt.Errorf("key %s: %w", *id, err)
	}
	err = c.outcomes.Do(ctx, contract.RevokeKey, c.outcomes.NewRequest(), key.Account,
		contract.RevokeKeyData{Account: key.Account, KeyID: *id, Operator: c.Operator})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s is revoked\n", key.Key.Prefix)
	return nil
}
