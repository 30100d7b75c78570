package designcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
)

// forget drops a reading that nothing needs any more, or sets a timer for when
// that may be. It is set off by uploads that ended.
func (s *Service) forget(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.ForgetBoardData](c)
	if err != nil {
		return err
	}
	if !data.Must {
		until, err := s.neededUntil(ctx, data.Digest)
		if err != nil {
			return err
		}
		if until.After(s.now()) {
			return s.later(ctx, c, data, until)
		}
	}
	snap, err := aggregate.Execute(ctx, s.events, contract.BoardAggregate, data.Digest, c, s.now(),
		func(now aggregate.Snapshot[contract.ReadFiles]) (*aggregate.Change[contract.ReadFiles], error) {
			// Even where there is nothing yet: whoever reads at this moment learns from it
			// that what is being made is not wanted any more.
			gone := contract.ReadFiles{Digest: data.Digest, Gone: true, ReadAt: now.State.ReadAt}
			return &aggregate.Change[contract.ReadFiles]{Event: contract.BoardForgotten, State: gone}, nil
		})
	if err != nil || !snap.State.Gone { // read again since an earlier delivery forgot it
		return err
	}
	if err := s.forgetChecks(ctx, c, data.Digest); err != nil {
		return err
	}
	return s.deleteBlobs(ctx, contract.BoardsPrefix+data.Digest+"/")
}

// forgetAgain clears away blobs that were written after the board had been
// forgotten, at the sequence given. Blobs go only after such an event, so nobody
// commits a reading whose blobs have gone.
func (s *Service) forgetAgain(ctx context.Context, c contract.Command, seq uint64, data contract.ForgetBoardData) error {
	forget, err := c.Follow(contract.ForgetBoard, fmt.Sprintf("forget at %d", seq), s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Send(ctx, forget)
}

// forgetChecks drops what was found out about the files. A check that still
// runs finds itself dropped when it ends.
func (s *Service) forgetChecks(ctx context.Context, c contract.Command, digest string) error {
	var ids []string
	err := each(ctx, s.docs, string(contract.DesignCheckAggregate), digest, func(d contract.DesignCheck) error {
		ids = append(ids, d.ID)
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, err := aggregate.Execute(ctx, s.events, contract.DesignCheckAggregate, id, c, s.now(),
			func(now checkSnapshot) (*checkChange, error) {
				if !now.Exists() || now.State.Status == contract.CheckGone {
					return nil, nil
				}
				return &checkChange{Event: contract.CheckForgotten, State: goneCheck(now.State)}, nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) later(ctx context.Context, c contract.Command, data contract.ForgetBoardData, at time.Time) error {
	again, err := c.Follow(contract.ForgetBoard, at.Format(time.RFC3339Nano), s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.BoardAggregate, AggregateID: data.Digest, What: "forget", Due: at, Command: again,
	})
}

// projectionLag is how long after its commit a quote may be missing from the
// projection; a reading is never dropped sooner after an upload's end.
const projectionLag = time.Minute

// neededUntil asks the projection: an open upload, an unexpired quote and an
// order need what was read of their files. Should the projection lag behind
// far enough to miss one, the files are still in the upload of whoever asks again.
func (s *Service) neededUntil(ctx context.Context, digest string) (time.Time, error) {
	var until time.Time
	take := func(t time.Time) {
		if t.After(until) {
			until = t
		}
	}
	err := each(ctx, s.docs, string(contract.UploadAggregate), digest, func(u contract.Upload) error {
		if u.Status == contract.UploadOpen {
			take(u.ExpiresAt.Add(projectionLag))
		}
		return nil
	})
	if err != nil {
		return until, err
	}
	return until, each(ctx, s.docs, string(contract.QuoteAggregate), digest, func(q contract.Quote) error {
		take(q.ExpiresAt.Add(projectionLag))
		order, err := s.docs.Get(ctx, string(contract.OrderAggregate), q.Ref)
		if errors.Is(err, projection.ErrNotFound) {
			return nil
		}
		if err == nil {
			take(order.At.Add(s.cfg.OrderKept))
		}
		return err
	})
}

func each[S any](ctx context.Context, docs projection.Store, kind, digest string, do func(S) error) error {
	for page := (projection.Page{Limit: 200}); ; {
		found, next, err := docs.List(ctx, kind, "digest", digest, page)
		if err != nil {
			return fmt.Errorf("list %s of %s: %w", kind, digest, err)
		}
		for _, d := range found {
			var state S
			if err := json.Unmarshal(d.Body, &state); err != nil {
				return fmt.Errorf("decode %s %s: %w", kind, d.ID, err)
			}
			if err := do(state); err != nil {
				return err
			}
		}
		if next == "" {
			return nil
		}
		page.Cursor = next
	}
}

func (s *Service) deleteBlobs(ctx context.Context, prefix string) error {
	var keys []string
	for info, err := range s.blobs.List(ctx, prefix) {
		if err != nil {
			return fmt.Errorf("list %s: %w", prefix, err)
		}
		keys = append(keys, info.Key)
	}
	if len(keys) == 0 {
		return nil
	}
	return s.blobs.Delete(ctx, keys...)
}
