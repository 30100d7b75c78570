package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

// Listed is a session as a list shows it. Ref names it there: the id itself stays
// where cookies are made.
type Listed struct {
	Ref     string
	Started time.Time
	Seen    time.Time
	Agent   string
	Address string
	Strong  bool
	Proof   Proof // "" where it is not recorded
}

// open is what the bucket keeps of an operator's sessions, to find them by.
type open struct {
	IDs []string `json:"ids"`
}

// maxOpen bounds how many sessions an operator has: the oldest ends.
const maxOpen = 20

func listKey(operator string) string { return "of-" + contract.DeriveID("sessions", operator) }

func refOf(id string) string { return contract.DeriveID("session", id) }

// enter adds a session to its operator's list.
func (d *Outcomes) enter(ctx context.Context, operator, id string) error {
	var dropped []string
	err := d.changeList(ctx, operator, func(ids []string) []string {
		ids = append(ids, id)
		n := max(len(ids)-maxOpen, 0)
		dropped = ids[:n]
		return ids[n:]
	})
	for _, old := range dropped {
		err = errors.Join(err, d.bucket.Delete(ctx, old))
	}
	return err
}

func (d *Outcomes) changeList(ctx context.Context, operator string, change func([]string) []string) error {
	key := listKey(operator)
	for range 10 {
		var o open
		value, rev, err := d.bucket.Get(ctx, key)
		if err == nil {
			err = json.Unmarshal(value, &o)
		}
		if err != nil && !errors.Is(err, bus.ErrNoKey) {
			return fmt.Errorf("sessions: %w", err)
		}
		o.IDs = change(slices.Clone(o.IDs))
		if value, err = json.Marshal(o); err != nil {
			return err
		}
		if rev == 0 {
			_, err = d.bucket.Create(ctx, key, value)
		} else {
			_, err = d.bucket.Update(ctx, key, value, rev)
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return errors.New("sessions: the list changes all the time")
}

// List gives an operator's sessions that are still good, newest first.
func (d *Outcomes) List(ctx context.Context, operator string) ([]Listed, error) {
	var out []Listed
	err := d.walkSessions(ctx, operator, func(id string, r record) {
		if d.now().Sub(r.LastUsed) < Idle {
			out = append(out, Listed{refOf(id), r.Started, r.LastUsed, r.Agent, r.Address, r.Strong, r.Proof})
		}
	})
	slices.Reverse(out)
	return out, err
}

// EndListed ends the session of an operator that a list names, and reports
// whether there was one.
func (d *Outcomes) EndListed(ctx context.Context, operator, ref string) (bool, error) {
	found := ""
	err := d.walkSessions(ctx, operator, func(id string, _ record) {
		if refOf(id) == ref {
			found = id
		}
	})
	if err != nil || found == "" {
		return false, err
	}
	if err := d.End(ctx, found); err != nil {
		return false, err
	}
	return true, d.changeList(ctx, operator, func(ids []string) []string {
		return slices.DeleteFunc(ids, func(id string) bool { return id == found })
	})
}

func (d *Outcomes) walkSessions(ctx context.Context, operator string, do func(id string, r record)) error {
	value, _, err := d.bucket.Get(ctx, listKey(operator))
	if errors.Is(err, bus.ErrNoKey) {
		return nil
	}
	var o open
	if err == nil {
		err = json.Unmarshal(value, &o)
	}
	if err != nil {
		return fmt.Errorf("sessions: %w", err)
	}
	for _, id := range o.IDs {
		value, _, err := d.bucket.Get(ctx, id)
		if errors.Is(err, bus.ErrNoKey) {
			continue
		}
		var r record
		if err == nil {
			err = json.Unmarshal(value, &r)
		}
		if err != nil {
			return fmt.Errorf("sessions: %w", err)
		}
		if r.Operator == operator {
			do(id, r)
		}
	}
	return nil
}
