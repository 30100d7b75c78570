// Package mailbox stands in for the world's mail servers: it takes every mail
// over SMTP, keeps it on disk before it says so, and shows it on web pages and
// over a small JSON API. Nothing is ever sent on.
package mailbox

import (
	"context"
	"crypto/tls"
	"embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/ledger"
	"boardorder/deploy/simulator/page"

	"github.com/emersion/go-smtp"
	"go.uber.org/zap"
)

//go:embed pages/*.html
var pageFiles embed.FS

// Config says where the mailbox keeps its ledger.
type Config struct {
	Dir    string           // holds mailbox.jsonl
	TLS    *tls.Config      // nil: no STARTTLS
	Now    func() time.Time // nil: time.Now
	Faults *fault.Registry  // calls are "SMTP RCPT" and "SMTP DATA"
	Log    *zap.Logger
}

// Kinds of fault that the mailbox knows, for calls to "SMTP RCPT" and "SMTP DATA".
const (
	TryLater = "smtp_try_later" // 451: the sender should come back
	Refuse   = "smtp_refuse"    // 550: for good
	KeepThen = "smtp_keep_then_fail"
)

// A Server is the mailbox: an SMTP server and an http.Handler.
type Server struct {
	cfg    Config
	smtp   *smtp.Server
	mux    *http.ServeMux
	pages  *page.Set
	ledger *ledger.Ledger[Mail]

	mu     sync.Mutex
	mails  []Message
	change chan struct{} // closed and replaced when a mail arrives
}

// New opens the ledger in cfg.Dir.
func New(cfg Config) (*Server, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	if cfg.Faults == nil {
		cfg.Faults = &fault.Registry{}
	}
	s := &Server{cfg: cfg, mux: http.NewServeMux(), change: make(chan struct{})}
	var err error
	if s.pages, err = page.Parse(pageFiles, "pages"); err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	s.ledger, err = ledger.Open(filepath.Join(cfg.Dir, "mailbox.jsonl"), func(m Mail) error {
		s.mails = append(s.mails, Read(m))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	s.smtp = newSMTP(s)
	s.routes()
	return s, nil
}

// Serve takes mail on l until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { s.smtp.Close() })
	defer stop()
	err := s.smtp.Serve(l)
	if ctx.Err() != nil || errors.Is(err, smtp.ErrServerClosed) {
		return nil
	}
	return err
}

// Close closes the ledger. Call it after Serve has returned.
func (s *Server) Close() error { return s.ledger.Close() }

// keep writes a mail down and shows it to whoever waits.
func (s *Server) keep(m Mail) error {
	if err := s.ledger.Append(m); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, Read(m))
	close(s.change)
	s.change = make(chan struct{})
	return nil
}

// Messages returns the mails to the address (any, when it is empty), oldest first.
func (s *Server) Messages(to string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, _ := s.find(to)
	return found
}

// Wait returns the mails to the address as soon as there are at least n, or
// those there are when ctx ends.
func (s *Server) Wait(ctx context.Context, to string, n int) []Message {
	for {
		s.mu.Lock()
		found, change := s.find(to)
		s.mu.Unlock()
		if len(found) >= n {
			return found
		}
		select {
		case <-change:
		case <-ctx.Done():
			return found
		}
	}
}

func (s *Server) find(to string) ([]Message, <-chan struct{}) {
	found := []Message{}
	for _, m := range s.mails {
		if to == "" || m.isTo(to) {
			found = append(found, m)
		}
	}
	return found, s.change
}

func (s *Server) findMessage(id string) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.mails {
		if m.ID == id {
			return m, true
		}
	}
	return Message{}, false
}

func (m Message) isTo(address string) bool {
	for _, a := range m.To {
		if strings.EqualFold(a, address) {
			return true
		}
	}
	return false
}

// maxMail is the largest mail that is taken, in bytes.
const maxMail = 10 << 20

func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxMail+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxMail {
		return nil, &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 3, 4}, Message: "mail too large"}
	}
	return raw, nil
}
