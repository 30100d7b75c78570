package central

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/flow"
	"boardorder/services/central/internal/order"
)

// submit makes an order of what the edge staged, or finds the one that was made
// under the same request_id. All that it does besides the commit can be done twice.
func (s *Service) submit(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.SubmitData](c)
	if err != nil {
		return err
	}
	if data.Order != formal.Key(c.Account, data.RequestID) {
		return flow.Permanent(fmt.Errorf("order %s is not that of this account and request", data.Order))
	}
	before, err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, data.Order).Load(ctx)
	if err != nil {
		return err
	}
	if !before.Exists() {
		if before, err = s.make(ctx, c, data); err != nil {
			return s.refuse(ctx, data, err)
		}
	}
	if before.State.Submission == c.ID {
		return s.startOrder(ctx, c, data, before.State)
	}
	if data.ITAR {
		return s.declare(ctx, c, data)
	}
	return s.answerExisting(ctx, c, data)
}

// make takes the files over and commits the order, unless somebody was first.
func (s *Service) make(ctx context.Context, c contract.Command, data formal.SubmitData) (snapshot, error) {
	if r := order.Refusal(data); r != nil {
		return snapshot{}, r
	}
	files, err := s.takeOver(ctx, c, data)
	if err != nil {
		return snapshot{}, err
	}
	at := s.now()
	return aggregate.At[formal.Order](s.events, contract.FormalAggregate, data.Order).Execute(ctx, c, at,
		func(now snapshot) (*change, error) {
			if now.Exists() {
				return nil, nil
			}
			return &change{Event: formal.EventSubmitted, State: order.New(c, data, files, at, s.cfg.FilesKept)}, nil
		})
}

// takeoverPrefix is where the files lie that one command took over.
func takeoverPrefix(key, command string) string {
	return formal.Prefix + key + "/" + contract.DeriveID(command) + "/"
}

// takeOver copies staged files to where the order keeps them. Staged files are gone
// when the command was carried out before, or lay for longer than a day.
func (s *Service) takeOver(ctx context.Context, c contract.Command, data formal.SubmitData) ([]formal.File, error) {
	out := make([]formal.File, len(data.Files))
	for i, f := range data.Files {
		staged := f.Key
		f.Key = takeoverPrefix(data.Order, c.ID) + strconv.Itoa(i)
		err := s.copy(ctx, staged, f.Key, f.Size)
		if errors.Is(err, blob.ErrNotFound) {
			return nil, contract.Refuse(contract.FormalIncomplete, "The files of this order are no longer here. Send it again with the same request_id.")
		}
		if err != nil {
			return nil, err
		}
		out[i] = f
	}
	return out, nil
}

func (s *Service) copy(ctx context.Context, from, to string, size int64) error {
	r, _, err := s.files.Get(ctx, from)
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	_, err = s.files.Put(ctx, to, r, size, blob.DefaultContentType)
	if err = errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// startOrder does what follows from a new order: its timer, its design check.
func (s *Service) startOrder(ctx context.Context, c contract.Command, data formal.SubmitData, o formal.Order) error {
	if err := s.scheduleDrop(ctx, c, o); err != nil {
		return err
	}
	if err := s.goOnByItself(ctx, c, o); err != nil {
		return err
	}
	if order.Checkable(o) {
		if err := s.follow(ctx, c, formal.CheckDesign, o.Key, formal.Data{Order: o.Key}); err != nil {
			return err
		}
	}
	return s.files.Delete(ctx, fileKeys(data)...)
}

// answerExisting answers with the order that there is. What this command brought goes.
func (s *Service) answerExisting(ctx context.Context, c contract.Command, data formal.SubmitData) error {
	if err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, data.Order).Complete(ctx, c, s.now()); err != nil {
		return err
	}
	keys := fileKeys(data)
	for i := range data.Files {
		keys = append(keys, takeoverPrefix(data.Order, c.ID)+strconv.Itoa(i))
	}
	return s.files.Delete(ctx, keys...)
}

// refuse drops what was staged for an order that is refused; the sweep finds what a
// crash in between leaves.
func (s *Service) refuse(ctx context.Context, data formal.SubmitData, err error) error {
	if contract.RefusalIn(err) == nil {
		return err
	}
	return errors.Join(err, s.files.Delete(ctx, fileKeys(data)...))
}

func fileKeys(data formal.SubmitData) []string {
	keys := make([]string, len(data.Files))
	for i, f := range data.Files {
		keys[i] = f.Key
	}
	return keys
}
