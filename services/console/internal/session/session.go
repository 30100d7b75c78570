// Package session remembers which operators are signed in: a session is worth
// nothing once the operator was removed, got another password, or uses another
// browser.
package session

import (
	"context"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"boardorder/pkg/session"
	"boardorder/services/console/internal/operator"
)

const (
	// TTL is how long a session lasts at most.
	TTL = contract.ConsoleSessionTTL
	// Idle ends a session that nobody uses.
	Idle = 2 * time.Hour
)

// Errors of sessions.
var (
	// ErrNone says that nobody is signed in.
	ErrNone = session.ErrNone
	// ErrCopied says besides that a session was ended, since a cookie that had
	// been replaced was used.
	ErrCopied = session.ErrCopied
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

// Ref names the session in lists.
func (s Session) Ref() string { return s.plain().Ref() }

func (s Session) plain() session.Session { return session.Session{ID: s.ID, Expires: s.Expires} }

// Listed is a session as a list shows it.
type Listed = session.Listed

// Outcomes begins, finds and ends sessions. All consoles share them.
type Outcomes struct {
	sessions *session.Sessions
	keys     *secret.Keyring
	book     *operator.Book
	now      func() time.Time
}

// NewSessions opens the bucket of sessions.
func NewSessions(ctx context.Context, b *bus.Bus, keys *secret.Keyring, book *operator.Book, now func() time.Time) (*Outcomes, error) {
	bucket, err := b.Bucket(ctx, contract.ConsoleSessionsBucket)
	return &Outcomes{&session.Sessions{Config: session.Config{
		Bucket: bucket, Keys: keys, Now: now, Cookie: "console-session", Form: "console-form", TTL: TTL, Idle: Idle,
	}}, keys, book, now}, err
}

// Start begins a session and gives the value of its cookie. address is where the
// browser comes from. All proofs but FirstFactor let the operator in.
func (d *Outcomes) Start(ctx context.Context, o operator.Operator, from Browser, address string, proof Proof) (cookie string, expires time.Time, err error) {
	return d.sessions.Start(ctx, session.Start{
		Name: o.Name, Bound: d.binding(from, o), Agent: from.Agent, Address: address, Proof: string(proof), Strong: proof != FirstFactor,
	})
}

// Find gives the session of a cookie, or ErrNone.
func (d *Outcomes) Find(ctx context.Context, cookie string, from Browser) (Session, error) {
	found, err := d.sessions.Find(ctx, cookie, d.bind(from))
	return d.addOperator(found), err
}

// Look gives a session that was found before as it is now, or ErrNone.
func (d *Outcomes) Look(ctx context.Context, s Session, from Browser) (Session, error) {
	found, err := d.sessions.Look(ctx, s.plain(), d.bind(from))
	return d.addOperator(found), err
}

func (d *Outcomes) addOperator(s session.Session) Session {
	o, _ := d.book.Find(s.Name)
	return Session{ID: s.ID, Operator: o, Expires: s.Expires, Token: s.Token, Strong: s.Strong, Cookie: s.Cookie}
}

func (d *Outcomes) bind(from Browser) session.Binding {
	return func(_ context.Context, name string) (string, bool, error) {
		o, known := d.book.Find(name)
		return d.binding(from, o), known, nil
	}
}

// List gives an operator's sessions that are still good, newest first.
func (d *Outcomes) List(ctx context.Context, operator string) ([]Listed, error) {
	return d.sessions.List(ctx, operator)
}

// EndListed ends the session of an operator that a list names, and reports
// whether there was one.
func (d *Outcomes) EndListed(ctx context.Context, operator, ref string) (bool, error) {
	return d.sessions.EndListed(ctx, operator, ref)
}

// End signs out.
func (d *Outcomes) End(ctx context.Context, id string) error { return d.sessions.End(ctx, id) }

// VisitToken is what the sign-in form of a visitor who is not signed in holds,
// against forged forms.
func (d *Outcomes) VisitToken(visit string) string { return d.keys.CodeHash("console-visit", visit) }

// MatchesVisit reports whether a form's token is the visitor's.
func (d *Outcomes) MatchesVisit(visit, token string) bool {
	return d.keys.IsCodeHash(token, "console-visit", visit)
}

// MatchesSession reports whether a form's token is the session's.
func (d *Outcomes) MatchesSession(s Session, token string) bool {
	return d.sessions.IsToken(s.plain(), token)
}

// NewVisit names a visitor who is not signed in.
func NewVisit() string { return session.NewID() }

// binding is what of a browser and a password a session keeps.
func (d *Outcomes) binding(from Browser, o operator.Operator) string {
	return from.Agent + "\x00" + d.DeviceID(from.Device, o) + "\x00" + o.Hash
}
