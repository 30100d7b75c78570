package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardorder/deploy/simulator/cards"
	"boardorder/deploy/simulator/mailbox"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	docopen "boardorder/pkg/projection/open"
)

// A history is every event of the run, in order, by aggregate.
type history struct {
	events []contract.Event
	lives  map[string][]contract.Event // "<aggregate> <id>" -> its events
}

func (r *rig) history(ctx context.Context) *history {
	h := &history{lives: map[string][]contract.Event{}}
	for _, a := range contract.Aggregates() {
		_, err := r.bus.ReplayEvents(ctx, a, func(events []contract.Event) error {
			for _, e := range events {
				h.events = append(h.events, e)
				key := string(a) + " " + e.AggregateID
				h.lives[key] = append(h.lives[key], e)
			}
			return nil
		})
		if err != nil {
			r.t.Fatalf("read the events: %v", err)
		}
	}
	return h
}

// finalStates gives the state after the last event of every aggregate of a kind, by id.
func finalStates[S any](r *rig, h *history, a contract.Aggregate) map[string]S {
	out := map[string]S{}
	for key, life := range h.lives {
		kind, id, _ := strings.Cut(key, " ")
		if kind != string(a) {
			continue
		}
		var body contract.Body[S]
		if err := json.Unmarshal(life[len(life)-1].Data, &body); err != nil {
			r.t.Errorf("the last event of %s: %v, want a state in %s", key, err, life[len(life)-1].Data)
		}
		out[id] = body.State
	}
	return out
}

// check compares what everybody knows.
func (r *rig) check() {
	ctx, cancel := context.WithTimeout(r.t.Context(), 2*time.Minute)
	defer cancel()
	for _, wrong := range r.ledger.wrong {
		r.t.Errorf("a customer was answered what cannot be: %s", wrong)
	}
	for _, why := range r.kills.gaveUp {
		r.t.Errorf("a process ended by itself: %s", why)
	}
	h := r.history(ctx)
	r.remade = 0
	r.checkEvents(h)
	r.checkLives(h)
	r.checkOutcomes(h)
	r.checkQuotes(h)
	r.checkMoney(ctx, h)
	r.checkMail(ctx, h)
	r.checkDead(ctx)
	r.checkProjection(ctx)
	r.checkWaits(ctx, h)
	r.checkWebhooks(ctx, r.webhooks)
	r.checkLogs()
}

// checkEvents finds events and commands that count twice.
func (r *rig) checkEvents(h *history) {
	seen := map[string]string{}
	for _, e := range h.events {
		if before, ok := seen[e.ID]; ok {
			r.t.Errorf("event id %s is %s and %s", e.ID, before, e.Subject())
		}
		seen[e.ID] = e.Subject()
		var body contract.Body[json.RawMessage]
		if err := json.Unmarshal(e.Data, &body); err != nil {
			r.t.Errorf("event %s on %s: %v, want a body in %s", e.ID, e.Subject(), err, e.Data)
			continue
		}
		once := slices.Compact(slices.Sorted(slices.Values(body.Applied)))
		if len(once) != len(body.Applied) {
			r.t.Errorf("%s was changed twice by one command: %v", e.Subject(), body.Applied)
		}
	}
}

// outcomeRequest is the request that an event is the outcome of; "" for none.
func outcomeRequest(e contract.Event) string {
	if e.Aggregate == contract.OperationAggregate {
		return e.AggregateID
	}
	return e.Operation
}

// checkOutcomes finds accepted requests without an outcome, or with two.
func (r *rig) checkOutcomes(h *history) {
	outcomes := map[string][]string{}
	for _, e := range h.events {
		if request := outcomeRequest(e); request != "" {
			outcomes[request] = append(outcomes[request], e.Subject())
		}
	}
	for _, request := range r.ledger.requests() {
		if len(outcomes[request]) == 0 {
			r.t.Errorf("request %s (%s) was accepted and has no outcome", request, r.ledger.accepted[request])
		}
	}
	for request, all := range outcomes {
		if len(all) > 1 {
			r.t.Errorf("request %s has %d outcomes: %v", request, len(all), all)
		}
	}
}

