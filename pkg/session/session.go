// Package session remembers who is signed in. A session's cookie is signed,
// ends by itself, and is worth nothing once its owner signed out or is not who
// they were: whoever finds a session says what it is bound to. The cookie is
// replaced while it is used: whoever goes on with one that was replaced holds a
// copy, or was copied from, and ends the session.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/secret"
)

const (
	// touchEvery is how often the last use is noted.
	touchEvery = time.Minute
	// renewEvery is how often the cookie is replaced.
	renewEvery = 5 * time.Minute
	// overlap is how long a cookie that was replaced is taken: requests that were
	// on their way, and other tabs.
	overlap = time.Minute
	// maxAgent bounds what is kept of a browser's name, in bytes.
	maxAgent = 200
)

// Errors of sessions.
var (
	// ErrNone says that nobody is signed in.
	ErrNone = errors.New("not signed in")
	// ErrCopied says besides that a session was ended, since a cookie that had
	// been replaced was used.
	ErrCopied = fmt.Errorf("%w: the cookie had been replaced", ErrNone)
)

// Config says what sessions are of. Processes that share the bucket have the same.
type Config struct {
	Bucket *bus.Bucket
	Keys   *secret.Keyring
	Now    func() time.Time
	// Cookie and Form are the purposes that cookies and form tokens are made for, so
	// that neither is good elsewhere.
	Cookie, Form string
	TTL          time.Duration // how long a session lasts at most
	Idle         time.Duration // ends one that nobody uses
}

// A Binding gives what the sessions under a name are bound to now, beside the cookie; known
// is false once there is nobody of the name. Its errors end the call.
type Binding func(ctx context.Context, name string) (bound string, known bool, err error)

// Session is one person's use of the pages from one browser.
type Session struct {
	ID       string
	Name     string // under which it was started
	Expires  time.Time
	Token    string    // against forged forms: in every form of this session
	Strong   bool      // all that is asked for was given
	ProvedAt time.Time // when the person last proved who they are
	Cookie   string    // takes the place of the one that came; empty: that one stays
}

// A Start is how a session begins.
type Start struct {
	Name    string
	Bound   string
	Agent   string // what the browser says of itself
	Address string // where it comes from
	Proof   string // what was signed in with, for lists
	// ProvedAt is when the person proved who they are; zero is now.
	ProvedAt time.Time
	Strong   bool
}

// record is what the bucket keeps.
type record struct {
	Name     string    `json:"operator"`
	Started  time.Time `json:"started"`
	LastUsed time.Time `json:"last_used"`
	Bound    string    `json:"bound"`           // hashed
	Turn     int       `json:"turn,omitempty"`  // of the newest cookie that was used
	Turned   time.Time `json:"turned,omitzero"` // when it was used first
	Strong   bool      `json:"strong,omitempty"`
	Proof    string    `json:"proof,omitempty"` // "" of a session of an earlier release
	ProvedAt time.Time `json:"proved_at,omitzero"`
	Agent    string    `json:"agent,omitempty"`
	Address  string    `json:"address,omitempty"`
}

// Sessions begins, finds and ends sessions.
type Sessions struct{ Config }

// Ref names the session in lists.
func (s Session) Ref() string { return refOf(s.ID) }

// Start begins a session and gives the value of its cookie.
func (d *Sessions) Start(ctx context.Context, s Start) (cookie string, expires time.Time, err error) {
	id, now := NewID(), d.Now().UTC()
	if s.ProvedAt.IsZero() {
		s.ProvedAt = now
	}
	value, err := json.Marshal(record{
		Name: s.Name, Started: now, LastUsed: now, Turned: now, Bound: digest(s.Bound), Strong: s.Strong, Proof: s.Proof, ProvedAt: s.ProvedAt,
		Agent: s.Agent[:min(len(s.Agent), maxAgent)], Address: s.Address,
	})
	if err != nil {
		return "", now, err
	}
	if _, err := d.Bucket.Create(ctx, id, value); err != nil {
		return "", now, fmt.Errorf("session: %w", err)
	}
	if err := d.enter(ctx, s.Name, id); err != nil {
		return "", now, err
	}
	expires = now.Add(d.TTL)
	return d.cookie(id, 0, expires), expires, nil
}

func (d *Sessions) cookie(id string, turn int, expires time.Time) string {
	return d.Keys.Link(d.Cookie, id+"-"+strconv.Itoa(turn), expires)
}

