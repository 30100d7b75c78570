package outside_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"boardorder/services/part-sourcing/internal/outside"
)

// A transport answers calls without a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// replies answers call by call, the last for good; it counts them.
func replies(calls *int, list ...http.Response) transport {
	return func(*http.Request) (*http.Response, error) {
		r := list[min(*calls, len(list)-1)]
		*calls++
		if r.Header == nil {
			r.Header = http.Header{}
		}
		if r.Body == nil {
			r.Body = http.NoBody
		}
		return &r, nil
	}
}

func body(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

func request(t *testing.T) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://supplier.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReplies: which replies of a supplier are failures by themselves, and of which kind.
func TestReplies(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		reply  http.Response
		err    error // of the network
		kind   outside.Kind
		status int // of the reply that is given
	}{
		"an answer":                      {http.Response{StatusCode: 200, Body: body("fine")}, nil, "", 200},
		"nothing found is the caller's":  {http.Response{StatusCode: 404}, nil, "", 404},
		"a redirect is not followed":     {http.Response{StatusCode: 302, Header: http.Header{"Location": {"https://elsewhere.example"}}}, nil, "", 302},
		"an error is the caller's":       {http.Response{StatusCode: 500}, nil, "", 500},
		"our credentials are refused":    {http.Response{StatusCode: 401}, nil, outside.Refused, 401},
		"our calls are used up":          {http.Response{StatusCode: 429}, nil, outside.OverQuota, 429},
		"no answer":                      {http.Response{}, errors.New("connection reset"), outside.Unavailable, 0},
		"half an answer":                 {http.Response{StatusCode: 200, Body: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))}, nil, outside.Unavailable, 0},
		"as long an answer as is read":   {http.Response{StatusCode: 200, Body: io.NopCloser(io.LimitReader(zeros{}, 8<<20))}, nil, "", 200},
		"a byte more":                    {http.Response{StatusCode: 200, Body: io.NopCloser(io.LimitReader(zeros{}, 8<<20+1))}, nil, outside.InvalidAnswer, 0},
		"refused although it went wrong": {http.Response{StatusCode: 401, Body: body("{")}, nil, outside.Refused, 401},
	} {
		calls := 0
		next := replies(&calls, tt.reply)
		c := outside.New(outside.Config{Source: "supplier", Transport: transport(func(r *http.Request) (*http.Response, error) {
			if tt.err != nil {
				return nil, tt.err
			}
			return next(r)
		})})
		got, err := c.Do(t.Context(), request(t), nil)
		kind := outside.Kind("")
		if err != nil {
			kind = outside.KindOf(err)
		}
		if kind != tt.kind || got.Status != tt.status {
			t.Errorf("%s: Do gives status %d and %v, want %d and kind %q", rule, got.Status, err, tt.status, tt.kind)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestCircuit: failures in a row open the circuit; what is no fault of the supplier's does not
// count, and a good answer in between begins the row anew.
func TestCircuit(t *testing.T) {
	t.Parallel()
	good, wrong := http.Response{StatusCode: 200}, http.Response{StatusCode: 500}
	quota, refused := http.Response{StatusCode: 429}, http.Response{StatusCode: 401}
	for rule, tt := range map[string]struct {
		list []http.Response
		open bool
	}{
		"two failures":                     {[]http.Response{wrong, wrong}, false},
		"three in a row":                   {[]http.Response{wrong, wrong, wrong}, true},
		"a good one between":               {[]http.Response{wrong, wrong, good, wrong, wrong}, false},
		"calls that are used up":           {[]http.Response{quota, quota, quota, quota}, false},
		"used up between failures":         {[]http.Response{wrong, wrong, quota, wrong}, false},
		"credentials refused, three times": {[]http.Response{refused, refused, refused}, true},
	} {
		calls := 0
		c := outside.New(outside.Config{Source: "supplier", TripAfter: 3, TripFor: time.Hour, Transport: replies(&calls, append(tt.list, good)...)})
		judge := func(r outside.Reply) error {
			if r.Status != http.StatusOK {
				return c.Status(r)
			}
			return nil
		}
		for range tt.list {
			c.Do(t.Context(), request(t), judge)
		}
		_, err := c.Do(t.Context(), request(t), judge)
		want := len(tt.list) + 1
		if tt.open {
			want--
		}
		if open := err != nil; open != tt.open || calls != want || open && (outside.KindOf(err) != outside.Unavailable || outside.RetryAfter(err) != time.Hour) {
			t.Errorf("%s: after %d calls of %d the next one gives %v, to be retried in %s; want open %t after %d", rule, calls, len(tt.list)+1, err, outside.RetryAfter(err), tt.open, want)
		}
	}
}

// TestCallersWhoLeave: who waits no longer says nothing of the supplier's health.
func TestCallersWhoLeave(t *testing.T) {
	t.Parallel()
	answers := false
	c := outside.New(outside.Config{Source: "supplier", TripAfter: 1, Transport: transport(func(r *http.Request) (*http.Response, error) {
		if answers {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	})})
	for range 3 {
		ctx, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, leave)
		if _, err := c.Do(ctx, request(t), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a call whose caller left: %v, want %v", err, context.Canceled)
		}
	}
	answers = true
	if r, err := c.Do(t.Context(), request(t), nil); err != nil || r.Status != http.StatusOK {
		t.Errorf("after three callers left: status %d, %v; want 200", r.Status, err)
	}
}

// TestParallel: beyond so many calls at a time, others wait, no longer than a call may take.
func TestParallel(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	c := outside.New(outside.Config{Source: "supplier", Parallel: 1, Transport: transport(func(*http.Request) (*http.Response, error) {
		entered <- struct{}{}
		<-release
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
	})})
	first := make(chan error, 1)
	go func() {
		_, err := c.Do(context.WithoutCancel(t.Context()), request(t), nil)
		first <- err
	}()
	<-entered
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := c.Do(ctx, request(t), nil); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "too many calls are under way") {
		t.Errorf("a second call while one is under way: %v, want that there are too many", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the first call: %v, want none", err)
	}
}

// TestQuotaFirst: a call that is not to be made is not made, and a supplier that refuses calls
// is left alone by the quota, too.
func TestQuotaFirst(t *testing.T) {
	t.Parallel()
	calls, now := 0, time.Unix(1_800_000_000, 0)
	c := outside.New(outside.Config{
		Source: "supplier", Quota: outside.NewWindows(func() time.Time { return now }, outside.Limit{Calls: 2, Period: time.Minute}),
		Transport: replies(&calls, http.Response{StatusCode: 200}, http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"600"}}}, http.Response{StatusCode: 200}),
	})
	left, leave := context.WithCancel(t.Context())
	leave()
	for i, tt := range []struct {
		after time.Duration
		kind  outside.Kind
		wait  time.Duration
		calls int
	}{
		{0, "", 0, 1},
		{0, outside.OverQuota, 10 * time.Minute, 2},          // the supplier says so
		{time.Minute, outside.OverQuota, 9 * time.Minute, 2}, // and is not called
		{9*time.Minute - time.Nanosecond, outside.OverQuota, time.Nanosecond, 2},
	} {
		now = now.Add(tt.after)
		ctx := t.Context()
		if i > 1 {
			ctx = left // who has left waits for no quota
		}
		_, err := c.Do(ctx, request(t), nil)
		kind := outside.Kind("")
		if err != nil {
			kind = outside.KindOf(err)
		}
		if kind != tt.kind || outside.RetryAfter(err) != tt.wait || calls != tt.calls {
			t.Errorf("call %d: %v, to be retried in %s, after %d calls; want kind %q, %s, %d", i, err, outside.RetryAfter(err), calls, tt.kind, tt.wait, tt.calls)
		}
	}
	now = now.Add(time.Nanosecond)
	if _, err := c.Do(t.Context(), request(t), nil); err != nil || calls != 3 {
		t.Errorf("when the supplier's time is over: %v after %d calls, want none after 3", err, calls)
	}
}

