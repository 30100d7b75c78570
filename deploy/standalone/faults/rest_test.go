package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"boardorder/deploy/simulator/cards"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"

	"github.com/nats-io/nats.go/jetstream"
)

// rest waits until the healed system has nothing left to do.
func (r *rig) rest() {
	ctx, cancel := context.WithTimeout(r.t.Context(), r.plan.heal)
	defer cancel()
	for _, p := range r.system.Processes() {
		if err := p.Ready(ctx); err != nil {
			r.t.Fatalf("after the last kill: %v", err)
		}
	}
	why := "nothing was looked at"
	if err := r.behave(ctx); err != nil {
		r.t.Fatalf("end the misbehaviour: %v", err)
	}
	for quiet := 0; quiet < 3; {
		if now := r.busy(ctx); now != why {
			why = now
			if *verbose {
				r.t.Logf("%.1f s: busy: %s", time.Since(r.began).Seconds(), why)
			}
		}
		if quiet++; why != "" {
			quiet = 0
		}
		if wait(ctx, 100*time.Millisecond); ctx.Err() != nil {
			r.t.Fatalf("not at rest %s after the last kill: %s", r.plan.heal, why)
		}
	}
}

// busy says what is still to be done, or nothing.
func (r *rig) busy(ctx context.Context) string {
	if why := r.replay(ctx); why != "" {
		return why
	}
	periodic, err := r.periodic(ctx)
	if err != nil {
		return err.Error()
	}
	states, err := r.bus.States(ctx)
	if err != nil {
		return err.Error()
	}
	for _, s := range states {
		for _, c := range s.Consumers {
			if c.Name == feed.ExpiryConsumer || c.Name == quotes.WatchConsumer { // they have what is open in hand
				continue
			}
			usual := 0
			if s.Name == contract.CommandStream && c.Name == checkouts.Reconcile.Service {
				usual = periodic
			}
			if c.Pending > 0 || c.AckPending > usual {
				return fmt.Sprintf("%s of %s has %d messages before it and %d in hand, %d of them delivered again", c.Name, s.Name, c.Pending, c.AckPending, c.Redelivered)
			}
		}
		if s.Name == contract.CommandStream && s.Messages > uint64(periodic) {
			return fmt.Sprintf("%d commands wait", s.Messages)
		}
	}
	ledger, err := r.cardLedger(ctx)
	if err != nil {
		return err.Error()
	}
	if ledger.Owed > 0 {
		return fmt.Sprintf("%d card notices are owed", ledger.Owed)
	}
	return r.openOrders(ctx)
}

// replay does what people do with commands that were dropped because their process
// was killed in each of their runs. Those that a client waits for stay where they are:
// the client was told that they failed.
func (r *rig) replay(ctx context.Context) string {
	dead, err := r.bus.DeadLetters(ctx, 1, 1000)
	if err != nil {
		return err.Error()
	}
	for _, d := range dead {
		if d.Unfinished == 0 || d.Failed > 0 || d.Command.Request != "" {
			continue
		}
		if err := r.bus.Replay(ctx, d.Seq); err != nil {
			return fmt.Sprintf("send %s again: %v", d.Subject, err)
		}
		r.kills.again++
	}
	return ""
}

// periodic is how many commands are there that come every few seconds for as long
// as the system runs: comparing the ledgers of a long run takes about as long.
func (r *rig) periodic(ctx context.Context) (int, error) {
	commands, err := r.js.Stream(ctx, contract.CommandStream)
	if err != nil {
		return 0, err
	}
	filter := fmt.Sprintf("cmd.%s.*.%s", checkouts.Reconcile.Service, checkouts.Reconcile.Verb)
	info, err := commands.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, held := range info.State.Subjects {
		n += int(held)
	}
	return n, nil
}

// openOrders says which orders are still on their way.
func (r *rig) openOrders(ctx context.Context) string {
	var paid []string
	r.ledger.do(func() {
		for ref := range r.ledger.paid {
			paid = append(paid, ref)
		}
	})
	for _, ref := range paid {
		doc, err := r.docs.Get(ctx, string(contract.OrderAggregate), ref)
		var o orders.Order
		if err == nil {
			err = json.Unmarshal(doc.Body, &o)
		}
		if err != nil {
			return fmt.Sprintf("order of the paid quote %s: %v", ref, err)
		}
		if o.Status != orders.Shipped {
			return fmt.Sprintf("order %s is %s (%s)", o.ID, o.Status, o.Held)
		}
	}
	return ""
}

func (r *rig) cardLedger(ctx context.Context) (cards.Ledger, error) {
	return fetch[cards.Ledger](ctx, r.system.Ready.SimulatorURL+"/cards/ledger")
}

func (r *rig) fabLedger(ctx context.Context) (fabricator.Ledger, error) {
	return fetch[fabricator.Ledger](ctx, r.system.Ready.SimulatorURL+"/fab/ledger")
}

func fetch[T any](ctx context.Context, url string) (T, error) {
	var v T
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return v, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return v, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return v, fmt.Errorf("%s: %s", url, resp.Status)
	}
	return v, json.NewDecoder(resp.Body).Decode(&v)
}

// dump lists everything in a projection, a document a line, by kind and id.
func dump(ctx context.Context, docs projection.Store) (map[string]string, error) {
	kinds := []string{accounts.KeyDocumentKind}
	for _, a := range contract.Aggregates() {
		kinds = append(kinds, string(a))
	}
	out := map[string]string{}
	for _, kind := range kinds {
		page := projection.Page{Limit: projection.MaxLimit}
		for {
			all, next, err := docs.List(ctx, kind, "", "", page)
			if err != nil {
				return nil, fmt.Errorf("list %s: %w", kind, err)
			}
			for _, d := range all {
				var keys strings.Builder
				for _, name := range keysInOrder(d.Keys) {
					fmt.Fprintf(&keys, " %s=%s", name, d.Keys[name])
				}
				out[kind+" "+d.ID] = fmt.Sprintf("%d %s%s %s", d.Seq, d.At.UTC().Format(time.RFC3339Nano), keys.String(), d.Body)
			}
			if next == "" {
				break
			}
			page.Cursor = next
		}
	}
	return out, nil
}
