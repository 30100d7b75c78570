package mailbox

import (
	"crypto/rand"
	"io"
	"net/mail"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"go.uber.org/zap"
)

func newSMTP(s *Server) *smtp.Server {
	srv := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{s: s}, nil
	}))
	srv.Domain = "localhost"
	srv.MaxMessageBytes = maxMail
	srv.MaxRecipients = 100
	srv.ReadTimeout, srv.WriteTimeout = time.Minute, time.Minute
	srv.AllowInsecureAuth = true // loopback, and every password is good
	srv.EnableSMTPUTF8 = true
	srv.TLSConfig = s.cfg.TLS
	srv.ErrorLog = zap.NewStdLog(s.cfg.Log)
	return srv
}

// session takes the mails of one connection.
type session struct {
	s    *Server
	user string
	from string
	to   []string
}

// Reset implements smtp.Session.
func (c *session) Reset() { c.from, c.to = "", nil }

// Logout implements smtp.Session.
func (c *session) Logout() error { return nil }

// AuthMechanisms implements smtp.AuthSession.
func (c *session) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth implements smtp.AuthSession: any name and password are good.
func (c *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, _ string) error {
		c.user = user
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (c *session) Mail(from string, _ *smtp.MailOptions) error {
	c.from = from
	return nil
}

// Rcpt implements smtp.Session.
func (c *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := c.s.injectFault("SMTP RCPT"); err != nil {
		return err
	}
	if _, err := mail.ParseAddress(to); err != nil {
		return &smtp.SMTPError{Code: 553, EnhancedCode: smtp.EnhancedCode{5, 1, 3}, Message: "not a mail address"}
	}
	c.to = append(c.to, to)
	return nil
}

// Data implements smtp.Session: the mail is on disk when it returns.
func (c *session) Data(r io.Reader) error {
	raw, err := readAll(r)
	if err != nil {
		return err
	}
	if err := c.s.injectFault("SMTP DATA"); err != nil {
		return err
	}
	m := Mail{ID: "mail_" + rand.Text(), At: c.s.cfg.Now().UTC(), From: c.from, To: c.to, User: c.user, Raw: raw}
	if err := c.s.keep(m); err != nil {
		c.s.cfg.Log.Error("cannot keep a mail", zap.Error(err))
		return tryLater()
	}
	if c.s.cfg.Faults.Take("SMTP DATA", KeepThen) {
		return tryLater()
	}
	return nil
}

func tryLater() error {
	return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "try again later"}
}

// injectFault lets the faults that were asked for happen.
func (s *Server) injectFault(call string) error {
	if s.cfg.Faults.Take(call, TryLater) {
		return tryLater()
	}
	if s.cfg.Faults.Take(call, Refuse) {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	}
	return nil
}