// checkQuotes finds customers whose request was priced twice, or whose quote is not
// the one that they were told of.
func (r *rig) checkQuotes(h *history) {
	priced := map[string][]string{} // what was asked for → refs of quotes
	for ref, q := range finalStates[quotes.Quote](r, h, contract.QuoteAggregate) {
		if q.Request.ProjectName != nil {
			priced[*q.Request.ProjectName] = append(priced[*q.Request.ProjectName], ref)
		}
	}
	for name, id := range r.ledger.quotes {
		if refs := priced[name]; len(refs) != 1 || refs[0] != contract.SecretRef(id) {
			r.t.Errorf("%s was told of the quote %s, want it alone among %v", name, contract.SecretRef(id), refs)
		}
	}
}

// checkMoney compares the shoppers, the orders, and the ledger of the card
// processor and of the fabricator.
func (r *rig) checkMoney(ctx context.Context, h *history) {
	ledger, err := r.cardLedger(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	orders := finalStates[orders.Order](r, h, contract.OrderAggregate)
	kept := map[string][]cards.Charge{} // by quote ref, what was taken and not given back
	var taken, ordered int64
	r.notices = fmt.Sprintf("%d card notices, delivered %d times; %d charges, %d refunds", len(ledger.Events), len(ledger.Deliveries), len(ledger.Charges), len(ledger.Refunds))
	for _, ch := range ledger.Charges {
		if !ch.Paid || ch.Refunded == ch.Amount {
			continue
		}
		taken += ch.Amount - ch.Refunded
		ref := ch.Metadata["reference"]
		kept[ref] = append(kept[ref], ch)
		if _, ok := orders[ref]; !ok {
			r.t.Errorf("charge %s of %d cents has no order (quote %s)", ch.ID, ch.Amount, ref)
		}
	}
	for ref, o := range orders {
		ordered += o.TotalCents
		if n := len(kept[ref]); n != 1 {
			r.t.Errorf("order %s has %d charges, want 1", o.ID, n)
		} else if kept[ref][0].Amount != o.TotalCents {
			r.t.Errorf("order %s is of %d cents, its charge of %d, want the same", o.ID, o.TotalCents, kept[ref][0].Amount)
		}
	}
	if taken != ordered {
		r.t.Errorf("the card processor took %d cents, want the %d of the orders", taken, ordered)
	}
	for ref := range r.ledger.paid {
		if _, ok := orders[ref]; !ok {
			r.t.Errorf("quote %s was paid and has no order", ref)
		}
	}
	r.checkBuilt(ctx, orders)
}

func (r *rig) checkBuilt(ctx context.Context, orders map[string]orders.Order) {
	ledger, err := r.fabLedger(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	built := map[string]int{}
	for _, o := range ledger.Orders {
		built[o.Batch]++
	}
	for _, o := range orders {
		if n := built[o.Fabricator.Reference]; n != 1 {
			r.t.Errorf("order %s (%s) is %d orders at the fabricator, want 1", o.ID, o.Status, n)
		}
		delete(built, o.Fabricator.Reference)
	}
	for batch, n := range built {
		r.t.Errorf("the fabricator has %d orders of %s that nobody paid for", n, batch)
	}
}

// checkMail looks that each order's customer was told of the payment and of the
// parcel. The same e-mail may come twice: mail servers promise no more.
func (r *rig) checkMail(ctx context.Context, h *history) {
	box, err := fetch[struct{ Messages []mailbox.Message }](ctx, r.system.Ready.MailboxURL+"/api/messages?to="+home.Email)
	if err != nil {
		r.t.Fatal(err)
	}
	emails := map[string]map[string]bool{} // subject -> the message ids
	for _, m := range box.Messages {
		if emails[m.Subject] == nil {
			emails[m.Subject] = map[string]bool{}
		}
		if emails[m.Subject][m.MessageID] {
			r.mailed.again++
		}
		emails[m.Subject][m.MessageID] = true
	}
	r.mailed.all = len(box.Messages)
	for _, o := range finalStates[orders.Order](r, h, contract.OrderAggregate) {
		for _, about := range []string{"Receipt for your order " + o.Ref, "Your order " + o.Ref + " has been shipped"} {
			if n := len(emails[about]); n != 1 {
				r.t.Errorf("order %s: there are %d e-mails %q, want 1", o.ID, n, about)
			}
		}
	}
}

func (r *rig) checkDead(ctx context.Context) {
	dead, err := r.bus.DeadLetters(ctx, 1, 1000)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, d := range dead {
		r.t.Errorf("dead letter %s after %d failures and %d runs that did not end: %s: %s", d.Subject, d.Failed, d.Unfinished, d.Reason, d.Data)
	}
}

// checkProjection makes the projection anew beside the one that lived through
// it all, and compares.
func (r *rig) checkProjection(ctx context.Context) {
	lived, err := dump(ctx, r.docs)
	if err != nil {
		r.t.Fatal(err)
	}
	dir, err := os.MkdirTemp(r.dir, "rebuilt-*")
	if err != nil {
		r.t.Fatal(err)
	}
	url := "sqlite:" + filepath.Join(dir, "projection.db")
	if err := r.runRebuild(ctx, map[string]string{"MONGO_URI": url}); err != nil {
		r.t.Errorf("rebuild the projection in %s: %v", url, err)
		return
	}
	fresh, err := docopen.Open(ctx, url)
	if err != nil {
		r.t.Fatal(err)
	}
	defer fresh.Close() //nolint:errcheck // it was read from only
	rebuilt, err := dump(ctx, fresh)
	if err != nil {
		r.t.Fatal(err)
	}
	r.compare(lived, rebuilt)
}

// runRebuild makes the projection anew as the projector's user, with further variables.
func (r *rig) runRebuild(ctx context.Context, further map[string]string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(r.bin, "projector"), "-rebuild")
	cmd.Env = os.Environ()
	vars := r.system.Environment("projector")
	vars["METRICS_ADDR"] = "127.0.0.1:0"
	maps.Copy(vars, further)
	for name, value := range vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

func (r *rig) compare(lived, rebuilt map[string]string) {
	if len(lived) == 0 {
		r.t.Error("the projection is empty")
	}
	keys := slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, m := range []map[string]string{lived, rebuilt} {
			for k := range m {
				if !yield(k) {
					return
				}
			}
		}
	}))
	for _, k := range keys {
		if lived[k] != rebuilt[k] {
			r.t.Errorf("document %s\nlived   %s\nrebuilt %s", k, lived[k], rebuilt[k])
		}
	}
}

