package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/run"
	"boardorder/pkg/secret"
	"boardorder/services/console"
	"boardorder/services/console/internal/cli"
)

// project puts what the commands read: a part of what the projector does.
func project(b *bus.Bus, docs projection.Store) func(context.Context, []contract.Event) error {
	return func(ctx context.Context, events []contract.Event) error {
		for _, e := range events {
			var body contract.Body[json.RawMessage]
			var account accounts.Account
			if err := json.Unmarshal(e.Data, &body); err != nil {
				return err
			}
			if err := json.Unmarshal(body.State, &account); err != nil {
				return err
			}
			var put []projection.Document
			if account.ID != "" || e.Aggregate == contract.ErasureAggregate {
				put = append(put, projection.Document{Kind: string(e.Aggregate), ID: e.AggregateID, Seq: e.Seq, At: e.At, Body: body.State})
			}
			for _, k := range account.Keys {
				text, _ := json.Marshal(accounts.KeyDocument{Account: account.ID, Key: k})
				put = append(put, projection.Document{Kind: accounts.KeyDocumentKind, ID: k.ID, Seq: e.Seq, At: e.At, Body: text})
			}
			if e.Operation != "" && e.Aggregate != contract.OperationAggregate {
				op, _, err := contract.OutcomeOf(e)
				if err != nil {
					return err
				}
				text, _ := json.Marshal(op)
				put = append(put, projection.Document{Kind: "operation", ID: e.Operation, Seq: e.Seq, At: e.At, Body: text})
			}
			if err := docs.Put(ctx, put...); err != nil {
				return err
			}
			if err := b.Wake(contract.OperationAggregate, e.Operation); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestAccountsAndKeys(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	for _, a := range []contract.Aggregate{contract.AccountAggregate, contract.ErasureAggregate, contract.OperationAggregate} {
		bustest.Go(t, func(ctx context.Context) error { return b.Follow(ctx, contract.ProjectorConsumer, a, project(b, docs)) })
	}
	handlers := console.NewAccounts(b, time.Now).Handlers()
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "console", Handlers: handlers, Parallel: 1})
	})
	do := func(args ...string) (string, error) {
		t.Helper()
		var out, complaint bytes.Buffer
		err := cli.Run(args, cli.IO{Out: &out, Err: &complaint, Operator: "terminal:ann"}, func(do func(context.Context, run.Deps) error) error {
			return do(t.Context(), run.Deps{Bus: b, Docs: docs, Now: time.Now})
		})
		return strings.TrimSpace(out.String()), err
	}
	must := func(args ...string) string {
		t.Helper()
		out, err := do(args...)
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return out
	}
	account := must("account", "open", "-name", "Acme Boards")
	if !strings.HasPrefix(account, contract.AccountPrefix) || !strings.Contains(must("account", "list"), "Acme Boards") {
		t.Errorf("account %q, list %s; want an id of %s, Acme Boards", account, must("account", "list"), contract.AccountPrefix)
	}
	must("account", "address", "-account", account, "-email", "team@acme.example")
	if list := must("account", "list"); !strings.Contains(list, "team@acme.example") {
		t.Errorf("after setting the address, want team@acme.example:\n%s", list)
	}
	text := must("key", "create", "-account", account, "-name", "robot", "-test", "-scopes", "quotes,uploads", "-expires", "2999-12-31")
	key, err := secret.ParseAPIKey(text)
	if err != nil || key.Live {
		t.Fatalf("key %q: %v", text, err)
	}
	list := must("key", "list", "-account", account)
	for _, want := range []string{key.ID, "robot", "test", "quotes,uploads", "3000-01-01T00:00:00Z"} {
		if !strings.Contains(list, want) {
			t.Errorf("list lacks %s:\n%s", want, list)
		}
	}
	if strings.Contains(list, text) {
		t.Error("the list shows the key")
	}
	must("key", "change", "-key", key.Prefix(), "-networks", "192.0.2.9/24 2001:db8::1")
	if list := must("key", "list"); !strings.Contains(list, "192.0.2.0/24,2001:db8::1/128") || !strings.Contains(list, "quotes,uploads") || !strings.Contains(list, "3000-01-01") {
		t.Errorf("after binding it to networks, want both, quotes and uploads, until 3000-01-01:\n%s", list)
	}
	must("key", "change", "-key", key.ID, "-networks", "", "-scopes", "quotes", "-expires", "")
	if list := must("key", "list"); !strings.Contains(list, "everywhere") || strings.Contains(list, "uploads") || strings.Contains(list, "3000-01-01") {
		t.Errorf("after taking all that away, want it everywhere, without uploads and an end:\n%s", list)
	}
	must("key", "revoke", "-key", key.Prefix())
	if list := must("key", "list"); !strings.Contains(list, "revoked") {
		t.Errorf("after revoking, want it revoked:\n%s", list)
	}
	person := must("customer", "erase", "-email", "Ada@example.com")
	if list := must("customer", "erasures"); person != contract.PersonRef("ada@example.com") || !strings.Contains(list, person) || !strings.Contains(list, "terminal:ann") || strings.Contains(list, "example.com") {
		t.Errorf("erasure %q, list %s; want %s by terminal:ann, without the address", person, list, contract.PersonRef("ada@example.com"))
	}
	for _, args := range [][]string{
		{"customer", "erase", "-email", "ada"}, {"key", "create", "-account", "acc_none", "-name", "x"}, {"key", "create", "-account", account, "-name", "x", "-scopes", "all"},
		{"key", "create", "-account", account, "-name", "x", "-expires", "soon"}, {"key", "revoke", "-key", "none"},
		{"key", "create", "-account", account, "-name", "x", "-networks", "office"}, {"key", "change", "-key", key.ID, "-networks", "0.0.0.0/0"}, {"key", "change", "-key", "none"},
		{"account", "address", "-account", account, "-email", "team"}, {"account", "address", "-account", "acc_none", "-email", "a@b.example"}, {"account", "open", "-name", "x", "-email", "team"},
	} {
		if out, err := do(args...); err == nil || errors.Is(err, cli.ErrUsage) || out != "" {
			t.Errorf("%q: %q, %v; want an error that is not about usage", args, out, err)
		}
	}
	for _, args := range [][]string{{}, {"key"}, {"key", "steal"}, {"account", "open"}, {"key", "create", "-name", "x"}, {"key", "list", "extra"}, {"account", "list", "-what"}} {
		if _, err := do(args...); !errors.Is(err, cli.ErrUsage) {
			t.Errorf("%q: %v, want a word on usage", args, err)
		}
	}
}

func TestOperatorHash(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := cli.Run([]string{"operator", "hash"}, cli.IO{In: strings.NewReader("a password of mine\n"), Out: &out}, nil)
	if err != nil || !strings.HasPrefix(out.String(), "$argon2id$") {
		t.Errorf("operator hash: %q, %v; want a hash of argon2id", out.String(), err)
	}
	if err := cli.Run([]string{"operator", "hash"}, cli.IO{In: strings.NewReader("short\n"), Out: &out}, nil); err == nil {
		t.Error("a short password was taken")
	}
}
