package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"boardorder/pkg/apikey"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
)

// createKey makes a key and prints it: the key alone, so that a script can take it.
func (c command) createKey(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("key create", flag.ContinueOnError)
	account, name, test := f.String("account", "", ""), f.String("name", "", ""), f.Bool("test", false, "")
	scopes, expires, from := f.String("scopes", "", ""), f.String("expires", "", ""), f.String("networks", "", "")
	if err := c.flags(f, args, "account", "name"); err != nil {
		return err
	}
	end, err := expiryOf(*expires, c.Now())
	if err != nil {
		return err
	}
	networks, err := accounts.ParseNetworks(*from)
	if err != nil {
		return fmt.Errorf("-networks: %w", err)
	}
	var may []string
	if *scopes != "" {
		may = strings.Split(*scopes, ",")
	}
	text, key := apikey.New(*name, !*test, may, end, c.Now())
	key.Networks = networks
	err = c.outcomes.Do(ctx, accounts.CreateKey, c.outcomes.NewRequest(), *account,
		accounts.CreateKeyData{Account: *account, Key: key, Operator: c.Operator})
	if err != nil && !errors.Is(err, ask.ErrSlow) {
		return err
	}
	fmt.Fprintln(c.Out, text) // also when it is slow: it may still come to be, and is shown only here
	return err
}

// changeKey sets of a key what was given: an empty text takes away its end or its
// networks.
func (c command) changeKey(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("key change", flag.ContinueOnError)
	id := f.String("key", "", "")
	scopes, expires, from := f.String("scopes", "", ""), f.String("expires", "", ""), f.String("networks", "", "")
	if err := c.flags(f, args, "key"); err != nil {
		return err
	}
	key, err := c.findKey(ctx, *id)
	if err != nil {
		return err
	}
	data := accounts.ChangeKeyData{Account: key.Account, KeyID: key.Key.ID, Scopes: key.Key.Scopes, ExpiresAt: key.Key.ExpiresAt, Operator: c.Operator}
	var networks []string
	f.Visit(func(given *flag.Flag) {
		switch given.Name {
		case "scopes":
			data.Scopes = strings.Split(*scopes, ",")
		case "expires":
			data.ExpiresAt, err = expiryOf(*expires, c.Now())
		case "networks":
			if networks, err = accounts.ParseNetworks(*from); err != nil {
				err = fmt.Errorf("-networks: %w", err)
			}
			data.Networks = &networks
		}
	})
	if err != nil {
		return err
	}
	if err := c.outcomes.Do(ctx, accounts.ChangeKey, c.outcomes.NewRequest(), key.Account, data); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s is changed\n", key.Key.Prefix)
	return nil
}

// findKey finds a key, given its id or what it begins with.
func (c command) findKey(ctx context.Context, id string) (accounts.KeyDocument, error) {
	if parts := strings.Split(id, "_"); len(parts) >= 3 && parts[0] == "bo" {
		id = parts[2]
	}
	var key accounts.KeyDocument
	doc, err := c.Docs.Get(ctx, accounts.KeyDocumentKind, id)
	if errors.Is(err, projection.ErrNotFound) {
		return key, fmt.Errorf("there is no key %s", id)
	}
	if err := errors.Join(err, json.Unmarshal(doc.Body, &key)); err != nil {
		return key, fmt.Errorf("key %s: %w", id, err)
	}
	return key, nil
}

// expiryOf is when a key ends that is good until the end of a day, in UTC.
func expiryOf(day string, now time.Time) (*time.Time, error) {
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
	return c.table("ID\tACCOUNT\tNAME\tBEGINS WITH\tSTATE\tSCOPES\tFROM\tENDS", func(w *tabwriter.Writer) error {
		return c.walkAccounts(ctx, func(a accounts.Account) {
			if *account != "" && a.ID != *account {
				return
			}
			for _, k := range a.Keys {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, a.ID, untrusted.Line(k.Name, 40), k.Prefix, state(k, c.Now()), strings.Join(k.Scopes, ","), places(k), ends(k))
			}
		})
	})
}

func state(k accounts.APIKey, now time.Time) string {
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

func places(k accounts.APIKey) string {
	return cmp.Or(strings.Join(k.Networks, ","), "everywhere")
}

func ends(k accounts.APIKey) string {
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
	key, err := c.findKey(ctx, *id)
	if err != nil {
		return err
	}
	err = c.outcomes.Do(ctx, accounts.RevokeKey, c.outcomes.NewRequest(), key.Account,
		accounts.RevokeKeyData{Account: key.Account, KeyID: key.Key.ID, Operator: c.Operator})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s is revoked\n", key.Key.Prefix)
	return nil
}
