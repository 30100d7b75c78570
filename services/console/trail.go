package console

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
)

// Trail is the record of what operators did: one chain of entries, each an event.
// The guard of a commit is the entry before, so that of two consoles that write
// at the same moment one goes first and the chain never forks.
type Trail struct {
	events aggregate.Log
	now    func() time.Time
}

// NewTrail makes it.
func NewTrail(events aggregate.Log, now func() time.Time) *Trail { return &Trail{events, now} }

// Record adds an entry. Its time is set here. What is not recorded must not be
// done: whoever cannot record something stops.
func (t *Trail) Record(ctx context.Context, r audits.Record) error {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return t.record(ctx, "aud_"+hex.EncodeToString(id[:]), r)
}

// record adds an entry under an id. Added again under the same, soon, it is there once.
func (t *Trail) record(ctx context.Context, id string, r audits.Record) error {
	r.At = t.now().UTC().Truncate(time.Millisecond)
	c, err := contract.NewCommand(contract.CommandName{Service: "console", Verb: "record"}, "", r.Account, r.At, nil)
	if err != nil {
		return err
	}
	c.ID = id
	c.Correlation = r.Request
	_, err = aggregate.At[audits.Entry](t.events, contract.AuditAggregate, audits.Chain).Execute(ctx, c, r.At,
		func(last aggregate.Snapshot[audits.Entry]) (*aggregate.Change[audits.Entry], error) {
			next, err := audits.NewEntry(last.State, r)
			if err != nil {
				return nil, err
			}
			return &aggregate.Change[audits.Entry]{Event: audits.EventRecorded, State: next, Forget: true}, nil
		})
	if err != nil {
		return fmt.Errorf("audit trail: %w", err)
	}
	return nil
}