// TestSecrets: no text of an error holds a secret, as it is or as an address writes it, and not
// the beginning of one that a long reply was cut through.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const secret = "top+secret/of ours"
	c := outside.New(outside.Config{Source: "supplier", Secrets: []string{"", secret}})
	for rule, err := range map[string]error{
		"in a message":           c.Fail(outside.Unavailable, "key "+secret, nil),
		"in an error":            c.Fail(outside.Unavailable, "no answer", errors.New("get ?key="+secret)),
		"in an address":          c.Fail(outside.Unavailable, "no answer", errors.New("get ?key=top%2Bsecret%2Fof+ours: reset")),
		"in a reply":             c.Status(outside.Reply{Status: 500, Body: []byte("your key is " + secret)}),
		"at the cut of a reply":  c.Status(outside.Reply{Status: 500, Body: []byte(strings.Repeat("x", 190) + secret)}),
		"in words of a supplier": c.RecordLimit(time.Hour, "too many for "+secret),
	} {
		if text := err.Error(); strings.Contains(text, "top") || strings.Contains(text, "ours") || !strings.Contains(text, "•••") {
			t.Errorf("%s: %q, want ••• in place of %q", rule, text, secret)
		}
	}
	wrapped := c.Fail(outside.Unavailable, "no answer", context.DeadlineExceeded)
	if !errors.Is(wrapped, context.DeadlineExceeded) || errors.Is(wrapped, context.Canceled) {
		t.Errorf("%v is no longer known for what it wraps, %v", wrapped, context.DeadlineExceeded)
	}
	if got, want := c.Status(outside.Reply{Status: 503, Body: []byte(strings.Repeat("x", 300))}).Error(), "supplier: unavailable: status 503: "+strings.Repeat("x", 200); got != want {
		t.Errorf("a long reply is told as %q, want %q", got, want)
	}
}

// TestKinds: errors of no kind count as a supplier that cannot be had just now.
func TestKinds(t *testing.T) {
	t.Parallel()
	e := &outside.Error{Source: "supplier", Kind: outside.OverQuota, Message: "used up", RetryAfter: time.Minute}
	for _, tt := range []struct {
		err   error
		kind  outside.Kind
		retry time.Duration
	}{{e, outside.OverQuota, time.Minute}, {errors.Join(errors.New("a"), e), outside.OverQuota, time.Minute}, {errors.New("a"), outside.Unavailable, 0}, {nil, outside.Unavailable, 0}} {
		if kind, retry := outside.KindOf(tt.err), outside.RetryAfter(tt.err); kind != tt.kind || retry != tt.retry {
			t.Errorf("%v is %q, to be retried in %s; want %q, %s", tt.err, kind, retry, tt.kind, tt.retry)
		}
	}
}
