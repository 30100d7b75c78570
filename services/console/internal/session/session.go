// Package session remembers who is signed in. A session's cookie is signed,
// ends by itself, and is worth nothing once the operator signed out, was
// removed, got another password, or uses another browser. It is replaced while it
// is used: whoever goes on with one that was replaced holds a copy, or was copied
// from, and ends the session.
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
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"boardorder/services/console/internal/operator"
)

const (
	// TTL is how long a session lasts at most.
	TTL = contract.ConsoleSessionTTL
	// Idle ends a session that nobody uses.
	Idle = 2 * time.Hour
	// touchEvery is how often the last use is noted.
	touchEvery = time.Minute
	// renewEvery is how often the cookie is replaced.
	renewEvery = 5 * time.Minute
	// overlap is how long a cookie that was replaced is taken: requests that were
	// on their way, and other tabs.
	overlap = time.Minute

	purpose = "console-session"
)

// Errors of sessions.
var (
	// ErrNone says that nobody is signed in.
	ErrNone = errors.New("not signed in")
	// ErrCopied says besides that a session was ended, since a cookie that had
	// been replaced was used.
	ErrCopied = fmt.Errorf("%w: the cookie had been replaced", ErrNone)
)

// A Browser is what a session is bound to, beside the operator's password.
type Browser struct {
	Agent  string // what it says of itself
	Device string // the cookie that it is known by since it signed in
}

// Session is one operator's use of the console from one browser.
type Session struct {
	ID       string
	Operator operator.Operator
	Expires  time.Time
	Token    string // against forged forms: in every form of this session
	Strong   bool   // the second factor was given, where one is asked for
	Cookie   string // takes the place of the one that came; empty: that one stays
}

// record is what the bucket keeps.
type record struct {
	Operator string    `json:"operator"`
	Started  time.Time `json:"started"`
	LastUsed time.Time `json:"last_used"`
	Bound    string    `json:"bound"`           // to browser and password, hashed
	Turn     int       `json:"turn,omitempty"`  // of the newest cookie that was used
	Turned   time.Time `json:"turned,omitzero"` // when it was used first
	Strong   bool      `json:"strong,omitempty"`
	Proof    Proof     `json:"proof,omitempty"` // "" of a session of an earlier release
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

// Start begins a session and gives the value of its cookie. address is where the
// browser comes from. All proofs but FirstFactor let the operator in.
func (d *Outcomes) Start(ctx context.Context, o operator.Operator, from Browser, address string, proof Proof) (cookie string, expires time.Time, err error) {
	id, now := newID(), d.now().UTC()
	value, err := json.Marshal(record{Operator: o.Name, Started: now, LastUsed: now, Turned: now, Bound: d.binding(from, o),
		Strong: proof != FirstFactor, Proof: proof, Agent: from.Agent[:min(len(from.Agent), 200)], Address: address})
	if err != nil {
		return "", now, err
	}
	if _, err := d.bucket.Create(ctx, id, value); err != nil {
		return "", now, fmt.Errorf("session: %w", err)
	}
	if err := d.enter(ctx, o.Name, id); err != nil {
		return "", now, err
	}
	expires = now.Add(TTL)
	return d.cookie(id, 0, expires), expires, nil
}

func (d *Outcomes) cookie(id string, turn int, expires time.Time) string {
	return d.keys.Link(purpose, id+"-"+strconv.Itoa(turn), expires)
}

// Find gives the session of a cookie, or ErrNone.
func (d *Outcomes) Find(ctx context.Context, cookie string, from Browser) (Session, error) {
	subject, expires, err := d.keys.OpenLink(purpose, cookie, d.now())
	if err != nil {
		return Session{}, ErrNone
	}
	id, number, _ := strings.Cut(subject, "-")
	turn, err := strconv.Atoi(number)
	if err != nil {
		return Session{}, ErrNone
	}
	r, o, rev, err := d.open(ctx, id, from)
	if err != nil {
		return Session{}, err
	}
	now, used := d.now().UTC(), d.now().Sub(r.LastUsed) >= touchEvery
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
		return Session{Operator: o}, ErrCopied
	}
	if used {
		r.LastUsed = now
		d.note(ctx, id, r, rev)
	}
	found := d.session(id, r, o)
	found.Expires = expires
	if turn == r.Turn && now.Sub(r.Turned) >= renewEvery {
		found.Cookie = d.cookie(id, turn+1, expires)
	}
	return found, nil
}

// Look gives a session that was found before as it is now, or ErrNone.
func (d *Outcomes) Look(ctx context.Context, s Session, from Browser) (Session, error) {
	r, o, _, err := d.open(ctx, s.ID, from)
	if err != nil {
		return Session{}, err
	}
	found := d.session(s.ID, r, o)
	found.Expires = s.Expires
	return found, nil
}

func (d *Outcomes) session(id string, r record, o operator.Operator) Session {
	return Session{ID: id, Operator: o, Token: d.keys.CodeHash("console-form", id), Strong: r.Strong}
}

// open reads a session and its operator; ErrNone if it is not good for the browser.
func (d *Outcomes) open(ctx context.Context, id string, from Browser) (r record, o operator.Operator, rev uint64, err error) {
	value, rev, err := d.bucket.Get(ctx, id)
	if errors.Is(err, bus.ErrNoKey) {
		return r, o, 0, ErrNone
	}
	if err == nil {
		err = json.Unmarshal(value, &r)
	}
	if err != nil {
		return r, o, 0, fmt.Errorf("session: %w", err)
	}
	o, known := d.book.Find(r.Operator)
	if !known || r.Bound != d.binding(from, o) || d.now().Sub(r.LastUsed) >= Idle {
		return r, o, 0, ErrNone
	}
	return r, o, rev, nil
}

// note keeps what a use changed; another console that did so at the same moment
// is as good.
func (d *Outcomes) note(ctx context.Context, id string, r record, rev uint64) {
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

// MatchesVisit reports whether a form's token is the visitor's.
func (d *Outcomes) MatchesVisit(visit, token string) bool {
	return d.keys.IsCodeHash(token, "console-visit", visit)
}

// MatchesSession reports whether a form's token is the session's.
func (d *Outcomes) MatchesSession(s Session, token string) bool {
	return d.keys.IsCodeHash(token, "console-form", s.ID)
}

// NewVisit names a visitor who is not signed in.
func NewVisit() string { return newID() }

func newID() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// binding is what of a browser and a password a session keeps.
func (d *Outcomes) binding(from Browser, o operator.Operator) string {
	sum := sha256.Sum256([]byte(from.Agent + "\x00" + d.DeviceID(from.Device, o) + "\x00" + o.Hash))
	return hex.EncodeToString(sum[:])
}
