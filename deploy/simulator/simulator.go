// Package simulator stands in for the companies outside the service: the card
// processor, the fabricator, those who sell parts, the central bank's exchange
// rates, and everybody who receives mail. It speaks their public protocols on loopback, keeps what
// it did in ledgers on disk, and shows them on web pages.
//
// It is for development, tests and demonstrations. It takes orders from
// anybody who reaches it, so it must not be reachable from outside.
package simulator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardorder/deploy/simulator/cards"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/mailbox"
	"boardorder/deploy/simulator/page"
	"boardorder/deploy/simulator/parts"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config says where the simulator listens and what it knows. The zero value of
// every field but DataDir works.
type Config struct {
	Addr      string // HTTP; empty: the port on 127.0.0.1 that it had before, or a free one
	SMTPAddr  string // mail; empty: a free port on 127.0.0.1
	DataDir   string // the ledger
	PublicURL string // how a browser reaches Addr, when that differs, as behind a published container port

	CardKey       string          // the only API key that the card processor takes; empty: any test key
	WebhookURL    string          // where card events go; empty: they wait for SetWebhook
	WebhookSecret string          // signs card events
	RetryDelays   []time.Duration // between webhook attempts; nil: the usual ones
	MailTLS       *tls.Config     // nil: mail without STARTTLS
	FabPace       time.Duration   // how long a board order stays in each state; 0: the usual 2 s
	DigiKey       parts.Limit     // calls that the distributor of that interface takes; zero: the usual ones
	Mouser        parts.Limit     // calls that the distributor of that interface takes; zero: the usual ones
	NexarParts    int             // parts that the search engine gives; 0: 100,000
	Now           func() time.Time
}

// A Simulator is all the stand-ins behind one HTTP address and one SMTP address.
type Simulator struct {
	cfg    Config
	log    *zap.Logger
	http   net.Listener
	smtp   net.Listener
	faults *fault.Registry
	cards  *cards.Server
	mail   *mailbox.Server
	fab    *fabricator.Server
	parts  *parts.Server
	pages  *page.Set
	closes []func() error
	served http.Handler
}

