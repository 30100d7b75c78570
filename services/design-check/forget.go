package designcheck

import (
	"context"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/flow"
)

// forget decides that a reading goes, or sets a timer for when that may be. Only
// the board's own record says until when it is needed. The files go a day after
// the decision, or at once if they must.
func (s *Service) forget(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[boards.ForgetData](c)
	if err != nil {
		return err
	}
	var needed time.Time
	snap, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
			needed = now.State.NeededUntil
			if !data.Must && needed.After(s.now()) || !data.Must && now.State.Gone {
				return nil, nil
			}
			needed = time.Time{}
			return &aggregate.Change[boards.ReadFiles]{Event: boards.EventForgotten, State: s.readingTombstone(now.State, data), Forget: true}, nil
		})
	if err != nil {
		return err
	}
	if needed.After(s.now()) {
		return s.forgetAt(ctx, c, data, needed)
	}
	if !snap.State.Gone { // read again since an earlier delivery forgot it
		return nil
	}
	if err := s.forgetAnswered(ctx, c, snap.State, data.Must); err != nil {
		return err
	}
	prefixes, err := s.forgetChecks(ctx, c, snap.State)
	if err != nil {
		return err
	}
	if data.Must {
		if err := s.erase(ctx, c, snap.State); err != nil {
			return err
		}
	}
	if snap.State.Prefix != "" {
		prefixes = append(prefixes, snap.State.Prefix)
	}
	return s.deleteLater(ctx, c, boards.DeleteBlobsData{Digest: data.Digest, Prefixes: prefixes}, data.Must)
}

// readingTombstone is what stays on record of a reading, even where there is nothing yet:
// whoever reads at this moment learns from it that what is being made is not
// wanted any more. What was forgotten before it was complete is of no use to anybody.
func (s *Service) readingTombstone(r boards.ReadFiles, data boards.ForgetData) boards.ReadFiles {
	return boards.ReadFiles{Digest: data.Digest, Gone: true, GoneAt: s.now(), Erased: data.Must, ReadAt: r.ReadAt, Prefix: r.Prefix, Rest: r.Rest, Checks: r.Checks, Answered: r.Answered}
}

// forgetChecks drops what was found out about the files, and gives where the
// blobs of it lie. A check that still runs finds itself dropped when it ends.
func (s *Service) forgetChecks(ctx context.Context, c contract.Command, r boards.ReadFiles) (prefixes []string, err error) {
	for _, id := range r.Checks {
		snap, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, id).Execute(ctx, c, s.now(),
			func(now checkSnapshot) (*checkChange, error) {
				if !now.Exists() || now.State.Status == designchecks.Gone {
					return nil, nil
				}
				return &checkChange{Event: designchecks.EventForgotten, State: checkTombstone(now.State), Forget: true}, nil
			})
		if err != nil {
			return nil, err
		}
		if snap.State.Status == designchecks.Gone {
			prefixes = append(prefixes, checkPrefix(snap.State))
		}
	}
	return prefixes, nil
}

// forgetAnswered has what was read with answers decided on as well.
func (s *Service) forgetAnswered(ctx context.Context, c contract.Command, r boards.ReadFiles, must bool) error {
	for _, digest := range r.Answered {
		forget, err := c.Follow(boards.Forget, digest, s.now(), boards.ForgetData{Digest: digest, Must: must})
		if err != nil {
			return err
		}
		if err := s.events.Send(ctx, forget); err != nil {
			return err
		}
	}
	return nil
}

// erase removes what was known of a reading and its checks, and what clients were
// answered about them.
func (s *Service) erase(ctx context.Context, c contract.Command, r boards.ReadFiles) error {
	eraser := aggregate.Eraser{Core: s.events, Command: c, Labels: contract.NewLabels(boards.Label(r.Digest)), At: s.now()}
	for _, id := range r.Checks {
		if err := aggregate.Erase(ctx, eraser, contract.DesignCheckAggregate, id, checkTombstone); err != nil {
			return err
		}
	}
	return aggregate.Erase(ctx, eraser, contract.BoardAggregate, r.Digest,
		func(r boards.ReadFiles) boards.ReadFiles {
			return s.readingTombstone(r, boards.ForgetData{Digest: r.Digest, Must: true})
		})
}

func (s *Service) forgetAt(ctx context.Context, c contract.Command, data boards.ForgetData, at time.Time) error {
	again, err := c.Follow(boards.Forget, at.Format(time.RFC3339Nano), s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.BoardAggregate, AggregateID: data.Digest, What: "forget", Due: at, Command: again,
	})
}

func (s *Service) deleteLater(ctx context.Context, c contract.Command, data boards.DeleteBlobsData, now bool) error {
	if now {
		return s.delete(ctx, data)
	}
	if len(data.Prefixes) == 0 {
		return nil
	}
	due := s.now().Add(boards.ForgottenRetention)
	del, err := c.Follow(boards.DeleteBlobs, data.Digest, s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.BoardAggregate, AggregateID: data.Digest, What: "delete-" + del.ID, Due: due, Command: del, // each decision has its own
	})
}

// deleteBlobs deletes what was decided on to go. Each reading and each attempt
// of a check has a prefix of its own, so what was made since lies elsewhere.
func (s *Service) deleteBlobs(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[boards.DeleteBlobsData](c)
	if err != nil {
		return err
	}
	return s.delete(ctx, data)
}

func (s *Service) delete(ctx context.Context, data boards.DeleteBlobsData) error {
	for _, prefix := range data.Prefixes {
		if err := blob.DeletePrefix(ctx, s.blobs, prefix); err != nil {
			return err
		}
	}
	return nil
}

// nameCheck records on the board that a check of it was begun, so that it is
// forgotten with it.
func (s *Service) nameCheck(ctx context.Context, c contract.Command, digest, check string) error {
	_, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, digest).Step(ctx, c, "check "+check, s.now(),
		func(now aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
			if slices.Contains(now.State.Checks, check) {
				return nil, nil
			}
			state := now.State
			state.Digest = digest
			state.Checks = append(slices.Clone(state.Checks), check)
			return &aggregate.Change[boards.ReadFiles]{Event: boards.EventChecked, State: state}, nil
		})
	return err
}

// nameAnswered records on the board of the files alone that they are read with answers,
// so that this reading is forgotten with it.
func (s *Service) nameAnswered(ctx context.Context, c contract.Command, digest string) error {
	files := boards.FilesDigest(digest)
	if files == digest {
		return nil
	}
	_, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, files).Step(ctx, c, "answers "+digest, s.now(),
		func(now aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
			if slices.Contains(now.State.Answered, digest) {
				return nil, nil
			}
			state := now.State
			state.Digest = files
			state.Answered = append(slices.Clone(state.Answered), digest)
			return &aggregate.Change[boards.ReadFiles]{Event: boards.EventAnswered, State: state}, nil
		})
	return err
}

// checkPrefix is where what one attempt at a check makes is kept.
func checkPrefix(d designchecks.DesignCheck) string {
	return boards.Prefix + d.Digest + "/checks/" + d.ID + "/" + strconv.Itoa(d.Attempt) + "/"
}
