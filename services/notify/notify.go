// Package notify sends the service's mail; nothing else does. It receives the
// events of orders, quotes and checkouts and turns each that calls for an e-mail
// into a command of its own, so that a mail that fails is tried again, or ends
// among the dead letters, without holding another one up.
//
// What is promised: no e-mail is lost, and none is sent again once the mail
// server's word that it has it was written down. Mail knows nothing better than
// at least once: should the process die between that word and the writing, the
// e-mail goes out a second time, with the same Message-ID.
package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/flow"
	"boardorder/pkg/language"
	"boardorder/pkg/secret"
	"boardorder/pkg/trace"
	"boardorder/services/notify/internal/due"
	"boardorder/services/notify/internal/email"
	"boardorder/services/notify/internal/smtp"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the notify service.
type Config struct {
	SMTPURL    string        `env:"SMTP_URL,required,unset"` // smtp://user:password@host:port or smtps://…
	From       string        `env:"MAIL_FROM,required"`      // Board Ordering <orders@example.com>
	ReplyTo    string        `env:"MAIL_REPLY_TO"`           // MAIL_FROM unless set
	Team       string        `env:"TEAM_EMAIL,required"`     // where the operator's team is written to
	Support    string        `env:"SUPPORT_EMAIL"`           // where customers write to; TEAM_EMAIL unless set
	Shop       string        `env:"SHOP_NAME" envDefault:"Board Ordering"`
	PublicURL  string        `env:"PUBLIC_URL,required"`             // where customers reach the checkout pages
	ConsoleURL string        `env:"CONSOLE_URL,required"`            // where the team reaches the console
	AnswerDays int           `env:"TEAM_ANSWER_DAYS" envDefault:"2"` // working days in which customers are told to expect the team's answer
	Parallel   int           `env:"NOTIFY_PARALLEL" envDefault:"4"`
	Oldest     time.Duration `env:"NOTIFY_OLDEST" envDefault:"168h"` // what happened longer ago gets no e-mail any more
}

// Mail is one mail to one person.
type Mail = smtp.Mail

// A Mailer hands mail to a server, and returns when the server has taken it.
type Mailer interface {
	Send(ctx context.Context, m Mail) error
}

// Sent remembers which e-mails were sent.
type Sent interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error) // bus.ErrNoKey
	Put(ctx context.Context, key string, value []byte) error
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)              // bus.ErrWrongRevision
	Update(ctx context.Context, key string, value []byte, rev uint64) (next uint64, err error) // bus.ErrWrongRevision
}

// Ports are the outside systems of the service, and what it shares with others.
type Ports struct {
	Mail  Mailer
	Sent  Sent
	Codes Codes
}

// Codes are the codes that members of accounts sign in with.
type Codes interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error) // bus.ErrNoKey
}

// Service is the notify service.
type Service struct {
	cfg     Config
	events  aggregate.Core
	mail    Mailer
	sent    Sent
	codes   Codes
	emails  *email.Writer
	catalog *catalog.Catalog
	secrets *secret.Keyring
	log     *zap.Logger
	now     func() time.Time
}

// New makes the service.
func New(cfg Config, events aggregate.Core, secrets *secret.Keyring, ports Ports, log *zap.Logger, now func() time.Time) (*Service, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	emails, err := email.New(email.Shop{Name: cfg.Shop, Support: cfg.Support, Links: legalLinks(cfg.PublicURL)})
	if err != nil {
		return nil, err
	}
	options, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	return &Service{
		cfg: cfg, events: events, mail: ports.Mail, sent: ports.Sent, codes: ports.Codes, emails: emails, catalog: options, secrets: secrets, log: log, now: now,
	}, nil
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{emails.Send: s.send}
}

// legalLinks are what stands at the foot of each e-mail.
func legalLinks(publicURL string) []email.Link {
	at := publicURL + "/legal/"
	return []email.Link{
		{URL: at + "terms", Label: language.Key("Terms of sale")}, {URL: at + "withdrawal", Label: language.Key("Right of withdrawal")},
		{URL: at + "privacy", Label: language.Key("Privacy")}, {URL: at + "imprint", Label: language.Key("Imprint")},
	}
}

// retryPolicy tries an e-mail for more than a day: mail servers have bad mornings.
func retryPolicy() flow.Policy {
	return flow.Policy{Failures: 90, Unfinished: 3, First: time.Second, MaxDelay: 20 * time.Minute}
}

// Serve follows events and sends e-mails until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: emails.Send.Service, Handlers: s.Handlers(), Parallel: s.cfg.Parallel, Policy: retryPolicy()})
	})
	for _, a := range registry.Subscriptions(emails.Send.Service) {
		group.Go(func() error { return b.Follow(ctx, emails.Send.Service, a, s.HandleEvents) })
	}
	return group.Wait()
}

// HandleEvents sends the commands for the e-mails that events call for. Events that
// come again lead to the same commands.
func (s *Service) HandleEvents(ctx context.Context, events []contract.Event) error {
	for _, e := range events {
		if s.now().Sub(e.At) > s.cfg.Oldest {
			continue
		}
		if due.FollowsState(e) {
			last, err := s.events.Last(ctx, e.Aggregate, e.AggregateID)
			if errors.Is(err, aggregate.ErrNone) {
				continue // it has left
			}
			if err != nil {
				return fmt.Errorf("load %s %s: %w", e.Aggregate, e.AggregateID, err)
			}
			e.Data, e.Format = last.Data, last.Format
		}
		emails, err := due.Emails(e)
		if err != nil { // it will never be readable, and others wait behind it
			s.log.Error("an event cannot be read", zap.String("aggregate", string(e.Aggregate)), zap.Uint64("seq", e.Seq), zap.Error(err), trace.ID(ctx))
			continue
		}
		for _, l := range emails {
			if err := s.enqueue(ctx, e, l); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) enqueue(ctx context.Context, e contract.Event, l emails.SendData) error {
	c, err := contract.NewCommand(emails.Send, "", e.Account, e.At, l)
	if err != nil {
		return err
	}
	c.ID, c.Cause, c.Correlation = contract.DeriveID(emails.Send.String(), l.ID), e.ID, e.Correlation
	if err := s.events.Send(ctx, c); err != nil {
		return fmt.Errorf("enqueue e-mail %s: %w", l.Kind, err)
	}
	return nil
}

// complete puts the defaults in and says everything that is wrong at once.
func (c *Config) complete() error {
	var errs []error
	for name, v := range map[string]*string{"PUBLIC_URL": &c.PublicURL, "CONSOLE_URL": &c.ConsoleURL} {
		if err := webAddress(v); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	if !mailAddress(c.Team) {
		errs = append(errs, errors.New("TEAM_EMAIL is not a mail address"))
	}
	if c.Support == "" {
		c.Support = c.Team
	}
	if c.Shop == "" {
		c.Shop = "Board Ordering"
	}
	if c.Oldest <= 0 {
		c.Oldest = 7 * 24 * time.Hour
	}
	if c.Parallel <= 0 {
		c.Parallel = 4
	}
	return errors.Join(errs...)
}
