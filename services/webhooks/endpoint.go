package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/pkg/flow"
)

type (
	endpoint = contractwebhooks.Endpoint
	snapshot = aggregate.Snapshot[endpoint]
	change   = aggregate.Change[endpoint]
)

func (s *Service) refTo(id string) aggregate.Ref[endpoint] {
	return aggregate.At[endpoint](s.events, contract.WebhookEndpointAggregate, id)
}

// create makes an endpoint, where its account may have another. Where it begins in the feed is written
// down first: what happens from the commit on is sent to it.
func (s *Service) create(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.CreateData](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
		if now.Exists() {
			return nil, contract.Refuse(contract.Conflict, "This endpoint already exists.")
		}
		if err := s.takePlace(ctx, c.Account, data.Endpoint); err != nil {
			return nil, err
		}
		if err := s.begin(ctx, data.Endpoint); err != nil {
			return nil, err
		}
		at := s.now()
		return &change{Event: contractwebhooks.EventCreated, State: endpoint{
			ID: data.Endpoint, Account: c.Account, Key: data.Key, Scopes: data.Scopes, URL: data.URL, Types: data.Types, Description: data.Description,
			RatePerSecond: data.RatePerSecond, Signature: data.Signature, Status: contractwebhooks.Enabled, Secrets: []contractwebhooks.Secret{{Generation: 1, Master: data.Master, CreatedAt: at}},
			CreatedAt: at, ChangedAt: at, EnabledAt: at,
		}}, nil
	})
	return err
}

// begin writes down where an endpoint begins, unless that was done.
func (s *Service) begin(ctx context.Context, id string) error {
	state, err := s.events.FeedState(ctx)
	if err != nil {
		return err
	}
	value, err := json.Marshal(contractwebhooks.Progress{Made: state.Made.Unix(), Seq: state.Last, At: s.now().UTC()})
	if err != nil {
		return err
	}
	if _, err = s.progress.Create(ctx, id, value); err != nil && !errors.Is(err, bus.ErrWrongRevision) {
		return fmt.Errorf("begin endpoint: %w", err)
	}
	return nil
}

// changeOwn is a decision about an endpoint of the command's account that is not deleted.
func changeOwn(c contract.Command, decide func(now endpoint, version uint64) (*change, error)) aggregate.Decision[endpoint] {
	return func(now snapshot) (*change, error) {
		if !now.Exists() || now.State.Account != c.Account {
			return nil, contract.Refuse(contract.NotFound, "There is no such webhook endpoint.")
		}
		return decide(now.State, now.Version+1)
	}
}

func (s *Service) change(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.ChangeData](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), changeOwn(c, func(next endpoint, _ uint64) (*change, error) {
		if data.URL != nil {
			next.URL = *data.URL
		}
		if data.Types != nil {
			next.Types = data.Types
		}
		if data.Description != nil {
			next.Description = *data.Description
		}
		if data.RatePerSecond != nil {
			next.RatePerSecond = *data.RatePerSecond
		}
		if stopped := next.Disabled != nil && next.Disabled.Reason == contractwebhooks.Stopped; stopped && data.Status != nil && data.Operator == "" {
			return nil, contract.Refuse(contract.Forbidden, "Our team has stopped this endpoint. Write to us.")
		}
		if data.Status != nil {
			if next.Status = *data.Status; next.IsActive() {
				next.EnabledAt, next.Disabled = s.now(), nil
			}
		}
		next.ChangedAt = s.now()
		return &change{Event: contractwebhooks.EventChanged, State: next}, nil
	}))
	return err
}

// delete ends an endpoint. Its state names no account any more, so no list has it, and nothing of what
// it was.
func (s *Service) delete(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.Data](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), changeOwn(c, func(was endpoint, _ uint64) (*change, error) {
		return &change{Event: contractwebhooks.EventDeleted, Forget: true, State: endpoint{
			ID: was.ID, Status: contractwebhooks.Deleted, Scopes: []string{}, Types: []string{}, Secrets: []contractwebhooks.Secret{}, CreatedAt: was.CreatedAt, ChangedAt: s.now(),
		}}, nil
	}))
	return err
}
