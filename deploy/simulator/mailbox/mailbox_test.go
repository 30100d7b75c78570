package mailbox_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/mailbox"

	"github.com/google/go-cmp/cmp"
)

type box struct {
	*mailbox.Server
	addr   string
	http   *httptest.Server
	faults *fault.Registry
}

func start(t *testing.T, dir string) box {
	t.Helper()
	b := box{faults: &fault.Registry{}}
	var err error
	if b.Server, err = mailbox.New(mailbox.Config{Dir: dir, Faults: b.faults}); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.addr = l.Addr().String()
	b.http = httptest.NewServer(b.Server)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		b.http.Close()
		b.Close()
	})
	return b
}

const email = "From: =?utf-8?q?B=C3=B6ards?= <shop@example.com>\r\nTo: a@example.com\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n" +
	"Message-ID: <evt_1@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe=21\r\n" +
	"--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+aGk8L3A+\r\n--b--\r\n"

func (b box) send(t *testing.T, to, text string) error {
	t.Helper()
	return smtp.SendMail(b.addr, nil, "shop@example.com", []string{to}, []byte(text))
}

func TestMailIsKeptAndRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := start(t, dir)
	if err := b.send(t, "a@example.com", email); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	got := b.Wait(ctx, "A@example.com", 1)
	if len(got) != 1 {
		t.Fatalf("%d mails, want 1", len(got))
	}
	m := got[0]
	type seen struct{ Subject, Sender, MessageID, Text, HTML, From string }
	want := seen{"Grüße", "Böards <shop@example.com>", "evt_1@example.com", "Grüße!", "<p>hi</p>", "shop@example.com"}
	if diff := cmp.Diff(want, seen{m.Subject, m.Sender, m.MessageID, m.Text, m.HTML, m.From}); diff != "" {
		t.Errorf("mail (-want +got):\n%s", diff)
	}
	other := start(t, t.TempDir())
	if n := len(other.Messages("")); n != 0 {
		t.Errorf("another mailbox holds %d mails, want none", n)
	}
}

func TestMailSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, dir)
	if err := first.send(t, "a@example.com", email); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir)
	if got := second.Messages("a@example.com"); len(got) != 1 || got[0].Subject != "Grüße" {
		t.Errorf("after the restart: %+v, want one on Grüße", got)
	}
}

func TestPagesAndAPI(t *testing.T) {
	t.Parallel()
	b := start(t, t.TempDir())
	evil := strings.Replace(email, "PHA+aGk8L3A+", "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==", 1)
	if err := b.send(t, "a@example.com", evil); err != nil {
		t.Fatal(err)
	}
	var list struct {
		Messages []mailbox.Message `json:"messages"`
	}
	status, body, _ := b.get(t, "/api/messages?to=a@example.com&wait_s=10")
	if err := json.Unmarshal(body, &list); err != nil || status != 200 || len(list.Messages) != 1 {
		t.Fatalf("list: %d %s %v", status, body, err)
	}
	id := list.Messages[0].ID
	for path, want := range map[string]string{
		"/": "Grüße", "/?to=a@example.com": "a@example.com", "/" + id: "sandbox", "/" + id + "/raw": "Message-ID", "/api/messages/" + id: "evt_1",
	} {
		if status, body, _ := b.get(t, path); status != 200 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d, without %q: %s", path, status, want, body)
		}
	}
	_, body, head := b.get(t, "/"+id+"/html")
	if policy := head.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "sandbox") || strings.Contains(policy, "allow-scripts") || !strings.Contains(string(body), "script") {
		t.Errorf("the HTML part comes with the policy %q, want a sandbox without scripts; its own script is kept: %t", policy, strings.Contains(string(body), "script"))
	}
	if _, body, _ := b.get(t, "/"+id); strings.Contains(string(body), "<script") {
		t.Error("the mail's page holds the mail's script")
	}
	for path, want := range map[string]int{"/nothing": 404, "/api/messages/nothing": 404, "/api/messages?wait_s=x": 422, "/api/messages?wait_s=61": 422, "/api/messages?to=nobody@example.com": 200} {
		if status, _, _ := b.get(t, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
}

func (b box) get(t *testing.T, path string) (int, []byte, http.Header) {
	t.Helper()
	res, err := http.Get(b.http.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, body, res.Header
}

func TestMailFaults(t *testing.T) {
	t.Parallel()
	b := start(t, t.TempDir())
	for _, tt := range []struct {
		match, kind, code string
		kept              int
	}{
		{"SMTP DATA", mailbox.TryLater, "451", 0},
		{"SMTP RCPT", mailbox.Refuse, "550", 0},
		{"SMTP DATA", mailbox.KeepThen, "451", 1},
	} {
		if err := b.faults.Add(fault.Fault{Match: tt.match, Kind: tt.kind}); err != nil {
			t.Fatal(err)
		}
		before := len(b.Messages(""))
		err := b.send(t, "a@example.com", email)
		if err == nil || !strings.Contains(err.Error(), tt.code) {
			t.Errorf("%s: %v, want %s", tt.kind, err, tt.code)
		}
		if n := len(b.Messages("")) - before; n != tt.kept {
			t.Errorf("%s: %d mails kept, want %d", tt.kind, n, tt.kept)
		}
	}
}

// A mail that is no proper mail is shown as it came.
func FuzzRead(f *testing.F) {
	f.Add([]byte(email))
	f.Add([]byte("not a mail"))
	f.Add([]byte("Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := mailbox.Read(mailbox.Mail{ID: "mail_1", Raw: raw})
		if m.ID != "mail_1" {
			t.Errorf("a letter read has the id %q, want mail_1", m.ID)
		}
	})
}
