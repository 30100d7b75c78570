// Package session remembers who is signed in. A session's cookie is signed,
// ends by itself, and is worth nothing once the operator signed out, was
// removed, got another password, or uses another browser.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"boardorder/services/console/internal/operator"
)

const (
	// Life is how long a session lasts at most.
	Life = contract.ConsoleSessionLife
	// Idle ends a session that nobody uses.
	Idle = 2 * time.Hour
	// touchEvery is how often the last use is noted.
	touchEvery = time.Minute

	purpose = "console-session"
)

// ErrNone says that nobody is signed in.
var ErrNone = errors.New("not signed in")

// Session is one operator's use of the console from one browser.
type Session struct {
	ID       string
	Operator operator.Operator
	Expires  time.Time
	Token    string // against forged forms: in every form of this session
	Strong   bool   // the second factor was given, where one is asked for
}

// record is what the bucket keeps.
type record struct {
	Operator string    `json:"operator"`
	Started  time.Time `json:"started"`
	Seen     time.Time `json:"seen"`
	Bound    string    `json:"bound"` // to browser and password, hashed
	Strong   bool      `json:"strong,omitempty"`
	Agent    string    `json:"agent,omitempty"`
	Address  string    `json:"address,omitempty"`
}

// Outcomes begins, finds and ends sessions. All consoles share them.
type Outcomes struct {
	bucket *bus.Bucket
	keys   *secret.Keyring
	book   *operator.Book
	now    func() time.Time
}

// NewSessions opens the bucket of sessions.
func NewSessions(ctx context.Context, b *bus.Bus, keys *secret.Keyring, book *operator.Book, now func() time.Time) (*Outcomes, error) {
	bucket, err := b.Bucket(ctx, contract.ConsoleSessionsBucket)
	return &Outcomes{bucket, keys, book, now}, err
}

// Ref names the session in lists.
func (s Session) Ref() string { return refOf(s.ID) }

// Start begins a session and gives the value of its cookie. agent is what the
// browser says of itself, address where it comes from; strong, that no second
// factor is asked for any more.
func (d *Outcomes) Start(ctx context.Context, o operator.Operator, agent, address string, strong bool) (cookie string, expires time.Time, err error) {
	id, now := newID(), d.now().UTC()
	value, err := json.Marshal(record{Operator: o.Name, Started: now, Seen: now, Bound: bound(agent, o.Hash),
		Strong: strong, Agent: agent[:min(len(agent), 200)], Address: address})
	if err != nil {
		return "", now, err
	}
	if _, err := d.bucket.Create(ctx, id, value); err != nil {
		return "", now, fmt.Errorf("session: %w", err)
	}
	if err := d.enter(ctx, o.Name, id); err != nil {
		return "", now, err
	}
	expires = now.Add(Life)
	return d.keys.Link(purpose, id, expires), expires, nil
}

// Find gives the session of a cookie, or ErrNone.
func (d *Outcomes) Find(ctx context.Context, cookie, agent string) (Session, error) {
	id, expires, err := d.keys.OpenLink(purpose, cookie, d.now())
	if err != nil {
		return Session{}, ErrNone
	}
	value, rev, err := d.bucket.Get(ctx, id)
	if errors.Is(err, bus.ErrNoKey) {
		return Session{}, ErrNone
	}
	if err != nil {
		return Session{}, fmt.Errorf("session: %w", err)
	}
	var r record
	if err := json.Unmarshal(value, &r); err != nil {
		return Session{}, fmt.Errorf("session: %w", err)
	}
	o, known := d.book.Find(r.Operator)
	if !known || r.Bound != bound(agent, o.Hash) || d.now().Sub(r.Seen) >= Idle {
		return Session{}, ErrNone
	}
	d.touch(ctx, id, r, rev)
	return Session{ID: id, Operator: o, Expires: expires, Token: d.keys.CodeHash("console-form", id), Strong: r.Strong}, nil
}

// touch notes the use; another console that did so at the same moment is as good.
func (d *Outcomes) touch(ctx context.Context, id string, r record, rev uint64) {
	if d.now().Sub(r.Seen) < touchEvery {
		return
	}
	r.Seen = d.now().UTC()
	if value, err := json.Marshal(r); err == nil {
		_, _ = d.bucket.Update(ctx, id, value, rev)
	}
}

// End signs out.
func (d *Outcomes) End(ctx context.Context, id string) error {
	if err := d.bucket.Delete(ctx, id); err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

// VisitToken is what the sign-in form of a visitor who is not signed in holds,
// against forged forms.
func (d *Outcomes) VisitToken(visit string) string { return d.keys.CodeHash("console-visit", visit) }

// OfVisit reports whether a form's token is the visitor's.
func (d *Outcomes) OfVisit(visit, token string) bool {
	return d.keys.IsCodeHash(token, "console-visit", visit)
}

// OfSession reports whether a form's token is the session's.
func (d *Outcomes) OfSession(s Session, token string) bool {
	return d.keys.IsCodeHash(token, "console-form", s.ID)
}

// NewVisit names a visitor who is not signed in.
func NewVisit() string { return newID() }

func newID() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func bound(agent, hash string) string {
	sum := sha256.Sum256([]byte(agent + "\x00" + hash))
	return hex.EncodeToString(sum[:])
}
