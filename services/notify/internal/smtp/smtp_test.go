package smtp_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/mailbox"
	"boardorder/services/notify/internal/smtp"
)

// post is a mailbox on loopback.
type post struct {
	*mailbox.Server
	addr   string
	faults *fault.Registry
}

func open(t *testing.T, cfg mailbox.Config, wrap func(net.Listener) net.Listener) post {
	t.Helper()
	p := post{faults: &fault.Registry{}}
	cfg.Dir, cfg.Faults = t.TempDir(), p.faults
	var err error
	if p.Server, err = mailbox.New(cfg); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.addr = l.Addr().String()
	if wrap != nil {
		l = wrap(l)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		p.Close()
	})
	return p
}

func sender(t *testing.T, cfg smtp.Config) *smtp.Sender {
	t.Helper()
	cfg.From, cfg.ReplyTo = "Board Ordering <orders@boards.example>", "help@boards.example"
	s, err := smtp.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func email(id string) smtp.Mail {
	return smtp.Mail{
		ID: id, To: "ada@example.com", Name: "Ada Lövelace", At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		Subject: "Your order Ω", Text: "Thank you – it is on its way.\n", HTML: "<p>Thank you – it is on its way.</p>",
	}
}

func TestSend(t *testing.T) {
	t.Parallel()
	p := open(t, mailbox.Config{}, nil)
	s := sender(t, smtp.Config{URL: "smtp://" + p.addr})
	if err := s.Send(t.Context(), email("evt_1")); err != nil {
		t.Fatal(err)
	}
	got := p.Messages("ada@example.com")
	if len(got) != 1 {
		t.Fatalf("%d mails, want 1", len(got))
	}
	m := got[0]
	if m.MessageID != "evt_1@boards.example" || m.Subject != "Your order Ω" || m.From != "orders@boards.example" ||
		m.Sender != `"Board Ordering" <orders@boards.example>` || m.Problem != "" {
		t.Errorf("mail = %+v, want evt_1@boards.example of orders@boards.example as Board Ordering, the subject %q, no problem", m, "Your order Ω")
	}
	if strings.TrimSpace(m.Text) != "Thank you – it is on its way." || !strings.Contains(m.HTML, "<p>Thank you – it is on its way.</p>") {
		t.Errorf("text %q, HTML %q; want both to thank", m.Text, m.HTML)
	}
}

// TestMarkIsWithin: the picture comes with the mail, for the page to show, and is none that
// somebody attached.
func TestMarkIsWithin(t *testing.T) {
	t.Parallel()
	p := open(t, mailbox.Config{}, nil)
	m := email("evt_3")
	m.HTML, m.Mark = `<img src="cid:mark" alt="">`, []byte("\x89PNG\r\n\x1a\n")
	if err := sender(t, smtp.Config{URL: "smtp://" + p.addr}).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got := p.Messages("ada@example.com")[0]
	if got.HTML != m.HTML || len(got.Attachments) != 1 || got.Attachments[0] != (mailbox.Attachment{Name: "mark.png", Type: "image/png", Size: len(m.Mark)}) {
		t.Errorf("HTML %q with %+v, want %q with mark.png, %d bytes of image/png", got.HTML, got.Attachments, m.HTML, len(m.Mark))
	}
}

// The same mail again is the same mail to whoever gets both.
func TestRepeatIsRecognisable(t *testing.T) {
	t.Parallel()
	p := open(t, mailbox.Config{}, nil)
	s := sender(t, smtp.Config{URL: "smtp://" + p.addr})
	if err := p.faults.Add(fault.Fault{Match: "SMTP DATA", Kind: mailbox.KeepThen}); err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), email("evt_2")); smtp.KindOf(err) != smtp.Unavailable {
		t.Fatalf("a lost answer: %v, want unavailable", err)
	}
	if err := s.Send(t.Context(), email("evt_2")); err != nil {
		t.Fatal(err)
	}
	got := p.Messages("")
	if len(got) != 2 || got[0].MessageID != got[1].MessageID {
		t.Errorf("mails = %+v, want 2 with the same id", got)
	}
}

func TestServerSaysNo(t *testing.T) {
	t.Parallel()
	p := open(t, mailbox.Config{}, nil)
	s := sender(t, smtp.Config{URL: "smtp://" + p.addr})
	for _, tt := range []struct {
		match, fault string
		want         smtp.Kind
		code         int
	}{
		{"SMTP DATA", mailbox.TryLater, smtp.Unavailable, 451},
		{"SMTP RCPT", mailbox.TryLater, smtp.Unavailable, 451},
		{"SMTP RCPT", mailbox.Refuse, smtp.Refused, 550},
		{"SMTP DATA", mailbox.Refuse, smtp.Refused, 550},
	} {
		if err := p.faults.Add(fault.Fault{Match: tt.match, Kind: tt.fault}); err != nil {
			t.Fatal(err)
		}
		err := s.Send(t.Context(), email("evt_3"))
		e, ok := errors.AsType[*smtp.Error](err)
		if !ok || e.Kind != tt.want || e.Code != tt.code {
			t.Errorf("%s %s: %v, want %s with %d", tt.match, tt.fault, err, tt.want, tt.code)
		}
		if err != nil && strings.Contains(err.Error(), "ada@") {
			t.Errorf("the error holds an address: %v", err)
		}
	}
	if n := len(p.Messages("")); n != 0 {
		t.Errorf("%d mails were taken, want none", n)
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := sender(t, smtp.Config{URL: "smtp://" + l.Addr().String(), Timeout: 5 * time.Second})
	if err := s.Send(t.Context(), email("evt_4")); smtp.KindOf(err) != smtp.Unavailable {
		t.Errorf("nobody there: %v, want unavailable", err)
	}
}

// A server that accepts the connection and then is silent ends with the timeout.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := sender(t, smtp.Config{URL: "smtp://" + l.Addr().String(), Timeout: 200 * time.Millisecond})
	if err := s.Send(t.Context(), email("evt_5")); smtp.KindOf(err) != smtp.Unavailable {
		t.Errorf("silence: %v, want unavailable", err)
	}
}

