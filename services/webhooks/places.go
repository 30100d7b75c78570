package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	contractwebhooks "boardorder/pkg/contract/webhooks"
)

const (
	// races bounds how often a place is asked for while others take theirs.
	races = 2 * contractwebhooks.MaxEndpoints
	// abandoned is for how long a place is kept whose endpoint was not made.
	abandoned = 10 * time.Minute
)

// takePlace counts an endpoint among those of its account, before it is made; again it changes
// nothing. Each endpoint is an aggregate of its own, so creations that run at once meet here.
func (s *Service) takePlace(ctx context.Context, account, id string) error {
	key := feed.OwnerToken(account)
	for range races {
		places, rev, err := s.readPlaces(ctx, key)
		if err != nil {
			return err
		}
		if _, taken := places[id]; taken {
			return nil
		}
		if len(places) >= contractwebhooks.MaxEndpoints {
			if err := s.freePlaces(ctx, places); err != nil {
				return err
			}
		}
		if len(places) >= contractwebhooks.MaxEndpoints {
			return contract.Refuse(contract.Conflict, "An account has at most %d webhook endpoints in each mode. Delete one first.", contractwebhooks.MaxEndpoints)
		}
		places[id] = s.now().UTC()
		value, err := json.Marshal(places)
		if err != nil {
			return err
		}
		if rev == 0 {
			_, err = s.progress.Create(ctx, key, value)
		} else {
			_, err = s.progress.Update(ctx, key, value, rev)
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return fmt.Errorf("take a place for %s: %w %d times", id, bus.ErrWrongRevision, races)
}

func (s *Service) readPlaces(ctx context.Context, key string) (contractwebhooks.Places, uint64, error) {
	places := contractwebhooks.Places{}
	value, rev, err := s.progress.Get(ctx, key)
	if errors.Is(err, bus.ErrNoKey) {
		return places, 0, nil
	}
	if err == nil {
		err = json.Unmarshal(value, &places)
	}
	return places, rev, err
}

// freePlaces drops the places of endpoints that were deleted, or refused.
func (s *Service) freePlaces(ctx context.Context, places contractwebhooks.Places) error {
	for id, at := range maps.Clone(places) {
		now, err := s.refTo(id).Load(ctx)
		if err != nil {
			return err
		}
		if now.Exists() && now.State.Status == contractwebhooks.Deleted || !now.Exists() && s.now().Sub(at) > abandoned {
			delete(places, id)
		}
	}
	return nil
}
