// Package duplicates finds the orders whose files hold the same, for declarations of
// export control that name files and not orders.
package duplicates

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/uploads"
)

// Duplicates enters orders under what their files hold.
type Duplicates struct{ Events aggregate.Core }

// Enter enters the order that a checkout leads to under what its files hold, by
// which a declaration of the same files finds it.
func (s *Duplicates) Enter(ctx context.Context, paid checkouts.Checkout) error {
	if paid.Digest == "" { // no files: nothing can be equal to it
		return nil
	}
	key, err := s.key(ctx, paid)
	if err != nil {
		return err
	}
	return s.Events.NoteDuplicate(ctx, contract.OrderAggregate, key, paid.Quote)
}

// key is what the files of a checkout are entered under. The reading of the
// files says it, which is there as long as they are; for readings of before it did,
// the upload, while that is kept.
func (s *Duplicates) key(ctx context.Context, paid checkouts.Checkout) (string, error) {
	read, err := aggregate.At[boards.ReadFiles](s.Events, contract.BoardAggregate, paid.Digest).Load(ctx)
	if err != nil || read.State.DuplicateKey != "" {
		return read.State.DuplicateKey, err
	}
	ref := paid.Sold.Upload
	if ref == "" {
		return duplicates.Unknown, nil
	}
	u, err := aggregate.At[uploads.Upload](s.Events, contract.UploadAggregate, ref).Load(ctx)
	if err != nil {
		return "", err
	}
	for _, content := range slices.Concat(u.State.Earlier, []string{u.State.Content}) {
		if boards.Digest(ref, content) == boards.FilesDigest(paid.Digest) {
			return duplicates.Key(content), nil
		}
	}
	return duplicates.Unknown, nil
}

// Find gives the orders that may be of what was declared. It reads the whole
// stream only while there may be open orders of before they were entered.
func (s *Duplicates) Find(ctx context.Context, data duplicates.HoldData) ([]string, error) {
	keys := append(duplicates.Keys(data.Content), duplicates.Unknown)
	quotes, whole, err := s.Events.Duplicates(ctx, contract.OrderAggregate, keys...)
	if err != nil || whole {
		return quotes, err
	}
	return s.Events.Find(ctx, contract.OrderAggregate, func(e contract.Event) bool {
		return data.Concerns(e.Account, data.Upload)
	})
}
