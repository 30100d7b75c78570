package feed

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	feedcontract "boardorder/pkg/contract/feed"

	"go.uber.org/zap"
)

// oldest is how long after it happened an event is still published. It is less than public
// ones are kept: of what is older nobody could tell whether it was published already.
const oldest = feedcontract.Retention - 6*time.Hour

// isOld reports whether an event happened too long ago to be published.
func (s *Service) isOld(e contract.Event) bool { return s.now().Sub(e.At) > oldest }

// publish publishes what follows from e, and before it what follows from earlier events of
// the same aggregate and was not published yet: another replica may have those, or has died
// with them. The guard is the object's last public event, so of two that publish at once one
// finds what the other did.
func (s *Service) publish(ctx context.Context, e contract.Event, derived []feedcontract.Entry) error {
	own := derived[len(derived)-1]
	for {
		last, err := s.events.LatestPublic(ctx, own.Owner, own.Key)
		if errors.Is(err, aggregate.ErrNone) {
			last, err = feedcontract.Entry{}, nil
		}
		if err != nil {
			return err
		}
		if last.Sequence >= own.Sequence || isSameExpiry(last, own) {
			return nil
		}
		all, err := s.findBetween(ctx, last, e, derived[0])
		if err != nil {
			return err
		}
		for _, d := range derived {
			all = append(all, due{d, true})
		}
		err = s.append(ctx, last, all)
		if !errors.Is(err, aggregate.ErrConflict) {
			return err
		}
	}
}

// isSameExpiry tells whether a quote was told of as expired already: requests about it may be
// refused later, each with a version.
func isSameExpiry(last, next feedcontract.Entry) bool {
	return last.Type == feedcontract.QuoteExpired && next.Type == last.Type && next.Timestamp.Equal(last.Timestamp)
}

// due is a public event that follows from a stored one, and whether it is to be published:
// one that is too old for that is still the one before the next.
type due struct {
	feedcontract.Entry
	publish bool
}

// findBetween lists what follows for its owner from the events of e's aggregate that lie between
// the last public event and next, which is derived from e.
func (s *Service) findBetween(ctx context.Context, last feedcontract.Entry, e contract.Event, next feedcontract.Entry) ([]due, error) {
	from := feedcontract.VersionOf(last.Sequence)
	if feedcontract.SequenceOf(from+1) >= next.Sequence {
		return nil, nil
	}
	var out []due
	for seq := uint64(0); ; {
		stored, err := s.events.EventAfter(ctx, e.Aggregate, e.AggregateID, seq)
		if errors.Is(err, aggregate.ErrNone) || err == nil && feedcontract.SequenceOf(stored.Version) >= next.Sequence {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		seq = stored.Seq
		if stored.Version <= from {
			continue
		}
		derived, err := feedcontract.Derive(stored)
		if err != nil { // its own delivery sets it aside
			s.log.Warn("an event cannot be read", zap.String("aggregate", string(e.Aggregate)), zap.Uint64("seq", seq), zap.Error(err))
			continue
		}
		for _, d := range derived {
			if d.Owner == next.Owner {
				out = append(out, due{d, !s.isOld(stored)})
			}
		}
	}
}

// append publishes what is due and lies after the object's last public event, in order.
func (s *Service) append(ctx context.Context, last feedcontract.Entry, all []due) error {
	after, previous, owner := last.Seq, last.Sequence, ""
	for _, d := range all {
		if d.Sequence <= last.Sequence {
			continue
		}
		d.Previous, previous = previous, d.Sequence
		if !d.publish {
			continue
		}
		seq, err := s.events.PublishPublic(ctx, d.Entry, after)
		if err != nil {
			return err
		}
		after, owner = seq, d.Owner
	}
	_ = s.events.WakeFeed(owner) // a hint: who waits looks by itself too
	return nil
}
