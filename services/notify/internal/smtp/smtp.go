// Package smtp hands mail to a mail server.
package smtp

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/provider"

	"github.com/wneessen/go-mail"
)

// Config says which server takes the mail and in whose name.
type Config struct {
	// URL is smtp://user:password@host:port or smtps://… (TLS from the first
	// byte). Over smtp, TLS is begun with STARTTLS: always when a password is
	// sent to another machine, otherwise when the server offers it.
	// ?tls=required or ?tls=none says otherwise.
	URL      string
	From     string        // "Board Ordering <orders@example.com>"
	ReplyTo  string        // empty: From
	Timeout  time.Duration // for one mail, from dialling to the server's word; 0: 30 s
	Parallel int           // connections at a time; 0: 4
	TLS      *tls.Config   // nil: the system's certificates
}

// A Mail is one mail to one person.
type Mail struct {
	ID      string    // names the mail for ever: the same in every repeat; letters, digits, and . _ - only
	To      string    // one address
	Name    string    // of the person; may be empty
	At      time.Time // the Date header: when what the mail reports happened
	Subject string
	Text    string
	HTML    string // may be empty
	Mark    []byte // a PNG that the HTML shows as cid:mark; may be empty
}

// A Kind says what an error means for the mail.
type Kind string

// The kinds of error.
const (
	Refused     Kind = "refused"     // for good: this mail will never be taken
	Unavailable Kind = "unavailable" // try again later; the mail may come twice, with the same Message-ID
)

// An Error is a mail that was not taken. It never holds an address.
type Error struct {
	Kind Kind
	Code int // of the server, 0 when it said nothing
	Why  string
	Err  error
}

// Error implements error.
func (e *Error) Error() string {
	if e.Code != 0 {
		return fmt.Sprintf("send mail: %s: server said %d: %s", e.Kind, e.Code, e.Why)
	}
	return fmt.Sprintf("send mail: %s: %s", e.Kind, e.Why)
}

// Unwrap returns what lies beneath. Its text can hold addresses: do not log it.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err. Nil has none; an error that is not ours may
// be tried again.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unavailable
}

// A Sender sends mail. It is safe for concurrent use.
type Sender struct {
	client  *mail.Client
	from    *netmail.Address
	replyTo *netmail.Address
	domain  string // of the Message-IDs
	timeout time.Duration
	slots   chan struct{}
	meter   *provider.Meter
}

// awayAfter is how many mails in a row fail before the server counts as away.
const awayAfter = 3

// New makes a sender; it calls nobody.
func New(cfg Config) (*Sender, error) {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 30 * time.Second
	}
	if cfg.Parallel <= 0 {
		cfg.Parallel = 4
	}
	s := &Sender{timeout: cfg.Timeout, slots: make(chan struct{}, cfg.Parallel)}
	var err error
	if s.from, err = netmail.ParseAddress(cfg.From); err != nil {
		return nil, fmt.Errorf("mail: the sender's address: %w", err)
	}
	_, s.domain, _ = strings.Cut(s.from.Address, "@")
	if s.replyTo = s.from; cfg.ReplyTo != "" {
		if s.replyTo, err = netmail.ParseAddress(cfg.ReplyTo); err != nil {
			return nil, fmt.Errorf("mail: the address for replies: %w", err)
		}
	}
	host, options, err := server(cfg)
	if err != nil {
		return nil, err
	}
	s.meter = provider.Process.Open(provider.MailServer, host, awayAfter)
	if s.client, err = mail.NewClient(host, options...); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	return s, nil
}

