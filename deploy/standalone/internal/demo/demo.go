// Package demo makes what a first look at the system needs: an account with a
// key, and the sample board.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/internal/sample"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/services/console"
)

// ShopAccount is the account of the house, whose the orders are of people without a key.
const ShopAccount = "acc_shop"

const (
	account = "acc_demo"
	perDay  = 24 * 60 // minutes
)

// A Demo is what it takes to open the demo account.
type Demo struct {
	Dir  string // the data folder, which keeps the key
	Send aggregate.Sender
	Docs projection.Store
	// RequestsPerMinute lets load tests ask for more than a partner may; empty: the usual.
	RequestsPerMinute string
}

// KeyFile is the file in the data folder that holds the demo account's key: a live
// one, whose outside world is the simulator. TestKeyFile holds its test key.
const (
	KeyFile     = "demo.key"
	TestKeyFile = "demo-test.key"
)

// OpenAccount makes an account with a live key and a test key the first time, waits
// until they open something, and gives the live one. made says that it is new, and so
// may be shown.
func (d Demo) OpenAccount(ctx context.Context) (key string, made bool, err error) {
	if key, made, err = d.key(ctx, KeyFile, "demo", true); err == nil {
		_, _, err = d.key(ctx, TestKeyFile, "demo, for tests", false)
	}
	return key, made, err
}

// OpenShop makes the account of the house, unless it is there.
func (d Demo) OpenShop(ctx context.Context) error {
	if _, err := d.Docs.Get(ctx, string(contract.AccountAggregate), ShopAccount); err == nil {
		return nil
	}
	open := accounts.OpenData{ID: ShopAccount, Name: "Our own shop"}
	return d.do(ctx, accounts.Open, ShopAccount, ShopAccount, open, string(contract.AccountAggregate), ShopAccount)
}

// key makes one key of the account, and the account, unless they are there.
func (d Demo) key(ctx context.Context, file, name string, live bool) (text string, made bool, err error) {
	text, err = infra.Keep(filepath.Join(d.Dir, file), func() string {
		made = true
		text, _ := console.NewKey(name, live, nil, nil, time.Now())
		return text
	})
	if err != nil {
		return "", false, fmt.Errorf("demo key: %w", err)
	}
	kept, err := console.ParseKey(text, name, time.Now().UTC())
	if err != nil {
		return "", false, fmt.Errorf("demo key: %w", err)
	}
	if _, err := d.Docs.Get(ctx, accounts.KeyDocumentKind, kept.ID); err == nil {
		return text, made, nil
	}
	if err := d.open(ctx, kept); err != nil {
		return "", false, fmt.Errorf("demo account: %w", err)
	}
	return text, made, nil
}

// open sends the account first, then its key: commands may overtake each other.
func (d Demo) open(ctx context.Context, key accounts.APIKey) error {
	limits, err := d.limits()
	if err != nil {
		return err
	}
	open := accounts.OpenData{ID: account, Name: "Demo account", Email: "demo@boardorder.example", Limits: limits}
	if err := d.do(ctx, accounts.Open, account, key.ID, open, string(contract.AccountAggregate), account); err != nil {
		return err
	}
	return d.do(ctx, accounts.CreateKey, account, key.ID, accounts.CreateKeyData{Account: account, Key: key}, accounts.KeyDocumentKind, key.ID)
}

// do sends a command and waits for the document that shows that it was done.
func (d Demo) do(ctx context.Context, name contract.CommandName, owner, about string, data any, kind, id string) error {
	c, err := contract.NewCommand(name, "", owner, time.Now(), data)
	if err != nil {
		return err
	}
	c.ID = contract.DeriveID("demo", name.String(), about)
	if err := d.Send.Send(ctx, c); err != nil {
		return err
	}
	if err := d.await(ctx, kind, id); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (d Demo) limits() (map[string]int, error) {
	if d.RequestsPerMinute == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(d.RequestsPerMinute)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("DEMO_REQUESTS_PER_MINUTE is %q; it must be a number above 0", d.RequestsPerMinute)
	}
	return map[string]int{
		"requests": n, "design-checks": n, "part-checks": n, "uploads": n, "upload-megabytes": n * 100, "in-hand": n, "uploads-in-hand": 64,
		"quotes-day": n * perDay, "assemblies-day": n * perDay, "design-checks-day": n * perDay, "part-checks-day": n * perDay, "uploads-day": n * perDay, "orders-day": n * perDay,
	}, nil
}

// await looks a few times a second: this happens once in a data folder's life.
func (d Demo) await(ctx context.Context, kind, id string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := d.Docs.Get(ctx, kind, id)
		if !errors.Is(err, projection.ErrNotFound) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// WriteSample puts the sample board where the printed commands expect it.
func WriteSample(dir string) error {
	zip, err := sample.Zip()
	if err != nil {
		return fmt.Errorf("sample board: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sample-board.zip"), zip, 0o644); err != nil {
		return fmt.Errorf("sample board: %w", err)
	}
	return nil
}
