package simbus

import (
	"context"
	"errors"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
)

// EventAfter gives the first event of an aggregate after a sequence, or aggregate.ErrNone.
func (s *Sim) EventAfter(_ context.Context, a contract.Aggregate, id string, after uint64) (contract.Event, error) {
	if err := s.permit("$JS.API.STREAM.MSG.GET." + contract.EventStream(a)); err != nil {
		return contract.Event{}, err
	}
	s.pause()
	if s.fault(s.faults.Refused) {
		return contract.Event{}, errBroker
	}
	for _, e := range s.events[a] {
		if e.AggregateID == id && e.Seq > after {
			return e, nil
		}
	}
	return contract.Event{}, aggregate.ErrNone
}

// LatestPublic gives the last public event of an owner's object, or aggregate.ErrNone.
func (s *Sim) LatestPublic(_ context.Context, owner, key string) (feed.Entry, error) {
	if err := s.permit("$JS.API.STREAM.MSG.GET." + feed.Stream); err != nil {
		return feed.Entry{}, err
	}
	s.pause()
	if s.fault(s.faults.Refused) {
		return feed.Entry{}, errBroker
	}
	return s.latestPublic(owner, key)
}

func (s *Sim) latestPublic(owner, key string) (feed.Entry, error) {
	for i := len(s.public) - 1; i >= 0; i-- {
		if e := s.public[i]; e.Owner == owner && e.Key == key {
			return e, nil
		}
	}
	return feed.Entry{}, aggregate.ErrNone
}

// PublishPublic stores a public event whose object's last one is at sequence after, else
// aggregate.ErrConflict. A lost reply is settled as the real bus does.
func (s *Sim) PublishPublic(ctx context.Context, e feed.Entry, after uint64) (uint64, error) {
	if err := s.permit(feed.SubjectOf(e.Owner, e.Key)); err != nil {
		return 0, err
	}
	var stored uint64
	err := s.Effect(ctx, "publish "+string(e.Type), func() error {
		last, _ := s.latestPublic(e.Owner, e.Key)
		if last.ID == e.ID {
			stored = last.Seq
			return nil
		}
		if last.Seq != after {
			return aggregate.ErrConflict
		}
		e.Seq = uint64(len(s.public) + 1)
		s.public = append(s.public, e)
		stored = e.Seq
		return nil
	})
	if errors.Is(err, errBroker) && stored != 0 {
		return stored, nil
	}
	return stored, err
}

// WakeFeed does nothing: nobody waits in a simulation.
func (s *Sim) WakeFeed(string) error { return nil }

// DeadLetterEvent keeps an event that nobody can read.
func (s *Sim) DeadLetterEvent(_ context.Context, consumer string, e contract.Event, why error) error {
	s.Dead = append(s.Dead, Dead{contract.Command{ID: e.ID, Name: contract.CommandName{Service: consumer, Verb: "event"}}, why})
	return nil
}

// Public gives all public events in the order in which they were stored.
func (s *Sim) Public() []feed.Entry { return s.public }
