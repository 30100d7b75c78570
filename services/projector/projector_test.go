package projector_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/open"
	"boardorder/pkg/run"
	"boardorder/services/projector"

	"go.uber.org/zap"
)

func start(t *testing.T) (*bus.Bus, projection.Store, *projector.Projector) {
	t.Helper()
	b := bustest.Start(t)
	docs, err := open.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := docs.Close(); err != nil {
			t.Error(err)
		}
	})
	p := projector.New(projector.Config{}, run.Deps{Bus: b, Docs: docs, Log: zap.NewNop(), Now: time.Now})
	return b, docs, p
}

func openAccount(t *testing.T, b *bus.Bus, id, request string) {
	t.Helper()
	now := time.Now().UTC()
	c := contract.Command{ID: request, Request: request, Account: id, Name: accounts.Open, At: now, Data: json.RawMessage(`{"id":"` + id + `"}`)}
	_, err := aggregate.At[accounts.Account](b, contract.AccountAggregate, id).Execute(t.Context(), c, now,
		func(aggregate.Snapshot[accounts.Account]) (*aggregate.Change[accounts.Account], error) {
			return &aggregate.Change[accounts.Account]{Event: accounts.EventOpened, State: accounts.Account{
				ID: id, Name: "Name of " + id, CreatedAt: now, SeesOffers: true, Keys: []accounts.APIKey{{ID: "key" + id, CreatedAt: now}},
			}}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

func TestProjectsAndWakes(t *testing.T) {
	t.Parallel()
	b, docs, p := start(t)
	woken := make(chan string, 10)
	for _, a := range []contract.Aggregate{contract.AccountAggregate, contract.OperationAggregate} {
		bustest.Go(t, func(ctx context.Context) error {
			return b.WatchChanges(ctx, a, func(id string) {
				// What is announced can be read.
				if _, err := docs.Get(ctx, string(a), id); err != nil {
					t.Errorf("woken for %s %s: %v", a, id, err)
				}
				woken <- string(a) + " " + id
			})
		})
	}
	openAccount(t, b, "acc_1", "req_1")
	bustest.Go(t, p.Run)
	bustest.WaitFor(t, "all documents", func() bool {
		_, err := docs.Get(t.Context(), "operation", "req_1")
		return err == nil
	})
	doc, err := docs.Get(t.Context(), accounts.KeyDocumentKind, "keyacc_1")
	var key accounts.KeyDocument
	if err != nil || json.Unmarshal(doc.Body, &key) != nil || key.Account != "acc_1" || key.Name != "Name of acc_1" || !key.SeesOffers {
		t.Errorf("key document = %s, %v", doc.Body, err)
	}
	op, _ := docs.Get(t.Context(), "operation", "req_1")
	var outcome contract.Operation
	if err := json.Unmarshal(op.Body, &outcome); err != nil || outcome.Aggregate != contract.AccountAggregate || outcome.ID != "acc_1" {
		t.Errorf("operation = %s, %v", op.Body, err)
	}
	openAccount(t, b, "acc_2", "req_2")
	for want := map[string]bool{"account acc_2": true, "operation req_2": true}; len(want) > 0; {
		delete(want, <-woken)
	}
}

// batches is a store that keeps the kinds of what is put, batch by batch.
type batches struct {
	projection.Store
	mu   sync.Mutex
	puts [][]string
}

func (b *batches) Put(ctx context.Context, docs ...projection.Document) error {
	var kinds []string
	for _, d := range docs {
		kinds = append(kinds, d.Kind)
	}
	b.mu.Lock()
	b.puts = append(b.puts, kinds)
	b.mu.Unlock()
	return b.Store.Put(ctx, docs...)
}

// TestOutcomesAreWrittenLast: whoever reads an outcome finds what it names as the
// outcome left it.
func TestOutcomesAreWrittenLast(t *testing.T) {
	t.Parallel()
	b, docs, _ := start(t)
	seen := &batches{Store: docs}
	p := projector.New(projector.Config{}, run.Deps{Bus: b, Docs: seen, Log: zap.NewNop(), Now: time.Now})
	const accountsOpened = 20
	for i := range accountsOpened {
		openAccount(t, b, fmt.Sprint("acc_", i), fmt.Sprint("req_", i))
	}
	bustest.Go(t, p.Run)
	bustest.WaitFor(t, "all outcomes", func() bool {
		all, _, err := docs.List(t.Context(), "operation", "", "", projection.Page{Limit: 100})
		return err == nil && len(all) == accountsOpened
	})
	seen.mu.Lock()
	defer seen.mu.Unlock()
	for _, kinds := range seen.puts {
		if first := slices.Index(kinds, "operation"); first >= 0 && slices.ContainsFunc(kinds[first:], func(k string) bool { return k != "operation" }) {
			t.Errorf("a batch has other documents after an outcome: %v", kinds)
		}
	}
}

func TestRebuildEqualsLive(t *testing.T) {
	t.Parallel()
	b, docs, p := start(t)
	for i := range 30 {
		openAccount(t, b, fmt.Sprint("acc_", i), fmt.Sprint("req_", i))
	}
	bustest.Go(t, p.Run)
	bustest.WaitFor(t, "all documents", func() bool {
		all, _, err := docs.List(t.Context(), "operation", "", "", projection.Page{Limit: 100})
		return err == nil && len(all) == 30
	})
	before := dump(t, docs)
	// A document that no event stands behind is gone after a rebuild.
	if err := docs.Put(t.Context(), projection.Document{Kind: "quote", ID: "ghost", Seq: 1, At: time.Now(), Body: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if err := p.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := dump(t, docs); after != before {
		t.Errorf("after the rebuild:\n%s\nwant as before:\n%s", after, before)
	}
	if _, err := docs.Get(t.Context(), "quote", "ghost"); !errors.Is(err, projection.ErrNotFound) {
		t.Errorf("a document without events survived: %v", err)
	}
}

func dump(t *testing.T, docs projection.Store) string {
	t.Helper()
	out := ""
	for _, kind := range []string{"account", "operation", accounts.KeyDocumentKind} {
		all, _, err := docs.List(t.Context(), kind, "", "", projection.Page{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			out += fmt.Sprintf("%s %s %d %s\n", d.Kind, d.ID, d.Seq, d.Body)
		}
	}
	return out
}
