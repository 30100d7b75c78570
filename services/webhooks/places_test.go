package webhooks

import (
	"sync"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/webhooks"
)

// TestAnAccountHasSoManyEndpoints: also where more are made at one moment; one that is deleted makes room at
// once, one that was refused takes none, and each mode has its own.
func TestAnAccountHasSoManyEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create := func(account string) (id string, err error) {
		id = contract.NewID(webhooks.Prefix, w.now())
		return id, w.command(webhooks.Create, account, webhooks.CreateData{
			Endpoint: id, Key: "key", Scopes: accounts.DefaultScopes(), Master: w.secrets.MasterID(), URL: "https://example.com/", Types: []string{webhooks.AllTypes}, RatePerSecond: 1,
		})
	}
	var (
		mu            sync.Mutex
		made, refused []string
		all           sync.WaitGroup
	)
	for range webhooks.MaxEndpoints + 5 {
		all.Go(func() {
			id, err := create(owner)
			mu.Lock()
			defer mu.Unlock()
			switch r := contract.RefusalIn(err); {
			case err == nil:
				made = append(made, id)
			case r != nil && r.Code == contract.Conflict && len(r.Fields) == 0:
				refused = append(refused, id)
			default:
				t.Errorf("create: %v, want it made, or refused as a conflict", err)
			}
		})
	}
	all.Wait()
	if len(made) != webhooks.MaxEndpoints || len(refused) != 5 {
		t.Fatalf("%d made and %d refused, want %d and 5", len(made), len(refused), webhooks.MaxEndpoints)
	}
	for _, id := range refused {
		if _, _, err := w.bucket(w.bus, contract.WebhookProgressBucket).Get(t.Context(), id); err == nil {
			t.Errorf("something is kept of %s, which was refused", id)
		}
	}
	if _, err := create(contract.TestOwner(owner)); err != nil {
		t.Errorf("in the other mode: %v, want it made", err)
	}
	if err := w.command(webhooks.Delete, owner, webhooks.Data{Endpoint: made[7]}); err != nil {
		t.Fatal(err)
	}
	if _, err := create(owner); err != nil {
		t.Errorf("after one was deleted: %v, want it made", err)
	}
	if _, err := create(owner); contract.RefusalIn(err) == nil {
		t.Errorf("one more: %v, want it refused", err)
	}
}

// TestPlacesOfWhatWasNotMade: an endpoint whose creation ended in between keeps its place for minutes.
func TestPlacesOfWhatWasNotMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	take := func(id string) error { return w.service.takePlace(t.Context(), owner, id) }
	for range webhooks.MaxEndpoints {
		if err := take(contract.NewID(webhooks.Prefix, w.now())); err != nil {
			t.Fatal(err)
		}
	}
	if err := take("we_late"); contract.RefusalIn(err) == nil {
		t.Errorf("while others may be made: %v, want it refused", err)
	}
	w.advance(abandoned + abandoned/10)
	for range 2 { // the second time it has its place
		if err := take("we_late"); err != nil {
			t.Errorf("once they were not: %v, want a place", err)
		}
	}
	places, _, err := w.service.readPlaces(t.Context(), "live_"+owner)
	if err != nil || len(places) != 1 {
		t.Errorf("places %v, %v; want that of we_late alone", places, err)
	}
}
