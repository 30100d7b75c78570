package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// readVectors reads cases that every client library is held to.
func readVectors[T any](t *testing.T, name string) T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "clients", "vectors", name))
	var out T
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

func header(fields map[string]string) http.Header {
	h := http.Header{}
	for name, value := range fields {
		h.Set(name, value)
	}
	return h
}

func classOfError(err error) string {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return string(e.Class)
	}
	return err.Error()
}

func TestWebhookVectors(t *testing.T) {
	t.Parallel()
	v := readVectors[struct {
		ToleranceS int `json:"tolerance_s"`
		Cases      []struct {
			Name, Body, Error string
			Secrets           []string
			Headers           map[string]string
			Now               int64
			Event             *struct{ ID, Type string }
		}
	}](t, "webhooks.json")
	if want := time.Duration(v.ToleranceS) * time.Second; tolerance != want {
		t.Errorf("the tolerance is %v, want %v", tolerance, want)
	}
	for _, c := range v.Cases {
		event, err := verifyWebhook([]byte(c.Body), header(c.Headers), time.Unix(c.Now, 0), c.Secrets)
		var fault WebhookFault
		errors.As(err, &fault)
		if string(fault) != c.Error || (c.Event == nil) != (event == nil) || event != nil && (event.ID != c.Event.ID || event.Type != c.Event.Type) {
			t.Errorf("%s: %+v, %v; want %+v, %q", c.Name, event, err, c.Event, c.Error)
		}
	}
}

func TestErrorVectors(t *testing.T) {
	t.Parallel()
	type want struct {
		Class, Code, Message string
		Fields               []struct{ Field, Problem, Message string }
		RetryAfterS          *int   `json:"retry_after_s"`
		RequestID            string `json:"request_id"`
		OldestCursor         string `json:"oldest_cursor"`
		Questions            []string
	}
	for _, c := range readVectors[struct {
		Cases []struct {
			Name, Body string
			Status     int
			Headers    map[string]string
			Want       want
		}
	}](t, "errors.json").Cases {
		e := newError(c.Status, header(c.Headers), []byte(c.Body))
		got := want{Class: string(e.Class), Code: string(e.Code), Message: e.Message, RequestID: e.RequestID, OldestCursor: e.OldestCursor(), Fields: []struct{ Field, Problem, Message string }{}}
		for _, f := range e.Fields {
			got.Fields = append(got.Fields, struct{ Field, Problem, Message string }{f.Field, string(f.Problem), f.Message})
		}
		if e.RetryAfter >= 0 {
			s := int(e.RetryAfter / time.Second)
			got.RetryAfterS = &s
		}
		if e.Reply != nil {
			for _, q := range e.Reply.Questions {
				got.Questions = append(got.Questions, q.Option)
			}
		}
		if g, w := dump(got), dump(c.Want); g != w {
			t.Errorf("%s:\n%s, want\n%s", c.Name, g, w)
		}
		if !errors.Is(e, Class(c.Want.Class)) || c.Want.RequestID != "" && !strings.Contains(e.Error(), c.Want.RequestID) {
			t.Errorf("%s: %q is not of the class %s, or lacks its request %s", c.Name, e, c.Want.Class, c.Want.RequestID)
		}
	}
}

func dump(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// A scripted reply is what a server answers to one request.
type scripted struct {
	Status        int
	Headers       map[string]string
	Body          json.RawMessage
	Text          string
	CutAfterBytes int `json:"cut_after_bytes"`
	Disconnect    bool
}

func (s scripted) write(w http.ResponseWriter) {
	if s.Disconnect {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range s.Headers {
		w.Header().Set(name, value)
	}
	body := []byte(s.Text)
	if s.Text == "" && json.Unmarshal(s.Body, &s.Text) == nil {
		body = []byte(s.Text) // a body as text
	} else if len(body) == 0 {
		body = s.Body
	}
	if s.CutAfterBytes > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(s.Status)
		w.Write(body[:s.CutAfterBytes]) //nolint:errcheck // the client sees what arrives
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(s.Status)
	w.Write(body) //nolint:errcheck // the client sees what arrives
}

// A peer answers requests one after another, and keeps them.
type peer struct {
	sync.Mutex
	replies  []scripted
	requests []*http.Request
	over     func() // called when there is no further reply
}

func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) //nolint:errcheck // only what it was is looked at
	p.Lock()
	p.requests = append(p.requests, r)
	n := len(p.requests)
	p.Unlock()
	if n > len(p.replies) {
		if p.over != nil {
			p.over()
		}
		panic(http.ErrAbortHandler)
	}
	p.replies[n-1].write(w)
}

