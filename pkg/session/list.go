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
	Proof   string // "" where it is not recorded
}

// open is what the bucket keeps of a person's sessions, to find them by.
type open struct {
	IDs []string `json:"ids"`
}

const (
	// maxOpen bounds how many sessions a person has: the oldest ends.
	maxOpen = 20
	// maxRaces is how many others may change the same thing meanwhile.
	maxRaces = 10
)

func listKey(name string) string { return "of-" + contract.DeriveID("sessions", name) }

func refOf(id string) string { return contract.DeriveID("session", id) }

// enter adds a session to its person's list.
func (d *Sessions) enter(ctx context.Context, name, id string) error {
	var dropped []string
	err := d.changeList(ctx, name, func(ids []string) []string {
		ids = append(ids, id)
		n := max(len(ids)-maxOpen, 0)
		dropped = ids[:n]
		return ids[n:]
	})
	for _, old := range dropped {
		err = errors.Join(err, d.Bucket.Delete(ctx, old))
	}
	return err
}

func (d *Sessions) changeList(ctx context.Context, name string, change func([]string) []string) error {
	key := listKey(name)
	for range maxRaces {
		var o open
		value, rev, err := d.Bucket.Get(ctx, key)
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
			_, err = d.Bucket.Create(ctx, key, value)
		} else {
			_, err = d.Bucket.Update(ctx, key, value, rev)
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return errors.New("sessions: the list changes all the time")
}

// List gives the sessions under a name that are still good, newest first.
func (d *Sessions) List(ctx context.Context, name string) ([]Listed, error) {
	var out []Listed
	err := d.walk(ctx, name, func(id string, r record) {
		if d.Now().Sub(r.LastUsed) < d.Idle {
			out = append(out, Listed{refOf(id), r.Started, r.LastUsed, r.Agent, r.Address, r.Strong, r.Proof})
		}
	})
	slices.Reverse(out)
	return out, err
}

// EndListed ends the session under a name that a list names, and reports
// whether there was one.
func (d *Sessions) EndListed(ctx context.Context, name, ref string) (bool, error) {
	found := ""
	err := d.walk(ctx, name, func(id string, _ record) {
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
	return true, d.changeList(ctx, name, func(ids []string) []string {
		return slices.DeleteFunc(ids, func(id string) bool { return id == found })
	})
}

// EndAll ends all sessions under a name, and gives how many there were.
func (d *Sessions) EndAll(ctx context.Context, name string) (n int, err error) {
	var ids []string
	if err := d.walk(ctx, name, func(id string, _ record) { ids = append(ids, id) }); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := d.End(ctx, id); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (d *Sessions) walk(ctx context.Context, name string, do func(id string, r record)) error {
	value, _, err := d.Bucket.Get(ctx, listKey(name))
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
		value, _, err := d.Bucket.Get(ctx, id)
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
		if r.Name == name {
			do(id, r)
		}
	}
	return nil
}
