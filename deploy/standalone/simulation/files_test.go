package simulation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
)

// abandonedAfter is how old a file is before it may go because nothing names it.
const abandonedAfter = 24 * time.Hour

// mayDelete holds that files go after their recorded decision only: it says why
// one must stay.
func (w *world) mayDelete(key string, k kept) error {
	switch {
	case strings.HasPrefix(key, uploads.StagingPrefix):
		return w.mayDeleteStaged(key, k)
	case strings.HasPrefix(key, uploads.Prefix):
		return w.mayDeleteUploaded(key, k)
	default:
		return w.mayDeleteKept(key, k)
	}
}

func (w *world) isAbandoned(k kept) bool { return w.Now().Sub(k.info.ModTime) > abandonedAfter }

// A staged file goes once its request has its outcome, or its upload has ended.
func (w *world) mayDeleteStaged(key string, k kept) error {
	s := w.staged[key]
	if _, ok := w.Outcome(s.request); ok || w.isAbandoned(k) {
		return nil
	}
	return fmt.Errorf("request %s has no outcome", s.request)
}

// An uploaded file goes once the upload has ended, or where it never became part
// of it.
func (w *world) mayDeleteUploaded(key string, k kept) error {
	u, err := state[uploads.Upload](w, contract.UploadAggregate, part(key, 1))
	if err != nil || u.Status != uploads.Open && u.Ref != "" {
		return err
	}
	if slices.ContainsFunc(u.Files, func(f uploads.File) bool { return f.Key == key }) {
		return errors.New("its upload is open and names it")
	}
	if u.Ref == "" || w.isAbandoned(k) { // taken in for a request that was refused
		return nil
	}
	return errors.New("its upload is open")
}

// What was kept of a board goes a day after it was forgotten, sooner if some of
// the same files were declared ITAR, where it was never complete or nothing names it.
func (w *world) mayDeleteKept(key string, k kept) error {
	digest := part(key, 1)
	board, err := state[boards.ReadFiles](w, contract.BoardAggregate, digest)
	if err != nil {
		return err
	}
	check := designchecks.DesignCheck{Status: designchecks.Gone}
	if part(key, 2) == "checks" {
		if check, err = state[designchecks.DesignCheck](w, contract.DesignCheckAggregate, part(key, 3)); err != nil {
			return err
		}
	}
	switch {
	case board.IsRead() && board.Rest == boards.RestMade && key == board.Prefix+"marks.json":
		return nil // its pictures are drawn
	case board.IsRead() && board.Prefix != "" && strings.HasPrefix(key, board.Prefix):
		return errors.New("its board is known and names it")
	case check.Report == key:
		return errors.New("its check is known and names it")
	case w.isAbandoned(k) || w.isDeclaredITAR(digest) || part(key, 2) == "checks":
		return nil
	case board.Gone && board.Rest == boards.RestMade && strings.HasPrefix(key, board.Prefix) && w.Now().Before(board.GoneAt.Add(boards.ForgottenRetention)):
		return errors.New("its board was forgotten less than a day ago")
	}
	return nil
}

func (w *world) isDeclaredITAR(digest string) bool {
	// The declaration took away what the upload had been.
	return slices.ContainsFunc(slices.Concat(w.Events(contract.UploadAggregate), w.Purges()), func(e contract.Event) bool {
		if e.Aggregate != contract.UploadAggregate {
			return false
		}
		snap, err := aggregate.Decode[uploads.Upload](e)
		if err != nil || snap.State.Digest != digest {
			return false
		}
		now, err := state[uploads.Upload](w, contract.UploadAggregate, e.AggregateID)
		return err == nil && now.Status == uploads.ITARDeclared
	})
}

// part is the n-th part of a key.
func part(key string, n int) string {
	parts := strings.Split(key, "/")
	if n < len(parts) {
		return parts[n]
	}
	return ""
}

// state is what an aggregate was last committed as; no fault hides it.
func state[S any](w *world, a contract.Aggregate, id string) (S, error) {
	var none S
	e, ok := w.LatestEvent(a, id)
	if !ok {
		return none, nil
	}
	snap, err := aggregate.Decode[S](e)
	return snap.State, err
}
