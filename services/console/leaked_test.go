package console_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	letterscontract "boardorder/pkg/contract/emails"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/secret"
	"boardorder/services/console"
)

// dying is a process that ends at its n-th write, before or after that is stored;
// n = 0 is never. E-mails go no further.
type dying struct {
	aggregate.Core
	mu     sync.Mutex
	n      int
	after  bool
	emails []contract.Command
}

var errDied = errors.New("the process ended")

func (d *dying) write(do func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dies := d.n == 1
	d.n--
	if dies && !d.after {
		return errDied
	}
	if err := do(); err != nil || !dies {
		return err
	}
	return errDied
}

func (d *dying) Append(ctx context.Context, e contract.Event, after uint64) (seq uint64, err error) {
	err = d.write(func() error {
		seq, err = d.Core.Append(ctx, e, after)
		return err
	})
	return seq, err
}

func (d *dying) Send(_ context.Context, c contract.Command) error {
	return d.write(func() error { d.emails = append(d.emails, c); return nil })
}

// partner is an account with one key.
type partner struct {
	t    *testing.T
	bus  *bus.Bus
	docs projection.Store
	core *dying
	key  secret.APIKey
}

const partnerID = "acc_leaky"

func newPartner(t *testing.T, live bool) *partner {
	t.Helper()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	p := &partner{t: t, bus: bustest.Start(t), docs: docs, key: secret.NewAPIKey(live)}
	p.core = &dying{Core: p.bus}
	kept, err := console.ParseKey(p.key.Text, "shop", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	open := contract.Command{ID: "cmd_open"}
	_, err = aggregate.At[accounts.Account](p.bus, contract.AccountAggregate, partnerID).Execute(t.Context(), open, time.Now(),
		func(aggregate.Snapshot[accounts.Account]) (*aggregate.Change[accounts.Account], error) {
			return &aggregate.Change[accounts.Account]{Event: accounts.EventOpened, State: accounts.Account{ID: partnerID, Name: "Leaky", Keys: []accounts.APIKey{kept}}}, nil
		})
	body, err2 := json.Marshal(accounts.KeyDocument{Account: partnerID, Key: kept})
	if err := errors.Join(err, err2, docs.Put(t.Context(), projection.Document{Kind: accounts.KeyDocumentKind, ID: kept.ID, Seq: 1, At: time.Now(), Body: body})); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *partner) reportCommand(id, keyID, hash string) contract.Command {
	p.t.Helper()
	c, err := contract.NewCommand(accounts.ReportKey, "", "", time.Now(), accounts.ReportKeyData{KeyID: keyID, Hash: hash})
	if err != nil {
		p.t.Fatal(err)
	}
	c.ID, c.Correlation = id, id
	return c
}

func (p *partner) take(c contract.Command) error {
	return console.NewReports(p.core, p.docs, time.Now).Handlers()[accounts.ReportKey](p.t.Context(), c)
}

// want holds the account to so many revocations: each is one event, one entry of the
// trail, and one e-mail however often it is sent.
func (p *partner) want(revoked int) {
	p.t.Helper()
	account, err := aggregate.At[accounts.Account](p.bus, contract.AccountAggregate, partnerID).Load(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	trail, err := aggregate.At[audits.Entry](p.bus, contract.AuditAggregate, audits.Chain).Load(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	emails := map[string]letterscontract.SendData{}
	for _, c := range p.core.emails {
		var data letterscontract.SendData
		if err := json.Unmarshal(c.Data, &data); err != nil || c.Name != letterscontract.Send {
			p.t.Fatalf("command %+v, %v; want %s", c, err, letterscontract.Send)
		}
		emails[c.ID+" "+data.ID] = data
	}
	key := account.State.Keys[0]
	if account.Version != uint64(1+revoked) || (key.RevokedAt != nil) != (revoked == 1) || trail.State.N != uint64(revoked) || len(emails) != revoked {
		p.t.Errorf("%d events, revoked %v, %d entries, e-mails %v; want %d of each", account.Version-1, key.RevokedAt, trail.State.N, emails, revoked)
	}
	if revoked == 0 {
		return
	}
	for _, l := range emails {
		if l.Kind != letterscontract.KeyRevoked || l.About != partnerID || l.Item != p.key.ID {
			p.t.Errorf("e-mail %+v, want %s to %s about %s", l, letterscontract.KeyRevoked, partnerID, p.key.ID)
		}
	}
	r, err := trail.State.Read()
	if err != nil || r.Key != p.key.ID || r.Account != partnerID || r.After["reason"] != accounts.KeyLeaked {
		p.t.Errorf("trail %+v, %v", r, err)
	}
	if account.Event.Name != accounts.EventKeyRevoked || key.RevokedFor != accounts.KeyLeaked {
		p.t.Errorf("%s for %q, want %s for %q", account.Event.Name, key.RevokedFor, accounts.EventKeyRevoked, accounts.KeyLeaked)
	}
}

// TestReportedKeyIsRevokedOnce: whichever write the process dies at, and however often
// a key is reported.
func TestReportedKeyIsRevokedOnce(t *testing.T) {
	t.Parallel()
	for n := range 4 { // an event, an entry, an e-mail
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("dies at %d, after it %t", n, after), func(t *testing.T) {
				t.Parallel()
				p := newPartner(t, n%2 == 0)
				p.core.n, p.core.after = n, after
				first := p.reportCommand("lkr_1", p.key.ID, p.key.Hash())
				if err := p.take(first); (n > 0) != errors.Is(err, errDied) {
					t.Fatalf("first delivery: %v", err)
				}
				for _, c := range []contract.Command{first, first, p.reportCommand("lkr_2", p.key.ID, p.key.Hash())} {
					if err := p.take(c); err != nil {
						t.Fatal(err)
					}
				}
				p.want(1)
			})
		}
	}
}

func TestReportsAtOnceRevokeOnce(t *testing.T) {
	t.Parallel()
	p := newPartner(t, true)
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			if err := p.take(p.reportCommand(fmt.Sprintf("lkr_%d", i), p.key.ID, p.key.Hash())); err != nil {
				t.Errorf("take report %d: %v", i, err)
			}
		})
	}
	group.Wait()
	p.want(1)
}

// TestReportNeedsTheKey: who knows only a key's id, which is public, revokes nothing.
func TestReportNeedsTheKey(t *testing.T) {
	t.Parallel()
	p := newPartner(t, true)
	other := secret.NewAPIKey(true)
	for name, c := range map[string]contract.Command{
		"another hash":  p.reportCommand("lkr_1", p.key.ID, other.Hash()),
		"no hash":       p.reportCommand("lkr_2", p.key.ID, ""),
		"a made-up key": p.reportCommand("lkr_3", other.ID, other.Hash()),
		"another id":    p.reportCommand("lkr_4", other.ID, p.key.Hash()),
	} {
		if err := p.take(c); err != nil {
			t.Errorf("take the report with %s: %v", name, err)
		}
	}
	p.want(0)
}
