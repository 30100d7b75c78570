package upgrade_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/standalone/internal/release"
	"boardorder/deploy/standalone/local"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	orderscontract "boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
)

const (
	timeLimit = 6 * time.Minute // for everything but building
	grace     = 25 * time.Second
	// fabPace is how long an order is in each state at the fabricator: longer than
	// it takes to replace one service.
	fabPace = "4s"
)

// counts has two processes of every service that scales: during the rollout one
// of each version runs.
var counts = map[string]int{"projector": 2, "upload": 2, "design-check": 2, "pricing": 2, "payment": 2, "notify": 2, "edge": 2}

// countsOf are the counts of a release, which may lack services of this version.
func countsOf(bin string) map[string]int {
	out := maps.Clone(counts)
	for _, s := range access.Services() {
		if !has(bin, s.Name) {
			out[s.Name] = 0
		}
	}
	return out
}

func has(bin, name string) bool {
	_, err := os.Stat(filepath.Join(bin, name))
	return err == nil
}

// TestUpgrade rolls from the last release to this version and back, service by
// service and process by process, while shoppers buy.
func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two versions and starts a dozen processes; left out by -short")
	}
	commit, err := release.Commit()
	if err != nil {
		t.Skip(err)
	}
	old := release.Programs(t, commit)
	head := filepath.Join(t.TempDir(), "bin")
	release.Build(t, ".", head)
	r := start(t, old, head)
	ctx, cancel := context.WithTimeout(t.Context(), timeLimit)
	defer cancel()
	r.prepare(ctx)
	stop := r.shop(ctx)
	r.roll(ctx, head)
	r.roll(ctx, old)
	stop()
	r.rest(ctx)
	r.check(ctx)
}

// A rig is the system under test and what is known of the run.
type rig struct {
	t      *testing.T
	dir    string
	counts map[string]int // processes of each service at the beginning
	system *local.System
	bus    *bus.Bus
	docs   projection.Store

	files     string // the upload that all quotes are of
	mu        sync.Mutex
	requested map[string]bool // requests that were accepted
	refused   map[string]bool // of these, those whose refusal was read in the projection
	orders    []string        // quotes that were paid
	crossed   map[string]bool // of these, those that were left unfinished by the version that began them
	number    int             // of quotes
}

// start has the last release run on the topology of this version, which was applied first,
// as the handbook says.
func start(t *testing.T, old, head string) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), counts: countsOf(old), requested: map[string]bool{}, refused: map[string]bool{}, crossed: map[string]bool{}}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var err error
	r.system, err = local.Start(ctx, local.Config{
		Bin: old, InfraBin: head, Data: r.dir, Addr: "127.0.0.1:0", Counts: r.counts, InfraArgs: []string{"-fabricator-pace", fabPace},
		Env: local.ShortWaits(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.system.Stop)
	if r.bus, r.docs, err = r.system.Connect(ctx, "test"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.bus.Close()
		if err := r.docs.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) noteRequest(request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if request != "" {
		r.requested[request] = true
	}
}

func (r *rig) noteRefusal(request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused[request] = true
}

func (r *rig) notePaid(ref string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orders = append(r.orders, ref)
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) prepare(ctx context.Context) {
	var err error
	r.files, err = r.upload(ctx)
	r.must(err)
	r.must(r.purchase(ctx))
}

// purchase buys a board that nobody has bought before. A newer version's field
// is in the quote before it is chosen, and in the order while it is built.
func (r *rig) purchase(ctx context.Context) error {
	r.mu.Lock()
	r.number++
	n := r.number
	r.mu.Unlock()
	ref, err := r.quote(ctx, r.files, 5+n)
	if err != nil {
		return err
	}
	if err := r.addUnknown(ctx, contract.QuoteAggregate, ref); err != nil {
		return err
	}
	if err := r.buy(ctx, ref); err != nil {
		return err
	}
	return r.addUnknown(ctx, contract.OrderAggregate, ref)
}

// unknown is a field that neither version knows.
const unknown = "of_a_later_release"

// addUnknown changes an aggregate as a later release would that has one more field.
func (r *rig) addUnknown(ctx context.Context, a contract.Aggregate, id string) error {
	c := contract.Command{ID: contract.DeriveID("later", string(a), id), Account: "acc_demo"}
	return repeatUntilDone(ctx, "change "+string(a), func() (bool, error) {
		_, err := aggregate.At[map[string]json.RawMessage](r.bus, a, id).Execute(ctx, c, time.Now(),
			func(now aggregate.Snapshot[map[string]json.RawMessage]) (*aggregate.Change[map[string]json.RawMessage], error) {
				now.State[unknown] = json.RawMessage(`{"n":1}`)
				return &aggregate.Change[map[string]json.RawMessage]{Event: "changed_by_a_later_release", State: now.State}, nil
			})
		return err == nil, err
	})
}

// shop has a shopper buy after another, until it is stopped.
func (r *rig) shop(ctx context.Context) (stop func()) {
	enough, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-enough:
				done <- nil
				return
			case <-time.After(pause):
			}
			if err := r.purchase(ctx); err != nil {
				done <- err
				return
			}
		}
	}()
	return func() {
		r.t.Helper()
		close(enough)
		r.must(<-done)
	}
}

