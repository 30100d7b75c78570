package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/clocktest"
	"boardorder/pkg/secret"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"
)

func TestSession(t *testing.T) {
	t.Parallel()
	b, c := bustest.Start(t), clocktest.New(time.Now())
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "operators.json")
	write := func(password string) {
		t.Helper()
		hash, err := operator.HashPassword(password)
		if err != nil {
			t.Fatal(err)
		}
		text := `{"operators": [{"name": "ann", "roles": ["admin"], "password_hash": "` + hash + `"}]}  ` + password
		if err := os.WriteFile(file, []byte(text[:len(text)-len(password)]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a first password")
	book, err := operator.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := session.NewSessions(t.Context(), b, keys, book, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	ann, _ := book.Find("ann")
	start := func() string {
		t.Helper()
		cookie, _, err := outcomes.Start(t.Context(), ann, session.Browser{Agent: "browser"}, "1.2.3.4", session.SecondFactor)
		if err != nil {
			t.Fatal(err)
		}
		return cookie
	}
	want := func(why, cookie, agent string, want error) {
		t.Helper()
		if _, err := outcomes.Find(t.Context(), cookie, session.Browser{Agent: agent}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", why, err, want)
		}
	}
	cookie := start()
	s, err := outcomes.Find(t.Context(), cookie, session.Browser{Agent: "browser"})
	if err != nil || s.Operator.Name != "ann" || s.Token == "" {
		t.Fatalf("Find = %+v, %v", s, err)
	}
	want("another browser", cookie, "other", session.ErrNone)
	altered := []byte(cookie)
	altered[0] ^= 1 // another letter, or none that is allowed
	want("altered", string(altered), "browser", session.ErrNone)
	want("no cookie", "", "browser", session.ErrNone)
	c.Pass(session.Idle - time.Minute)
	want("used in time", cookie, "browser", nil)
	c.Pass(session.Idle - time.Minute)
	want("used in time again", cookie, "browser", nil)
	c.Pass(session.Idle)
	want("idle", cookie, "browser", session.ErrNone)

	cookie = start()
	for range 13 {
		c.Pass(time.Hour - time.Second)
		s, err = outcomes.Find(t.Context(), cookie, session.Browser{Agent: "browser"})
	}
	if !errors.Is(err, session.ErrNone) {
		t.Errorf("after 13 hours: %v", err)
	}

	cookie = start()
	s, _ = outcomes.Find(t.Context(), cookie, session.Browser{Agent: "browser"})
	if err := outcomes.End(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	want("signed out", cookie, "browser", session.ErrNone)

	cookie = start()
	write("a second password, longer")
	if err := os.Chtimes(file, time.Now(), time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	want("another password", cookie, "browser", session.ErrNone)
}

// A cookie is replaced while it is used. Whoever goes on with a replaced one ends
// the session, whether the copy or the original is the older.
func TestCookieIsReplaced(t *testing.T) {
	t.Parallel()
	c := clocktest.New(time.Now())
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	ann := operator.Operator{Name: "ann"}
	book, err := operator.Open("", ann)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := session.NewSessions(t.Context(), bustest.Start(t), keys, book, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	device, _ := sessions.Device(ann)
	browser := session.Browser{Agent: "browser", Device: device}
	find := func(step, cookie string, want error) session.Session {
		t.Helper()
		s, err := sessions.Find(t.Context(), cookie, browser)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", step, err, want)
		}
		return s
	}
	first, _, err := sessions.Start(t.Context(), ann, browser, "1.2.3.4", session.SecondFactor)
	if err != nil {
		t.Fatal(err)
	}
	if s := find("at once", first, nil); s.Cookie != "" {
		t.Error("the cookie is replaced at once")
	}
	other, _ := sessions.Device(ann)
	for name, b := range map[string]session.Browser{"without the device": {Agent: "browser"}, "of another device": {Agent: "browser", Device: other}, "of another program": {Agent: "other", Device: device}} {
		if _, err := sessions.Find(t.Context(), first, b); !errors.Is(err, session.ErrNone) {
			t.Errorf("a cookie %s: %v, want %v", name, err, session.ErrNone)
		}
	}
	c.Pass(6 * time.Minute)
	s := find("after a while", first, nil)
	second := s.Cookie
	if second == "" {
		t.Fatal("the cookie is not replaced")
	}
	c.Pass(10 * time.Minute)
	if s := find("the replacement was lost on the way", first, nil); s.Cookie != second {
		t.Errorf("replaced by %q, want %q", s.Cookie, second)
	}
	find("the replacement", second, nil)
	c.Pass(30 * time.Second)
	find("another tab, still on its way", first, nil)
	c.Pass(time.Minute)
	if now, err := sessions.Look(t.Context(), s, browser); err != nil || now.ID != s.ID {
		t.Errorf("a page that has been open all the time: %v", err)
	}
	find("a copy of the first", first, session.ErrCopied)
	find("the replacement, after the copy was used", second, session.ErrNone)
	if _, err := sessions.Look(t.Context(), s, browser); !errors.Is(err, session.ErrNone) {
		t.Errorf("a page that has been open all the time, after the copy was used: %v, want %v", err, session.ErrNone)
	}
}

func TestLinkSignsInOnce(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	link, err := session.NewLink(t.Context(), b, "token-of-this-start")
	if err != nil {
		t.Fatal(err)
	}
	if err := link.Use(t.Context(), "another"); !errors.Is(err, session.ErrLink) {
		t.Errorf("another token: %v", err)
	}
	if err := link.Check(t.Context(), "token-of-this-start"); err != nil {
		t.Errorf("Check: %v", err)
	}
	results := make(chan error, 8)
	for range cap(results) {
		go func() { results <- link.Use(t.Context(), "token-of-this-start") }()
	}
	ok := 0
	for range cap(results) {
		if err := <-results; err == nil {
			ok++
		} else if !errors.Is(err, session.ErrUsed) {
			t.Errorf("use the link: %v, want success once and %v else", err, session.ErrUsed)
		}
	}
	if ok != 1 {
		t.Errorf("used %d times, want 1", ok)
	}
	none, err := session.NewLink(t.Context(), b, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := none.Check(t.Context(), ""); !errors.Is(err, session.ErrLink) {
		t.Errorf("without a token: %v", err)
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	b, c := bustest.Start(t), clocktest.New(time.Now())
	open := func() *session.Attempts {
		t.Helper()
		a, err := session.NewAttempts(t.Context(), b, c.Now)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := open()
	begin := func(name string, at session.Attempt, most time.Duration) {
		t.Helper()
		wait, err := a.Begin(t.Context(), at)
		if err != nil || (most > 0) != (wait > 0) || wait > most {
			t.Errorf("%s: wait %v, %v; want %v at most", name, wait, err, most)
		}
	}
	ann := session.Attempt{Address: "1.2.3.4", Name: "ann"}
	for range 5 {
		begin("one of five", ann, 0)
		c.Pass(time.Minute)
	}
	begin("the sixth", ann, 10*time.Minute)
	a = open() // a console that starts later, or beside it
	begin("the sixth elsewhere", ann, 10*time.Minute)
	begin("another address", session.Attempt{Address: "5.6.7.8", Name: "ann"}, 0)
	begin("a device that is known", session.Attempt{Address: "1.2.3.4", Name: "ann", Device: "d"}, 0)
	c.Pass(10*time.Minute + time.Second)
	begin("after the window", ann, 0)
	for i := range 30 {
		begin("many names", session.Attempt{Address: "2001:db8::" + strconv.Itoa(i+1), Name: strconv.Itoa(i)}, 0)
	}
	begin("one name more from that network", session.Attempt{Address: "2001:db8::ffff", Name: "new"}, 15*time.Minute)

	bob := session.Attempt{Address: "1.1.1.1", Name: "bob"}
	for range 4 {
		begin("bob", bob, 0)
	}
	if err := a.NoteSuccess(t.Context(), bob); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		begin("bob after success", bob, 0)
	}
	begin("bob", bob, 15*time.Minute)
}

// TestKnownDevice: by the operator who signed in with it, until the password
// changes.
func TestKnownDevice(t *testing.T) {
	t.Parallel()
	c := clocktest.New(time.Now())
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := session.NewSessions(t.Context(), bustest.Start(t), keys, nil, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	ann := operator.Operator{Name: "ann", Hash: "h"}
	cookie, _ := sessions.Device(ann)
	if sessions.DeviceID(cookie, ann) == "" {
		t.Error("the device is not known")
	}
	for name, o := range map[string]operator.Operator{"another operator": {Name: "bob", Hash: "h"}, "another password": {Name: "ann", Hash: "i"}} {
		if id := sessions.DeviceID(cookie, o); id != "" {
			t.Errorf("%s: device %s, want none", name, id)
		}
	}
	if id := sessions.DeviceID(keys.Link("console-session", "x", c.Now().Add(time.Hour)), ann); id != "" {
		t.Errorf("a session's cookie is a device: %s, want none", id)
	}
	c.Pass(session.DeviceTTL)
	if id := sessions.DeviceID(cookie, ann); id != "" {
		t.Error("the device is known for too long")
	}
}

// TestList: an operator's sessions are listed and ended by a name that is not
// their id; those of others are not.
func TestList(t *testing.T) {
	t.Parallel()
	c := clocktest.New(time.Now())
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	ann, ben := operator.Operator{Name: "ann"}, operator.Operator{Name: "ben"}
	book, err := operator.Open("", ann, ben)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := session.NewSessions(t.Context(), bustest.Start(t), keys, book, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	cookies := map[string]string{}
	for agent, o := range map[string]operator.Operator{"telephone": ann, "desk": ann, "other": ben} {
		proof := map[bool]session.Proof{true: session.SecondFactor, false: session.FirstFactor}
		if cookies[agent], _, err = sessions.Start(t.Context(), o, session.Browser{Agent: agent}, "1.2.3.4", proof[agent == "desk"]); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := sessions.List(t.Context(), "ann")
	if err != nil || len(listed) != 2 {
		t.Fatalf("List = %+v, %v", listed, err)
	}
	for _, l := range listed {
		if l.Strong != (l.Agent == "desk") || l.Address != "1.2.3.4" {
			t.Errorf("listed %+v, want it at 1.2.3.4, strong: %v", l, l.Agent == "desk")
		}
		if l.Agent != "desk" {
			continue
		}
		if there, err := sessions.EndListed(t.Context(), "ben", l.Ref); there || err != nil {
			t.Errorf("ended as another's: %v, %v", there, err)
		}
		if there, err := sessions.EndListed(t.Context(), "ann", l.Ref); !there || err != nil {
			t.Errorf("EndListed = %v, %v", there, err)
		}
	}
	if _, err := sessions.Find(t.Context(), cookies["desk"], session.Browser{Agent: "desk"}); !errors.Is(err, session.ErrNone) {
		t.Errorf("an ended session: %v", err)
	}
	if s, err := sessions.Find(t.Context(), cookies["telephone"], session.Browser{Agent: "telephone"}); err != nil || s.Strong {
		t.Errorf("the other session: %+v, %v", s, err)
	}
	c.Pass(session.Idle)
	if listed, err := sessions.List(t.Context(), "ann"); err != nil || len(listed) != 0 {
		t.Errorf("idle sessions are listed: %+v, %v", listed, err)
	}
}