// server reads the URL.
func server(cfg Config) (host string, options []mail.Option, err error) {
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return "", nil, errors.New("mail: the server's address is not smtp://host:port or smtps://host:port")
	}
	port := map[string]int{"smtp": 587, "smtps": 465}[u.Scheme]
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return "", nil, fmt.Errorf("mail: the server's port: %w", err)
		}
	}
	options = []mail.Option{mail.WithPort(port), mail.WithTimeout(cfg.Timeout), mail.WithoutNoop()}
	if cfg.TLS != nil {
		config := cfg.TLS.Clone()
		if config.ServerName == "" {
			config.ServerName = u.Hostname()
		}
		options = append(options, mail.WithTLSConfig(config))
	}
	password, secret := u.User.Password()
	if secret {
		how := mail.SMTPAuthAutoDiscover
		if loopback(u.Hostname()) {
			how = mail.SMTPAuthPlainNoEnc // it does not leave this machine
		}
		options = append(options, mail.WithSMTPAuth(how), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	policy, err := tlsPolicy(u, secret)
	if err != nil {
		return "", nil, err
	}
	if u.Scheme == "smtps" {
		return u.Hostname(), append(options, mail.WithSSL()), nil
	}
	return u.Hostname(), append(options, mail.WithTLSPolicy(policy)), nil
}

func tlsPolicy(u *url.URL, secret bool) (mail.TLSPolicy, error) {
	switch word := u.Query().Get("tls"); word {
	case "required":
		return mail.TLSMandatory, nil
	case "none":
		if secret && !loopback(u.Hostname()) {
			return 0, errors.New("mail: a password is not sent to another machine without TLS")
		}
		return mail.NoTLS, nil
	case "":
		if secret && !loopback(u.Hostname()) {
			return mail.TLSMandatory, nil
		}
		return mail.TLSOpportunistic, nil
	default:
		return 0, fmt.Errorf("mail: tls is %q, want required or none", word)
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Send hands one mail to the server and returns when the server has taken it.
// A mail that is sent again with the same ID has the same Message-ID, so that
// whoever gets both can see it.
func (s *Sender) Send(ctx context.Context, m Mail) error {
	msg, err := s.message(m)
	if err != nil {
		return &Error{Kind: Refused, Why: err.Error()}
	}
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return &Error{Kind: Unavailable, Why: "all connections are busy", Err: ctx.Err()}
	}
	began := time.Now()
	err = s.client.DialAndSendWithContext(ctx, msg)
	if err == nil || msg.IsDelivered() {
		err = nil // what fails after the server has taken the mail does not matter
	} else {
		err = failure(err)
	}
	if parent.Err() == nil {
		now := time.Now()
		s.meter.Record(now, now.Sub(began), err == nil || KindOf(err) == Refused)
	}
	return err
}

func failure(err error) error {
	out := &Error{Kind: Unavailable, Why: "the server could not be reached", Err: err}
	failure, ok := errors.AsType[*mail.SendError](err)
	if !ok {
		return out
	}
	out.Code, out.Why = failure.ErrorCode(), failure.Reason.String()
	// A server that refuses the address or the content will refuse it again.
	// Everything else, from a lost connection to a full disk, can pass.
	if out.Code >= 500 && out.Code != 530 && out.Code != 535 {
		out.Kind = Refused
	}
	return out
}

// Bounds of a mail.
const (
	maxSubject = 200
	maxBody    = 1 << 20
)

// message puts the mail together. Nothing in m can add a header or a recipient.
func (s *Sender) message(m Mail) (*mail.Msg, error) {
	to, err := address(m.To)
	if err != nil {
		return nil, err
	}
	if !validID(m.ID) {
		return nil, errors.New("the mail's id has to have 1 to 120 letters, digits, dots, underlines or dashes")
	}
	if m.Text == "" || len(m.Text)+len(m.HTML) > maxBody {
		return nil, errors.New("the mail has no text, or too much")
	}
	subject := fitHeader(m.Subject, maxSubject)
	if subject == "" {
		return nil, errors.New("the mail has no subject")
	}
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	msg.FromMailAddress(s.from)
	msg.ReplyToMailAddress(s.replyTo)
	msg.ToMailAddress(&netmail.Address{Name: fitHeader(m.Name, 100), Address: to})
	msg.SetMessageIDWithValue(m.ID + "@" + s.domain)
	if m.At.IsZero() {
		msg.SetDate()
	} else {
		msg.SetDateWithValue(m.At)
	}
	msg.Subject(subject)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	}
	if len(m.Mark) > 0 {
		if err := msg.EmbedReader("mark.png", bytes.NewReader(m.Mark), mail.WithFileContentType("image/png"), mail.WithFileContentID("<mark>")); err != nil {
			return nil, fmt.Errorf("embed the mark: %w", err)
		}
	}
	return msg, nil
}

// address accepts exactly one bare address.
func address(text string) (string, error) {
	a, err := netmail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 || strings.ContainsFunc(text, unicode.IsControl) {
		return "", errors.New("the recipient is not a mail address")
	}
	return a.Address, nil
}

func validID(id string) bool {
	if id == "" || len(id) > 120 {
		return false
	}
	for _, r := range id {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '.':
		default:
			return false
		}
	}
	return true
}

// fitHeader makes text fit for a header: no line breaks, no control or
// bidirectional characters, at most n bytes.
func fitHeader(text string, n int) string {
	return untrusted.CutBytes(untrusted.CleanLine(text), n)
}
