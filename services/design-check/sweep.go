package designcheck

import (
	"context"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
)

const (
	sweepEvery = time.Hour
	// sweptAfter is longer than any reading or check takes.
	sweptAfter = 24 * time.Hour
)

// Sweep removes what a process that died left behind, and has boards decided on
// whose timer got lost. What is younger than a day may still be wanted.
func (s *Service) Sweep(ctx context.Context) error {
	old, prefix, keep := s.now().Add(-sweptAfter), "", true
	for info, err := range s.blobs.List(ctx, boards.Prefix) {
		if err != nil {
			return err
		}
		if !info.ModTime.Before(old) {
			continue
		}
		p, digest, check := owner(info.Key)
		if p != prefix { // keys come in order
			if keep, err = s.isReferenced(ctx, p, digest, check); err != nil {
				return err
			}
			prefix = p
		}
		if keep {
			continue
		}
		if err := s.blobs.Delete(ctx, info.Key); err != nil {
			return err
		}
	}
	return nil
}

// owner splits a blob's key: the prefix of whatever made it, the board's digest
// and, for what a check made, the check.
func owner(key string) (prefix, digest, check string) {
	parts := strings.Split(strings.TrimPrefix(key, boards.Prefix), "/")
	n := 2
	if len(parts) > 4 && parts[1] == "checks" {
		check, n = parts[2], 4
	}
	return boards.Prefix + strings.Join(parts[:min(n, len(parts))], "/") + "/", parts[0], check
}

// isReferenced reports whether something refers to what lies under a prefix, as its
// aggregate says.
func (s *Service) isReferenced(ctx context.Context, prefix, digest, check string) (bool, error) {
	board, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, digest).Load(ctx)
	if err != nil {
		return true, err
	}
	if board.State.IsRead() && board.State.NeededUntil.Before(s.now().Add(-sweptAfter)) {
		return true, s.forgetLost(ctx, digest)
	}
	if board.State.Gone && s.now().Before(board.State.GoneAt.Add(boards.ForgottenRetention)) {
		return true, nil
	}
	if check == "" {
		return board.State.IsRead() && board.State.Prefix == prefix, nil
	}
	d, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, check).Load(ctx)
	return d.State.Status != designchecks.Gone && d.Exists() && checkPrefix(d.State) == prefix, err
}

// forgetLost asks for the decision that a lost timer would have asked for.
func (s *Service) forgetLost(ctx context.Context, digest string) error {
	c, err := contract.NewCommand(boards.Forget, "", "", s.now(), boards.ForgetData{Digest: digest})
	if err != nil {
		return err
	}
	c.ID = contract.DeriveID("forget", digest, s.now().Truncate(sweptAfter).Format(time.RFC3339))
	return s.events.Send(ctx, c)
}