// newPeer starts a peer and gives a client of it that waits for nothing.
func newPeer(t *testing.T, replies []scripted) (*peer, *Client) {
	t.Helper()
	p := &peer{replies: replies}
	server := httptest.NewUnstartedServer(p)
	server.Config.ErrorLog = nil
	server.Start()
	t.Cleanup(server.Close)
	// A kept connection that ends is tried again by net/http itself, unseen by us.
	c, err := New(server.URL, "bo_test_1", HTTPClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}))
	if err != nil {
		t.Fatal(err)
	}
	c.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return p, c
}

func TestRetryVectors(t *testing.T) {
	t.Parallel()
	v := readVectors[struct {
		MaxRetries int   `json:"max_retries"`
		BaseMS     int64 `json:"base_ms"`
		CapMS      int64 `json:"cap_ms"`
		LongestS   int64 `json:"longest_retry_after_s"`
		Decisions  []struct {
			Name, Method, Code, Decision string
			Keyed                        bool `json:"idempotency_key"`
			Attempt, Status              int
			Headers                      map[string]string
			ConnectionError              bool    `json:"connection_error"`
			WaitMS                       []int64 `json:"wait_ms"`
		}
		Calls []struct {
			Name, Method, Result string
			Key                  string `json:"idempotency_key"`
			KeySent              string `json:"idempotency_key_sent"`
			Replies              []scripted
			Requests             int
			Keys                 int `json:"distinct_idempotency_keys"`
		}
	}](t, "retries.json")
	if firstDelay.Milliseconds() != v.BaseMS || longestDelay.Milliseconds() != v.CapMS || longestRetryAfter.Milliseconds() != v.LongestS*1000 {
		t.Errorf("delays are %v to %v, Retry-After up to %v; want %d, %d and %d s", firstDelay, longestDelay, longestRetryAfter, v.BaseMS, v.CapMS, v.LongestS)
	}
	for _, d := range v.Decisions {
		e := newConnectionError(io.EOF)
		if !d.ConnectionError {
			e = newError(d.Status, header(d.Headers), fmt.Appendf(nil, `{"ok":false,"error":%q,"message":"A sentence."}`, d.Code))
		}
		for range 20 {
			wait, again := retryDelay(d.Method, d.Keyed, d.Attempt, v.MaxRetries, e)
			if again != (d.Decision == "wait") || again && (wait.Milliseconds() < d.WaitMS[0] || wait.Milliseconds() > d.WaitMS[1]) {
				t.Errorf("%s: %v, %v; want %s %v ms", d.Name, wait, again, d.Decision, d.WaitMS)
			}
		}
	}
	for _, call := range v.Calls {
		p, c := newPeer(t, call.Replies)
		var options []CallOption
		if call.Key != "" {
			options = append(options, IdempotencyKey(call.Key))
		}
		var out map[string]any
		err := c.Do(t.Context(), call.Method, "/v1/uploads", nil, NoBody{}, &out, options...)
		result := classOfError(err)
		if err == nil {
			result = "ok"
		}
		keys := map[string]bool{}
		for _, r := range p.requests {
			if key := r.Header.Get("Idempotency-Key"); key != "" {
				keys[key] = true
			}
		}
		if len(p.requests) != call.Requests || len(keys) != call.Keys || call.KeySent != "" && !keys[call.KeySent] || result != call.Result {
			t.Errorf("%s: %d requests with the keys %v and the result %s; want %d, %d and %s", call.Name, len(p.requests), keys, result, call.Requests, call.Keys, call.Result)
		}
	}
}

func TestPageVectors(t *testing.T) {
	t.Parallel()
	v := readVectors[struct {
		Path, Items string
		Cases       []struct {
			Name, Error string
			Limit, Take int
			Requests    []struct {
				Cursor *string
				Status int
				Reply  json.RawMessage
			}
			Items []string
		}
	}](t, "pages.json")
	for _, c := range v.Cases {
		var replies []scripted
		var want, got []string
		for _, r := range c.Requests {
			query := url.Values{}
			if c.Limit > 0 {
				query.Set("limit", strconv.Itoa(c.Limit))
			}
			if r.Cursor != nil {
				query.Set("cursor", *r.Cursor)
			}
			want = append(want, v.Path+"?"+query.Encode())
			replies = append(replies, scripted{Status: max(r.Status, 200), Body: r.Reply})
		}
		p, client := newPeer(t, replies)
		items, failure := []string{}, error(nil)
		for order, err := range walkPages[FormalOrder](t.Context(), client, v.Path, v.Items, c.Limit) {
			if failure = err; err != nil {
				break
			}
			if items = append(items, order.OrderID); len(items) == c.Take {
				break
			}
		}
		for _, r := range p.requests {
			got = append(got, r.URL.Path+"?"+r.URL.Query().Encode())
		}
		if !slices.Equal(items, c.Items) || classOfError(failure) != c.Error || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v by %q; want %q, %q by %q", c.Name, items, failure, got, c.Items, c.Error, want)
		}
	}
}

