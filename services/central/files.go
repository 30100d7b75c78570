package central

import (
	"context"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/flow"
	"boardorder/services/central/internal/order"
)

// scheduleDrop sets the one timer that ends an order's files. Each change sets it anew.
func (s *Service) scheduleDrop(ctx context.Context, c contract.Command, o formal.Order) error {
	if o.FilesUntil.IsZero() {
		return nil
	}
	drop, err := c.Follow(formal.DropFiles, o.FilesUntil.Format(time.RFC3339Nano), s.now(), formal.Data{Order: o.Key, ITAR: o.ITAR})
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.FormalAggregate, AggregateID: o.Key, What: "files", Due: o.FilesUntil, Command: drop,
	})
}

// dropFiles ends the files of an order to which nothing has happened for long: first
// the order says that they are gone, then they go. A timer that is too early, as one
// set by a delivery that was slow, is set anew.
func (s *Service) dropFiles(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.Data](c)
	if err != nil {
		return err
	}
	after, err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, data.Order).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
		if !now.Exists() || now.State.FilesUntil.IsZero() || s.now().Before(now.State.FilesUntil) {
			return nil, nil
		}
		return &change{Event: formal.EventFilesDropped, State: order.DropFiles(now.State)}, nil
	})
	switch {
	case err != nil:
		return err
	case after.State.FilesUntil.IsZero():
		return blob.DeletePrefix(ctx, s.files, formal.Prefix+data.Order+"/")
	}
	return s.scheduleDrop(ctx, c, after.State)
}

// copiedTTL is longer than any command that could still refer to a copy.
const copiedTTL = 24 * time.Hour

// Sweep removes files that no order refers to, which a crash or a refusal left, and
// asks for the end of files whose timer was lost.
func (s *Service) Sweep(ctx context.Context) error {
	old := s.now().Add(-copiedTTL)
	var last snapshot
	requested := map[string]bool{}
	for info, err := range s.files.List(ctx, formal.Prefix) {
		if err != nil {
			return err
		}
		key, _, ok := strings.Cut(strings.TrimPrefix(info.Key, formal.Prefix), "/")
		if !ok || !info.ModTime.Before(old) {
			continue
		}
		if last.State.Key != key { // the list is in order
			if last, err = aggregate.At[formal.Order](s.events, contract.FormalAggregate, key).Load(ctx); err != nil {
				return err
			}
		}
		if err := s.sweepFile(ctx, info.Key, key, last.State, requested); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) sweepFile(ctx context.Context, file, key string, o formal.Order, requested map[string]bool) error {
	for _, f := range o.Files {
		if f.Key != file {
			continue
		}
		if requested[key] || s.now().Before(o.FilesUntil.Add(s.cfg.SweepWait)) {
			return nil
		}
		requested[key] = true
		id := contract.DeriveID("sweep", key, o.FilesUntil.Format(time.RFC3339Nano), s.now().Format(time.DateOnly))
		c, err := contract.NewCommand(formal.DropFiles, "", o.Account, s.now(), formal.Data{Order: key, ITAR: o.ITAR})
		if err != nil {
			return err
		}
		c.ID, c.Correlation = id, id
		return s.events.Send(ctx, c)
	}
	return s.files.Delete(ctx, file)
}