// New opens the ledger and both ports, so that the addresses are known at once.
// Nothing is answered before Run. After New, Run has to be called: it is what
// closes everything again.
func New(cfg Config, log *zap.Logger) (*Simulator, error) {
	if cfg.DataDir == "" {
		return nil, errors.New("simulator: no data directory was given")
	}
	if log == nil {
		log = zap.NewNop()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Simulator{cfg: cfg, log: log, faults: &fault.Registry{}}
	if err := s.open(); err != nil {
		s.close()
		return nil, fmt.Errorf("simulator: %w", err)
	}
	return s, nil
}

func (s *Simulator) open() error {
	var err error
	if s.http, err = s.listen(); err != nil {
		return fmt.Errorf("listen for HTTP: %w", err)
	}
	s.closes = append(s.closes, s.http.Close)
	if s.smtp, err = listen(s.cfg.SMTPAddr); err != nil {
		return fmt.Errorf("listen for mail: %w", err)
	}
	s.closes = append(s.closes, s.smtp.Close)
	s.mail, err = mailbox.New(mailbox.Config{
		Dir: filepath.Join(s.cfg.DataDir, "mailbox"), TLS: s.cfg.MailTLS, Now: s.cfg.Now, Faults: s.faults, Log: s.log.Named("mailbox"),
	})
	if err != nil {
		return err
	}
	s.closes = append(s.closes, s.mail.Close)
	s.cards, err = cards.New(cards.Config{
		Dir: filepath.Join(s.cfg.DataDir, "cards"), BaseURL: s.publicCards, APIKey: s.cfg.CardKey,
		WebhookURL: s.cfg.WebhookURL, WebhookSecret: s.cfg.WebhookSecret, RetryDelays: s.cfg.RetryDelays,
		Now: s.cfg.Now, Faults: s.faults, Log: s.log.Named("cards"),
	})
	if err != nil {
		return err
	}
	s.closes = append(s.closes, s.cards.Close)
	s.fab, err = fabricator.New(fabricator.Config{
		Dir: filepath.Join(s.cfg.DataDir, "fabricator"), Pace: s.cfg.FabPace, Now: s.cfg.Now, Faults: s.faults, Log: s.log.Named("fabricator"),
	})
	if err != nil {
		return err
	}
	s.closes = append(s.closes, s.fab.Close)
	s.parts, err = parts.New(parts.Config{DigiKey: s.cfg.DigiKey, Mouser: s.cfg.Mouser, NexarParts: s.cfg.NexarParts, Now: s.cfg.Now, Faults: s.faults})
	if err != nil {
		return err
	}
	s.served, err = s.handler()
	return err
}

// addrFile is where the ledger keeps the address of HTTP: payment pages that people
// have open are there.
const addrFile = "address"

// listen takes the port of HTTP. Without one that was asked for it is the last
// one again, unless somebody else has it now.
func (s *Simulator) listen() (net.Listener, error) {
	if s.cfg.Addr != "" {
		return listen(s.cfg.Addr)
	}
	file := filepath.Join(s.cfg.DataDir, addrFile)
	if last, err := os.ReadFile(file); err == nil {
		if l, err := listen(string(last)); err == nil {
			return l, nil
		}
	}
	l, err := listen("")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.cfg.DataDir, 0o700); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if err := os.WriteFile(file, []byte(l.Addr().String()), 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func listen(addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	return net.Listen("tcp", addr)
}

func (s *Simulator) close() error {
	var err error
	for i := len(s.closes) - 1; i >= 0; i-- {
		if e := s.closes[i](); e != nil && !errors.Is(e, net.ErrClosed) && err == nil {
			err = e
		}
	}
	s.closes = nil
	return err
}

// grace is how long running calls may take after Run's context has ended.
const grace = 5 * time.Second

// Run answers until ctx ends, lets running calls finish, and closes the ledger.
func (s *Simulator) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	srv := &http.Server{
		Handler: s.served, ReadHeaderTimeout: 10 * time.Second, ErrorLog: zap.NewStdLog(s.log),
		BaseContext: func(net.Listener) context.Context { return ctx }, // who waits for a mail waits no longer
	}
	g.Go(func() error {
		if err := srv.Serve(s.http); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		if err := srv.Shutdown(late); err != nil {
			return srv.Close()
		}
		return nil
	})
	g.Go(func() error { return s.mail.Serve(ctx, s.smtp) })
	g.Go(func() error { return s.cards.Run(ctx) })
	err := g.Wait()
	if e := s.close(); err == nil {
		err = e
	}
	return err
}

// URL is the simulator's index page, as a browser reaches it.
func (s *Simulator) URL() string {
	if s.cfg.PublicURL != "" {
		return strings.TrimSuffix(s.cfg.PublicURL, "/")
	}
	return s.local()
}

// local is how a program on this machine, or in this network, reaches it.
func (s *Simulator) local() string {
	host, port, err := net.SplitHostPort(s.http.Addr().String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", port)
	}
	return "http://" + s.http.Addr().String()
}

func (s *Simulator) publicCards() string { return s.URL() + "/cards" }

// CardsURL is the base of the card processor's API, which is below /v1 of it.
func (s *Simulator) CardsURL() string { return s.local() }

// MailboxURL is the page, and below it the API, that shows the mails.
func (s *Simulator) MailboxURL() string { return s.URL() + "/mailbox" }

// SMTPAddr is the host and port that take mail.
func (s *Simulator) SMTPAddr() string { return s.smtp.Addr().String() }

// SMTPURL is SMTPAddr as the notify service is configured with it.
func (s *Simulator) SMTPURL() string { return "smtp://" + s.SMTPAddr() }

// RatesURL is the daily file of exchange rates.
func (s *Simulator) RatesURL() string { return s.local() + "/rates" + ratesPath }

// FabricatorURL is the fabricator's base.
func (s *Simulator) FabricatorURL() string { return s.local() + "/fab" }

// PartsURL is the base of those who sell parts: /digikey, /mouser and /nexar
// below it.
func (s *Simulator) PartsURL() string { return s.local() + "/parts" }

// Parts is those who sell parts, for tests that read what they were asked.
func (s *Simulator) Parts() *parts.Server { return s.parts }

// Cards is the card processor, for tests that read its ledger.
func (s *Simulator) Cards() *cards.Server { return s.cards }

// Fabricator is the fabricator, for tests that read its ledger.
func (s *Simulator) Fabricator() *fabricator.Server { return s.fab }

// Mailbox is the mailbox, for tests that read it.
func (s *Simulator) Mailbox() *mailbox.Server { return s.mail }

// Faults is where tests ask for misbehaviour.
func (s *Simulator) Faults() *fault.Registry { return s.faults }

// SetWebhook says where card events go from now on.
func (s *Simulator) SetWebhook(url, secret string) { s.cards.SetWebhook(url, secret) }