// Find gives the session of a cookie, or ErrNone. With ErrCopied comes whose it was.
func (d *Sessions) Find(ctx context.Context, cookie string, bind Binding) (Session, error) {
	subject, expires, err := d.Keys.OpenLink(d.Cookie, cookie, d.Now())
	if err != nil {
		return Session{}, ErrNone
	}
	id, number, _ := strings.Cut(subject, "-")
	turn, err := strconv.Atoi(number)
	if err != nil {
		return Session{}, ErrNone
	}
	r, rev, err := d.open(ctx, id, bind)
	if err != nil {
		return Session{}, err
	}
	now, used := d.Now().UTC(), d.Now().Sub(r.LastUsed) >= touchEvery
	switch turn {
	case r.Turn:
	case r.Turn + 1: // the replacement has arrived
		r.Turn, r.Turned, used = turn, now, true
	default:
		if turn == r.Turn-1 && now.Sub(r.Turned) < overlap {
			break
		}
		if err := d.End(ctx, id); err != nil {
			return Session{}, err
		}
		return Session{Name: r.Name}, ErrCopied
	}
	if used {
		r.LastUsed = now
		d.note(ctx, id, r, rev)
	}
	found := d.session(id, r)
	found.Expires = expires
	if turn == r.Turn && now.Sub(r.Turned) >= renewEvery {
		found.Cookie = d.cookie(id, turn+1, expires)
	}
	return found, nil
}

// Look gives a session that was found before as it is now, or ErrNone.
func (d *Sessions) Look(ctx context.Context, s Session, bind Binding) (Session, error) {
	r, _, err := d.open(ctx, s.ID, bind)
	if err != nil {
		return Session{}, err
	}
	found := d.session(s.ID, r)
	found.Expires = s.Expires
	return found, nil
}

func (d *Sessions) session(id string, r record) Session {
	return Session{ID: id, Name: r.Name, Token: d.Keys.CodeHash(d.Form, id), Strong: r.Strong, ProvedAt: r.ProvedAt}
}

// open reads a session; ErrNone if it is not good for what it is bound to now.
func (d *Sessions) open(ctx context.Context, id string, bind Binding) (r record, rev uint64, err error) {
	value, rev, err := d.Bucket.Get(ctx, id)
	if errors.Is(err, bus.ErrNoKey) {
		return r, 0, ErrNone
	}
	if err == nil {
		err = json.Unmarshal(value, &r)
	}
	if err != nil {
		return r, 0, fmt.Errorf("session: %w", err)
	}
	bound, known, err := bind(ctx, r.Name)
	if err != nil {
		return r, 0, err
	}
	if !known || r.Bound != digest(bound) || d.Now().Sub(r.LastUsed) >= d.Idle {
		return r, 0, ErrNone
	}
	return r, rev, nil
}

// note keeps what a use changed; another process that did so at the same moment
// is as good.
func (d *Sessions) note(ctx context.Context, id string, r record, rev uint64) {
	if value, err := json.Marshal(r); err == nil {
		_, _ = d.Bucket.Update(ctx, id, value, rev)
	}
}

// Prove writes down that the person of a session has proved again who they are.
func (d *Sessions) Prove(ctx context.Context, s Session) error {
	for range maxRaces {
		value, rev, err := d.Bucket.Get(ctx, s.ID)
		var r record
		if err == nil {
			err = json.Unmarshal(value, &r)
		}
		if err == nil {
			r.ProvedAt = d.Now().UTC()
			value, err = json.Marshal(r)
		}
		if err == nil {
			_, err = d.Bucket.Update(ctx, s.ID, value, rev)
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, bus.ErrNoKey):
			return ErrNone
		case !errors.Is(err, bus.ErrWrongRevision):
			return fmt.Errorf("session: %w", err)
		}
	}
	return fmt.Errorf("session: changed by others %d times", maxRaces)
}

// End signs out.
func (d *Sessions) End(ctx context.Context, id string) error {
	if err := d.Bucket.Delete(ctx, id); err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

// IsToken reports whether a form's token is the session's.
func (d *Sessions) IsToken(s Session, token string) bool {
	return d.Keys.IsCodeHash(token, d.Form, s.ID)
}

// NewID is 256 random bits, hex.
func NewID() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func digest(bound string) string {
	sum := sha256.Sum256([]byte(bound))
	return hex.EncodeToString(sum[:])
}
