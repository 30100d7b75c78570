package standalone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"boardorder/deploy/standalone/internal/sample"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/console"
)

const demoAccount = "acc_demo"

// openDemoAccount makes an account with one key the first time, and waits until
// the key opens something.
func (s *System) openDemoAccount(ctx context.Context) error {
	text, err := keep(s.path("demo.key"), func() string {
		text, _ := console.NewKey("demo", true, nil, nil, time.Now())
		return text
	})
	if err != nil {
		return fmt.Errorf("demo key: %w", err)
	}
	key, err := console.KeptOf(text, "demo", time.Now().UTC())
	if err != nil {
		return fmt.Errorf("demo key: %w", err)
	}
	s.ready.APIKey = text
	if s.known(ctx, key.ID) {
		return nil
	}
	limits, err := s.demoLimits()
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name     contract.CommandName
		data     any
		kind, id string // the document that shows that it was done
	}{
		{contract.OpenAccount, contract.OpenAccountData{ID: demoAccount, Name: "Demo account", Limits: limits}, string(contract.AccountAggregate), demoAccount},
		{contract.CreateKey, contract.CreateKeyData{Account: demoAccount, Key: key}, contract.KeyDocumentKind, key.ID},
	} {
		command, err := contract.NewCommand(c.name, "", demoAccount, time.Now(), c.data)
		if err != nil {
			return err
		}
		command.ID = contract.DeriveID("demo", c.name.String(), key.ID)
		if err := s.deps.Bus.Send(ctx, command); err != nil {
			return fmt.Errorf("demo account: %w", err)
		}
		// Commands may overtake each other: the account first, then its key.
		if err := s.await(ctx, c.kind, c.id); err != nil {
			return fmt.Errorf("demo account: %s: %w", c.name, err)
		}
	}
	return nil
}

// demoLimits lets load tests ask for more than a partner may.
func (s *System) demoLimits() (map[string]int, error) {
	text := s.cfg.Env["DEMO_REQUESTS_PER_MINUTE"]
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("DEMO_REQUESTS_PER_MINUTE is %q; it must be a number above 0", text)
	}
	return map[string]int{"requests": n}, nil
}

func (s *System) known(ctx context.Context, keyID string) bool {
	_, err := s.deps.Docs.Get(ctx, contract.KeyDocumentKind, keyID)
	return err == nil
}

// await looks a few times a second: this happens once in a data folder's life.
func (s *System) await(ctx context.Context, kind, id string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := s.deps.Docs.Get(ctx, kind, id)
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

// writeSample puts the sample board where the printed commands expect it.
func (s *System) writeSample(context.Context) error {
	zip, err := sample.Zip()
	if err != nil {
		return fmt.Errorf("sample board: %w", err)
	}
	if err := os.WriteFile(s.path("sample-board.zip"), zip, 0o644); err != nil {
		return fmt.Errorf("sample board: %w", err)
	}
	return nil
}
