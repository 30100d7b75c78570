package webhooks

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/pkg/flow"
)

// rotate adds a secret. Deliveries are signed with the old ones too, until their time is over.
func (s *Service) rotate(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.RotateData](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), changeOwn(c, func(next endpoint, _ uint64) (*change, error) {
		now := s.now()
		secrets := []contractwebhooks.Secret{{Generation: next.Secrets[0].Generation + 1, Master: data.Master, CreatedAt: now}}
		for _, old := range next.Secrets {
			if end := now.Add(data.Overlap); old.EndsAt.IsZero() || end.Before(old.EndsAt) {
				old.EndsAt = end
			}
			if old.IsValid(now) && len(secrets) < contractwebhooks.MaxSecrets {
				secrets = append(secrets, old)
			}
		}
		next.Secrets, next.ChangedAt = secrets, now
		return &change{Event: contractwebhooks.EventRotated, State: next}, nil
	}))
	return err
}

// test has a public event follow that is for this endpoint alone.
func (s *Service) test(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.Data](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), changeOwn(c, func(next endpoint, version uint64) (*change, error) {
		next.TestedAt = version
		return &change{Event: contractwebhooks.EventTested, State: next}, nil
	}))
	return err
}

// resend has whoever delivers send again.
func (s *Service) resend(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.ResendData](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), changeOwn(c, func(next endpoint, version uint64) (*change, error) {
		next.AddResend(contractwebhooks.Repetition{Version: version, Key: data.Key, Seq: data.Seq, Since: data.Since})
		return &change{Event: contractwebhooks.EventResent, State: next}, nil
	}))
	return err
}

// disable gives an endpoint up, unless its account did something about it since.
func (s *Service) disable(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contractwebhooks.DisableData](c)
	if err != nil {
		return err
	}
	_, err = s.refTo(data.Endpoint).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
		next := now.State
		switch {
		case data.Operator != "":
			if !now.Exists() || next.Account != c.Account || next.Status == contractwebhooks.Disabled {
				return nil, contract.Refuse(contract.Conflict, "This endpoint is disabled already, or there is none.")
			}
		case !now.Exists() || !next.IsActive() || data.FailingSince.Before(next.EnabledAt):
			return nil, nil
		}
		next.Status, next.ChangedAt = contractwebhooks.Disabled, s.now()
		next.Disabled = &contractwebhooks.Disabling{At: s.now(), Reason: data.Reason, FailingSince: data.FailingSince}
		return &change{Event: contractwebhooks.EventStopped, State: next}, nil
	})
	return err
}

// giveUp asks for the endpoint to be disabled, where that is due after a failure, and reports whether it is.
func (r *runner) giveUp(ctx context.Context, gone bool) (due bool, err error) {
	since := *r.window.FailingSince
	if since.Before(r.endpoint.EnabledAt) {
		since = r.endpoint.EnabledAt
	}
	data := contractwebhooks.DisableData{Endpoint: r.id, Reason: contractwebhooks.Failing, FailingSince: since}
	switch {
	case gone:
		data.Reason = contractwebhooks.Gone
	case r.now().Sub(since) < contractwebhooks.MaxFailing:
		return false, nil
	}
	id := contract.DeriveID("disable", r.id, since.UTC().String())
	c, err := contract.NewRootCommand(contractwebhooks.Disable, id, r.endpoint.Account, r.now(), data)
	if err != nil {
		return true, err
	}
	if err := r.events.Send(ctx, c); err != nil {
		return true, err
	}
	if id != r.gaveUp {
		r.gaveUp = id
		r.measures.ended.WithLabelValues(string(data.Reason)).Inc()
	}
	return true, nil
}

// sendAgain begins with what was asked to be sent again since the last look.
func (r *runner) sendAgain(ctx context.Context) error {
	for _, a := range r.endpoint.Resends {
		switch {
		case a.Version <= r.window.Version:
			continue
		case a.Seq > 0:
			r.window.Repeat(a.Key, a.Seq)
		case r.window.Flying() > 0: // they end first, lest what follows them is passed over
			return nil
		default:
			seq, err := r.source.PublicSeqAt(ctx, a.Since)
			if err != nil {
				return err
			}
			r.window.Rewind(seq)
			r.caughtUp = false
		}
		r.window.Version, r.dirty = a.Version, true
	}
	return nil
}

// isHeld reports whether nothing is begun until what is under way has ended.
func (r *runner) isHeld() bool {
	return slices.ContainsFunc(r.endpoint.Resends, func(a contractwebhooks.Repetition) bool { return a.Version > r.window.Version })
}
