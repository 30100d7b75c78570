package status

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

// A Stage is how far an incident is.
type Stage string

// The stages, in their order.
const (
	Investigating Stage = "investigating"
	Identified    Stage = "identified"
	Monitoring    Stage = "monitoring"
	Resolved      Stage = "resolved"
)

// Stages lists them.
func Stages() []Stage { return []Stage{Investigating, Identified, Monitoring, Resolved} }

// An Incident is what operators tell customers about one.
type Incident struct {
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	Language string     `json:"language"` // that it is written in
	Kinds    []Kind     `json:"kinds"`    // what it is about
	BeganAt  time.Time  `json:"began_at"`
	EndedAt  *time.Time `json:"ended_at,omitempty"`
	Updates  []Update   `json:"updates"` // oldest first
}

// An Update is one thing that was said of an incident.
type Update struct {
	At       time.Time `json:"at"`
	Stage    Stage     `json:"stage"`
	Text     string    `json:"text"`
	Operator string    `json:"operator"` // never shown to customers
	Request  string    `json:"request"`  // of the form, so that one sent twice counts once
}

// Stage is how far the incident is.
func (i Incident) Stage() Stage {
	if len(i.Updates) == 0 {
		return Investigating
	}
	return i.Updates[len(i.Updates)-1].Stage
}

// say adds an update, unless its form was sent before.
func (i *Incident) say(u Update) bool {
	if slices.ContainsFunc(i.Updates, func(other Update) bool { return other.Request == u.Request }) {
		return false
	}
	i.Updates = append(i.Updates, u)
	i.EndedAt = nil
	if u.Stage == Resolved {
		i.EndedAt = &u.At
	}
	return true
}

// Bounds of what is written.
const (
	MaxTitle   = 120
	MaxText    = 1000
	MaxUpdates = 50
	maxShown   = 100
)

// Errors of incidents.
var (
	ErrNoIncident = errors.New("there is no such incident")
	ErrFull       = errors.New("the incident has as many updates as it may have")
)

// Incidents are all that are known.
type Incidents struct{ Bucket Bucket }

// Open writes an incident down with its first update. The same form sent twice is one.
func (s Incidents) Open(ctx context.Context, i Incident, first Update) (id string, err error) {
	i.ID, i.BeganAt = "inc_"+contract.DeriveID("incident", first.Request), first.At
	i.say(first)
	value, err := json.Marshal(i)
	if err != nil {
		return "", fmt.Errorf("encode incident: %w", err)
	}
	if _, err = s.Bucket.Create(ctx, i.ID, value); errors.Is(err, bus.ErrWrongRevision) {
		err = nil
	}
	return i.ID, err
}

// Say adds an update to an incident.
func (s Incidents) Say(ctx context.Context, id string, u Update) error {
	for range races {
		i, rev, err := s.read(ctx, id)
		switch {
		case err != nil:
			return err
		case len(i.Updates) >= MaxUpdates:
			return ErrFull
		case !i.say(u):
			return nil
		}
		value, err := json.Marshal(i)
		if err != nil {
			return fmt.Errorf("encode incident: %w", err)
		}
		if _, err = s.Bucket.Update(ctx, id, value, rev); err == nil || !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return fmt.Errorf("incident %s: others wrote it %d times", id, races)
}

// TakeBack removes an incident that was none, or says what it must not.
func (s Incidents) TakeBack(ctx context.Context, id string) error {
	if _, _, err := s.read(ctx, id); err != nil {
		return err
	}
	return s.Bucket.Delete(ctx, id)
}

// Read gives an incident, or ErrNoIncident.
func (s Incidents) Read(ctx context.Context, id string) (Incident, error) {
	i, _, err := s.read(ctx, id)
	return i, err
}

func (s Incidents) read(ctx context.Context, id string) (i Incident, rev uint64, err error) {
	if !contract.ValidToken(id) {
		return i, 0, ErrNoIncident
	}
	value, rev, err := s.Bucket.Get(ctx, id)
	if errors.Is(err, bus.ErrNoKey) {
		return i, 0, ErrNoIncident
	}
	if err == nil {
		err = json.Unmarshal(value, &i)
	}
	if err != nil {
		return i, 0, fmt.Errorf("incident %s: %w", id, err)
	}
	return i, rev, nil
}

// List gives those that go on, and those that ended within the days that are shown: the open
// ones first, then the newest.
func (s Incidents) List(ctx context.Context, now time.Time) ([]Incident, error) {
	keys, err := s.Bucket.Keys(ctx)
	if err != nil {
		return nil, err
	}
	var out []Incident
	for _, id := range keys {
		i, _, err := s.read(ctx, id)
		if errors.Is(err, ErrNoIncident) {
			continue // taken back
		}
		if err != nil {
			return nil, err
		}
		if i.EndedAt == nil || now.Sub(*i.EndedAt) < HistoryDays*contract.Day {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b Incident) int {
		if (a.EndedAt == nil) != (b.EndedAt == nil) {
			if a.EndedAt == nil {
				return -1
			}
			return 1
		}
		return cmp.Or(b.BeganAt.Compare(a.BeganAt), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), maxShown)], nil
}