// roll replaces every process by one of another version: first what owns the
// topology, then one service after another. Payment comes last, right after a
// purchase, so that it leaves an order behind that it has not finished.
func (r *rig) roll(ctx context.Context, bin string) {
	r.replace(ctx, r.system.Infra, bin)
	var payment []*processes.Process
	for _, p := range r.system.Services {
		switch {
		case strings.HasPrefix(p.Name, "payment"):
			payment = append(payment, p)
		case has(bin, filepath.Base(p.Path)): // a service that the other version lacks goes on
			r.replace(ctx, p, bin)
		}
	}
	for name, n := range r.counts {
		if n == 0 && has(bin, name) {
			r.must(r.system.Add(ctx, bin, name))
		}
	}
	r.must(r.purchase(ctx))
	began := r.openOrders(ctx)
	for _, p := range payment {
		p.Stop(grace)
		if p == payment[len(payment)-1] { // none of the other version is left
			r.cross(ctx, began)
		}
		r.begin(ctx, p, bin)
		r.must(r.purchase(ctx)) // by both versions, and by the new one alone
	}
}

func (r *rig) replace(ctx context.Context, p *processes.Process, bin string) {
	p.Stop(grace)
	r.begin(ctx, p, bin)
}

func (r *rig) begin(ctx context.Context, p *processes.Process, bin string) {
	p.Path = filepath.Join(bin, filepath.Base(p.Path))
	r.must(p.Start())
	r.must(p.Ready(ctx))
}

// openOrders gives the paid quotes whose orders are not shipped.
func (r *rig) openOrders(ctx context.Context) (open []string) {
	r.mu.Lock()
	orders := slices.Clone(r.orders)
	r.mu.Unlock()
	for _, ref := range orders {
		o, err := r.order(ctx, ref)
		r.must(err)
		if o.Status != orderscontract.Shipped {
			open = append(open, ref)
		}
	}
	return open
}

// cross notes which of the orders that one version began the other has to finish.
func (r *rig) cross(ctx context.Context, began []string) {
	still := map[string]bool{}
	for _, ref := range r.openOrders(ctx) {
		still[ref] = true
	}
	n := 0
	for _, ref := range began {
		if still[ref] {
			r.crossed[ref] = true
			n++
		}
	}
	if n == 0 {
		r.t.Error("no order was left for the other version to finish")
	}
}

// rest waits until everything has come to its end.
func (r *rig) rest(ctx context.Context) {
	r.must(repeatUntilDone(ctx, "come to rest", func() (bool, error) {
		if open := r.openOrders(ctx); len(open) > 0 {
			return false, fmt.Errorf("%d orders are not shipped", len(open))
		}
		states, err := r.bus.States(ctx)
		if err != nil {
			return false, err
		}
		for _, s := range states {
			for _, c := range s.Consumers {
				waits := c.Name == feed.ExpiryConsumer || c.Name == quotes.WatchConsumer // quotes wait there as long as they are open
				if !waits && (c.Pending > 0 || c.AckPending > 0) {
					return false, fmt.Errorf("%s of %s has work left", c.Name, s.Name)
				}
			}
		}
		return true, nil
	}))
}

func (r *rig) check(ctx context.Context) {
	for _, p := range r.system.Processes() {
		if err := p.Failure(); err != nil {
			r.t.Errorf("ended by itself: %v", err)
		}
	}
	dead, err := r.bus.DeadLetters(ctx, 0, 10)
	r.must(err)
	for _, d := range dead {
		r.t.Errorf("dead letter: %+v", d)
	}
	r.checkOutcomes(ctx)
	for _, ref := range r.orders {
		r.checkUnknown(ctx, contract.QuoteAggregate, ref)
		r.checkUnknown(ctx, contract.OrderAggregate, ref)
	}
	r.t.Logf("%d requests, %d orders, %d of them begun by one version and finished by the other", len(r.requested), len(r.orders), len(r.crossed))
}

// checkOutcomes holds that every accepted request has one outcome. An aggregate
// keeps its newest events only, so that the refusals of a machine that was slow to
// come back may have made way for later ones; they were read when they came.
func (r *rig) checkOutcomes(ctx context.Context) {
	outcomes := map[string]int{}
	for _, a := range contract.Aggregates() {
		unread, err := r.bus.ReplayEvents(ctx, a, func(events []contract.Event) error {
			for _, e := range events {
				if e.Operation != "" {
					outcomes[e.Operation]++
				}
			}
			return nil
		})
		r.must(err)
		if unread > 0 {
			r.t.Errorf("%d events of %s cannot be read", unread, a)
		}
	}
	for request := range r.requested {
		if n := outcomes[request]; n != 1 && (n != 0 || !r.refused[request]) {
			r.t.Errorf("request %s has %d outcomes, want 1 (refused: %t)", request, n, r.refused[request])
		}
	}
}

// checkUnknown holds that what a later release wrote is there after everybody's changes.
func (r *rig) checkUnknown(ctx context.Context, a contract.Aggregate, id string) {
	state, err := load[map[string]json.RawMessage](ctx, r, a, id)
	r.must(err)
	if got, want := string(state[unknown]), `{"n":1}`; got != want {
		r.t.Errorf("%s %s: the unknown field is %q, want %s", a, id, got, want)
	}
}