// Nothing in a mail becomes a header, a recipient or a second mail.
func TestNothingIsInjected(t *testing.T) {
	t.Parallel()
	p := open(t, mailbox.Config{}, nil)
	s := sender(t, smtp.Config{URL: "smtp://" + p.addr})
	evil := email("evt_6")
	evil.Subject = "Hello\r\nBcc: eve@example.com\r\n\r\nbody\u202e"
	evil.Name = "Ada\r\nBcc: eve@example.com"
	evil.Text = "one\r\n.\r\nMAIL FROM:<x@y>\r\n.two"
	if err := s.Send(t.Context(), evil); err != nil {
		t.Fatal(err)
	}
	got := p.Messages("")
	if len(got) != 1 || len(got[0].To) != 1 || got[0].To[0] != "ada@example.com" || got[0].Subject != "Hello Bcc: eve@example.com body" {
		t.Errorf("mails = %+v, want one to ada@example.com, with no line feed in its subject", got)
	}
	if !strings.Contains(got[0].Text, "\n.\n") || !strings.Contains(got[0].Text, ".two") {
		t.Errorf("text = %q, want its lines of dots unchanged", got[0].Text)
	}
	for name, spoil := range map[string]func(*smtp.Mail){
		"two recipients":    func(m *smtp.Mail) { m.To = "ada@example.com, eve@example.com" },
		"header in address": func(m *smtp.Mail) { m.To = "ada@example.com\r\nBcc: eve@example.com" },
		"name in address":   func(m *smtp.Mail) { m.To = "Ada <ada@example.com>" },
		"no address":        func(m *smtp.Mail) { m.To = "ada" },
		"header in id":      func(m *smtp.Mail) { m.ID = "evt\r\nBcc: eve@example.com" },
		"no id":             func(m *smtp.Mail) { m.ID = "" },
		"no subject":        func(m *smtp.Mail) { m.Subject = "\r\n" },
		"no text":           func(m *smtp.Mail) { m.Text = "" },
		"too long":          func(m *smtp.Mail) { m.Text = strings.Repeat("x", 2<<20) },
	} {
		m := email("evt_7")
		spoil(&m)
		if err := s.Send(t.Context(), m); smtp.KindOf(err) != smtp.Refused {
			t.Errorf("%s: %v, want refused", name, err)
		}
	}
	if n := len(p.Messages("")); n != 1 {
		t.Errorf("%d mails were sent, want 1", n)
	}
}

// certificate makes one for 127.0.0.1, and the pool that believes it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, made, made, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestTLS(t *testing.T) {
	t.Parallel()
	cert, pool := certificate(t)
	server := &tls.Config{Certificates: []tls.Certificate{cert}}
	plain := open(t, mailbox.Config{}, nil)
	starts := open(t, mailbox.Config{TLS: server}, nil)
	implicit := open(t, mailbox.Config{}, func(l net.Listener) net.Listener { return tls.NewListener(l, server) })
	good, none := &tls.Config{RootCAs: pool}, (*tls.Config)(nil)
	for name, tt := range map[string]struct {
		url   string
		trust *tls.Config
		ok    bool
	}{
		"plain":                             {"smtp://" + plain.addr, none, true},
		"plain, with a password, loopback":  {"smtp://user:secret@" + plain.addr, none, true},
		"plain, TLS wanted":                 {"smtp://" + plain.addr + "?tls=required", good, false},
		"STARTTLS":                          {"smtp://" + starts.addr, good, true},
		"STARTTLS, wanted, with a password": {"smtp://user:secret@" + starts.addr + "?tls=required", good, true},
		"STARTTLS, certificate unknown":     {"smtp://" + starts.addr, none, false},
		"STARTTLS passed over":              {"smtp://" + starts.addr + "?tls=none", none, true},
		"implicit":                          {"smtps://" + implicit.addr, good, true},
		"implicit, with a password":         {"smtps://user:secret@" + implicit.addr, good, true},
		"implicit, certificate unknown":     {"smtps://" + implicit.addr, none, false},
	} {
		s := sender(t, smtp.Config{URL: tt.url, TLS: tt.trust, Timeout: 10 * time.Second})
		err := s.Send(t.Context(), email("evt_8"))
		if (err == nil) != tt.ok || err != nil && smtp.KindOf(err) != smtp.Unavailable {
			t.Errorf("%s: %v, want ok %t", name, err, tt.ok)
		}
	}
}

func TestWrongConfig(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]smtp.Config{
		"no address":        {From: "a@b.example"},
		"another scheme":    {From: "a@b.example", URL: "http://mail:25"},
		"no sender":         {URL: "smtp://mail:25"},
		"sender no address": {From: "nobody", URL: "smtp://mail:25"},
		"unknown policy":    {From: "a@b.example", URL: "smtp://mail:25?tls=perhaps"},
		"password in clear": {From: "a@b.example", URL: "smtp://u:p@mail.example:25?tls=none"},
		"reply address":     {From: "a@b.example", URL: "smtp://mail:25", ReplyTo: "nobody"},
		"port":              {From: "a@b.example", URL: "smtp://mail:99999"},
	} {
		if _, err := smtp.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