func TestFeedVectors(t *testing.T) {
	t.Parallel()
	for _, c := range readVectors[struct {
		Cases []struct {
			Name, After, Cursor, Error string
			Types                      []string
			Take                       int
			Script                     []struct {
				After string
				Reply scripted
			}
			Events       []string
			OldestCursor string `json:"oldest_cursor"`
		}
	}](t, "feed.json").Cases {
		var replies []scripted
		var want, got []string
		for _, s := range c.Script {
			replies = append(replies, s.Reply)
			want = append(want, s.After+" "+strings.Join(c.Types, ","))
		}
		p, client := newPeer(t, replies)
		ctx, stop := context.WithCancel(t.Context())
		p.over = stop
		feed := client.OpenFeed(c.After, c.Types...)
		events, failure := []string{}, error(nil)
		for event, err := range feed.Events(ctx) {
			if failure = err; err != nil {
				break
			}
			if events = append(events, event.ID); len(events) == c.Take {
				break
			}
		}
		if ctx.Err() != nil {
			failure = nil // the script is over
		}
		stop()
		for _, r := range p.requests[:min(len(p.requests), len(want))] {
			got = append(got, r.URL.Query().Get("after")+" "+r.URL.Query().Get("types"))
		}
		var e *Error
		if errors.As(failure, &e) && e.OldestCursor() != c.OldestCursor {
			t.Errorf("%s: the oldest cursor is %q, want %q", c.Name, e.OldestCursor(), c.OldestCursor)
		}
		if !slices.Equal(events, c.Events) || feed.Cursor() != c.Cursor || classOfError(failure) != c.Error || !slices.Equal(got, want) {
			t.Errorf("%s: %q, cursor %q, %v by %q; want %q, %q, %q by %q", c.Name, events, feed.Cursor(), failure, got, c.Events, c.Cursor, c.Error, want)
		}
	}
}

func TestMoneyVectors(t *testing.T) {
	t.Parallel()
	v := readVectors[struct {
		Format []struct{ Minor, Currency, Text string }
		Parse  []struct {
			Text, Minor, Currency string
			Error                 bool
		}
		Digits map[string][]string
	}](t, "money.json")
	for _, c := range v.Format {
		minor, err := strconv.ParseInt(c.Minor, 10, 64)
		if got := (Money{minor, c.Currency}).String(); err != nil || got != c.Text {
			t.Errorf("%s %s is written %q, %v; want %q", c.Minor, c.Currency, got, err, c.Text)
		}
	}
	for _, c := range v.Parse {
		got, err := ParseMoney(c.Text)
		if (err != nil) != c.Error || err == nil && (strconv.FormatInt(got.Minor, 10) != c.Minor || got.Currency != c.Currency) {
			t.Errorf("%q is read as %+v, %v; want %s %s, an error: %v", c.Text, got, err, c.Minor, c.Currency, c.Error)
		}
	}
	for digits, currencies := range v.Digits {
		for _, c := range currencies {
			if got := strconv.Itoa(fractionDigits(c)); got != digits {
				t.Errorf("%s has %s digits, want %s", c, got, digits)
			}
		}
	}
}

func TestFolderVectors(t *testing.T) {
	t.Parallel()
	v := readVectors[struct {
		Archive string
		Cases   []struct {
			Name, Error   string
			Files, Packed []string
		}
	}](t, "folders.json")
	if archiveName != v.Archive {
		t.Errorf("an archive is called %q, want %q", archiveName, v.Archive)
	}
	for _, c := range v.Cases {
		folder := fstest.MapFS{}
		for _, name := range c.Files {
			folder[name] = &fstest.MapFile{Data: []byte(name)}
		}
		files, err := listFolder(folder)
		names := []string{}
		for _, f := range files {
			names = append(names, f.name)
		}
		if !slices.Equal(names, c.Packed) || (c.Error == "no_files") != errors.Is(err, errNoFiles) {
			t.Errorf("%s: %q, %v; want %q, %q", c.Name, names, err, c.Packed, c.Error)
		}
	}
}
