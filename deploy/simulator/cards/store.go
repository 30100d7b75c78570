package cards

import (
	"crypto/rand"
	"fmt"
	"time"
)

// An entry is one atomic step in the ledger: everything that it changed.
type entry struct {
	At        time.Time  `json:"at"`
	What      string     `json:"what"`
	Sessions  []Session  `json:"sessions,omitempty"`
	Intents   []Intent   `json:"intents,omitempty"`
	Charges   []Charge   `json:"charges,omitempty"`
	Refunds   []Refund   `json:"refunds,omitempty"`
	Disputes  []Dispute  `json:"disputes,omitempty"`
	Customers []Customer `json:"customers,omitempty"`
	Methods   []Method   `json:"methods,omitempty"`
	Events    []Event    `json:"events,omitempty"`
	Reply     *reply     `json:"reply,omitempty"`
}

// A reply is what the step answered, kept for its idempotency key.
type reply struct {
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"`
	Status      int    `json:"status"`
	Body        string `json:"body"`
	Base        string `json:"base"` // where the processor was when it answered
}

// A table holds the objects of one kind in the order in which they were made.
type table[T any] struct {
	byID map[string]T
	ids  []string
}

func (t *table[T]) put(id string, v T) {
	if t.byID == nil {
		t.byID = map[string]T{}
	}
	if _, known := t.byID[id]; !known {
		t.ids = append(t.ids, id)
	}
	t.byID[id] = v
}

// objects returns the objects, oldest first.
func (t *table[T]) objects() []T {
	out := make([]T, 0, len(t.ids))
	for _, id := range t.ids {
		out = append(out, t.byID[id])
	}
	return out
}

// state is what the ledger says when read from its first entry to its last.
type state struct {
	sessions  table[Session]
	intents   table[Intent]
	charges   table[Charge]
	refunds   table[Refund]
	disputes  table[Dispute]
	customers table[Customer]
	methods   table[Method]
	events    table[Event]
	replies   map[string]reply
}

func (s *state) apply(e entry) {
	for _, v := range e.Sessions {
		s.sessions.put(v.ID, v)
	}
	for _, v := range e.Intents {
		s.intents.put(v.ID, v)
	}
	for _, v := range e.Charges {
		s.charges.put(v.ID, v)
	}
	for _, v := range e.Refunds {
		s.refunds.put(v.ID, v)
	}
	for _, v := range e.Disputes {
		s.disputes.put(v.ID, v)
	}
	for _, v := range e.Customers {
		s.customers.put(v.ID, v)
	}
	for _, v := range e.Methods {
		s.methods.put(v.ID, v)
	}
	for _, v := range e.Events {
		s.events.put(v.ID, v)
	}
	if e.Reply != nil {
		s.replies[e.Reply.Key] = *e.Reply
	}
}

// A tx gathers one step's changes; nothing of it is visible before commit.
type tx struct {
	s   *Server
	now time.Time
	entry
}

func (s *Server) begin(what string) *tx {
	now := s.now()
	return &tx{s: s, now: now, entry: entry{At: now.UTC(), What: what}}
}

// commit makes the step true: on disk first, in memory second. The caller
// holds the server's lock.
func (t *tx) commit() error {
	if err := t.s.ledger.Append(t.entry); err != nil {
		return fmt.Errorf("commit %s: %w", t.What, err)
	}
	t.s.state.apply(t.entry)
	t.s.outbox.add(t.Events, t.now)
	for _, v := range t.Sessions {
		t.s.noteExpiry(v)
	}
	return nil
}

// event records that something happened to an object, as it now looks.
func (t *tx) event(kind string, object map[string]any) {
	t.Events = append(t.Events, Event{ID: newID("evt_"), Type: kind, Created: t.now.Unix(), Object: object})
}

// newID makes an id of 130 random bits.
func newID(prefix string) string { return prefix + rand.Text() }