func keysInOrder(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// report tells what the run was like.
func (r *rig) report() {
	l, k := r.ledger, &r.kills
	var total int
	var who strings.Builder
	for _, name := range slices.Sorted(maps.Keys(k.of)) {
		total += k.of[name]
		fmt.Fprintf(&who, " %s %d,", name, k.of[name])
	}
	runs, again := r.deliveries()
	r.t.Logf(`seed %d, %.0f s (%s)
%d boards quoted, %d requests accepted, %d paid, %d uploads
%d kills (%d times all at once):%s; %d times one stood still; %d starts in vain for want of the broker; %d commands sent again whose runs were all killed
%d lost replies of companies outside
%d calls of clients, %d of them repeated, %d without an answer, %d joined; cards declined %d; asked to come again: %v
%s; %d mails, %d of them a second time
%d runs of handlers, %d of them of commands that had ended, or failed, before; %d outcomes made anew by another version`, r.seed, time.Since(r.began).Seconds(), strings.Join(r.phases, ", "), len(l.quotes), len(l.accepted), len(l.paid), len(l.uploads),
		total, k.all, strings.TrimSuffix(who.String(), ","), k.frozen, k.waited, k.again, k.lost, l.calls, l.repeats, l.lost, l.joined, l.declined, l.refused,
		r.notices, r.mailed.all, r.mailed.again, runs, again, r.remade)
}

// deliveries counts, from the logs, the runs of handlers and those of commands one
// of whose runs had ended before, waits aside.
func (r *rig) deliveries() (runs, again int) {
	ended := map[string]bool{}
	logs, _ := filepath.Glob(filepath.Join(r.dir, "logs", "*.log"))
	for _, file := range logs {
		data, err := os.ReadFile(file)
		if err != nil {
			r.t.Error(err)
			continue
		}
		for line := range strings.Lines(string(data)) {
			var entry struct {
				Verdict string
				ID      string
			}
			if json.Unmarshal([]byte(line), &entry) != nil || entry.Verdict == "" {
				continue
			}
			runs++
			if entry.Verdict == flow.Wait.String() {
				continue
			}
			if ended[entry.ID] {
				again++
			}
			ended[entry.ID] = true
		}
	}
	return runs, again
}
