package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"

	"go.uber.org/zap"
)

// told is a running system with a connection to its broker, by which its services are done
// without: what is measured begins with a commit.
type told struct {
	system   *system
	bus      *bus.Bus
	accounts atomic.Int64
	again    atomic.Int64 // streams that ended early and were opened again
}

// startTold starts a program, and gives what ends it.
func startTold(ctx context.Context, program string) (w *told, end func(), err error) {
	s, err := startSystem(ctx, program, 1, "LOG_LEVEL=error")
	if err != nil {
		return nil, nil, err
	}
	b, err := bus.Connect(ctx, bus.Config{URL: s.NATSURL, Name: "bench", Log: zap.NewNop()})
	if err == nil {
		if err = b.Verify(ctx); err == nil {
			return &told{system: s, bus: b}, func() { b.Close(); _ = s.stop() }, nil // a temporary folder is left at the worst
		}
		b.Close()
	}
	return nil, nil, errors.Join(err, s.stop())
}

// account is one with a key, which calls from a network of its own: a server takes so many
// connections of each.
type account struct {
	id, key string
	client  *http.Client
}

// clientFrom makes a client that calls from an address of the machine's loopback network.
func clientFrom(n int) *http.Client {
	from := &net.TCPAddr{IP: net.IPv4(127, 0, byte(1+n%250), 1)}
	return &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext, MaxIdleConnsPerHost: streamsEach}}
}

// openAccount makes an account whose key is known.
func (w *told) openAccount(ctx context.Context) (account, error) {
	key := secret.NewAPIKey(true)
	a := account{contract.NewID("acc_", time.Now()), key.Text, clientFrom(int(w.accounts.Add(1)))}
	limits := map[string]int{"requests": 1_000_000}
	for _, do := range []struct {
		name contract.CommandName
		data any
	}{
		{accounts.Open, accounts.OpenData{ID: a.id, Name: "Bench", Limits: limits}},
		{accounts.CreateKey, accounts.CreateKeyData{Account: a.id, Key: accounts.APIKey{
			ID: key.ID, Name: "bench", Prefix: key.Prefix(), Hash: key.Hash(), Scopes: accounts.DefaultScopes(), Live: true, CreatedAt: time.Now(),
		}}},
	} {
		c, err := contract.NewRootCommand(do.name, contract.NewID("bench_", time.Now()), a.id, time.Now(), do.data)
		if err == nil {
			err = w.bus.Send(ctx, c)
		}
		if err != nil {
			return a, err
		}
		if err := w.awaitAccount(ctx, a, do.name == accounts.CreateKey); err != nil {
			return a, err
		}
	}
	return a, nil
}

// awaitAccount waits until an account is there, with its key if that is wanted.
func (w *told) awaitAccount(ctx context.Context, a account, withKey bool) error {
	for ctx.Err() == nil {
		if withKey {
			resp, err := w.get(ctx, a, "/auth/check", "")
			if err != nil {
				return err
			}
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		} else if _, err := w.bus.Last(ctx, contract.AccountAggregate, a.id); err == nil {
			return nil
		}
		pause(ctx, 5*time.Millisecond)
	}
	return ctx.Err()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// requestNamed names the n-th event, which its client finds in it.
func requestNamed(i int) string { return "req_" + strconv.Itoa(i) }

// numberOf is the n of what tells of requestNamed(n); -1 of anything else.
func numberOf(event string) int {
	_, rest, _ := strings.Cut(event, `"request_id":"req_`)
	digits, _, _ := strings.Cut(rest, `"`)
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}

// commit stores a priced quote and gives when that was acknowledged.
func (w *told) commit(ctx context.Context, a account, i int) (time.Time, error) {
	_, err := w.commitVersion(ctx, a, i, 1, 0)
	return time.Now(), err
}

// commitVersion stores a version of a quote that is priced, after the last at a sequence, and gives its own.
func (w *told) commitVersion(ctx context.Context, a account, i int, version, after uint64) (uint64, error) {
	now, total, currency := time.Now().UTC(), int64(12_345), "USD"
	ref := contract.DeriveID("bench", a.id, strconv.Itoa(i))
	q := quotes.Quote{
		Ref: ref, Account: a.id, RequestID: requestNamed(i), Mode: quotes.ModeInstant, Status: quotes.Ready, Version: 1, CreatedAt: now,
		ExpiresAt: now.Add(quotes.InstantTTL), Reply: quotes.Reply{Quantity: 10, TotalCents: &total, Currency: &currency},
	}
	data, err := json.Marshal(map[string]any{"state": q})
	if err != nil {
		return 0, err
	}
	return w.bus.Append(ctx, contract.Event{
		ID: fmt.Sprint(ref, ".", version), Aggregate: contract.QuoteAggregate, AggregateID: ref, Name: quotes.EventPriced, Format: contract.FormatOf(contract.QuoteAggregate),
		Version: version, Account: a.id, At: now, Data: data,
	}, after)
}

func (w *told) get(ctx context.Context, a account, path, lastEventID string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.system.BaseURL+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-Key", a.key)
	if lastEventID != "" {
		req.Header.Set("Last-Event-ID", lastEventID)
	}
	return a.client.Do(req)
}

// stream reads server-sent events from a cursor until ctx ends. Like a browser it comes again
// with the last id where the stream ends before.
func (w *told) stream(ctx context.Context, a account, from string, opened chan<- struct{}, note func(i int, at time.Time)) error {
	last, err := w.streamOnce(ctx, a, from, func() { opened <- struct{}{} }, note)
	for err == nil && ctx.Err() == nil {
		w.again.Add(1)
		last, err = w.streamOnce(ctx, a, last, func() {}, note)
	}
	return err
}

// streamOnce reads one stream to its end, and gives the last id.
func (w *told) streamOnce(ctx context.Context, a account, from string, opened func(), note func(i int, at time.Time)) (last string, err error) {
	resp, err := w.get(ctx, a, "/v1/events/stream", from)
	if err != nil {
		return from, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return from, fmt.Errorf("stream: %s", resp.Status)
	}
	in := bufio.NewScanner(resp.Body)
	for last = from; in.Scan(); {
		if event, ok := strings.CutPrefix(in.Text(), "data: "); ok {
			note(numberOf(event), time.Now())
		} else if id, ok := strings.CutPrefix(in.Text(), "id: "); ok {
			if last == from {
				opened()
			}
			last = id
		}
	}
	if err = in.Err(); errors.Is(err, io.ErrUnexpectedEOF) { // cut off
		err = nil
	}
	return last, err
}

// drain reads n events from a cursor.
func (w *told) drain(ctx context.Context, a account, from string, n int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return ctxError(w.stream(ctx, a, from, make(chan struct{}, 1), func(int, time.Time) {
		if n--; n == 0 {
			cancel()
		}
	}))
}

// page is a reply of GET /v1/events.
type page struct {
	Events     []feed.Event `json:"events"`
	NextCursor string       `json:"next_cursor"`
}

func (w *told) page(ctx context.Context, a account, query string) (p page, err error) {
	resp, err := w.get(ctx, a, "/v1/events?"+query, "")
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return p, fmt.Errorf("events: %s", resp.Status)
	}
	return p, json.NewDecoder(resp.Body).Decode(&p)
}

// poll asks with a wait, again and again, until ctx ends.
func (w *told) poll(ctx context.Context, a account, opened chan<- struct{}, note func(i int, at time.Time)) error {
	p, err := w.page(ctx, a, "after=now")
	if err != nil {
		return err
	}
	opened <- struct{}{}
	for ctx.Err() == nil {
		if p, err = w.page(ctx, a, "wait_s=30&limit=100&after="+url.QueryEscape(p.NextCursor)); err != nil {
			return err
		}
		for _, e := range p.Events {
			note(numberOf(`"request_id":"`+e.Data.RequestID+`"`), time.Now())
		}
	}
	return nil
}

// list reads n events by pages, and gives the cursor after the first.
func (w *told) list(ctx context.Context, a account, n int) (cursor string, err error) {
	first, err := w.page(ctx, a, "limit=1")
	if err != nil {
		return "", err
	}
	after := first.NextCursor
	for got := len(first.Events); got < n; {
		p, err := w.page(ctx, a, "limit=100&after="+url.QueryEscape(after))
		if err != nil {
			return "", err
		}
		if len(p.Events) == 0 {
			return "", fmt.Errorf("%d events of %d", got, n)
		}
		got, after = got+len(p.Events), p.NextCursor
	}
	return first.NextCursor, nil
}

// await waits for one of the clients to be there.
func await(ctx context.Context, opened <-chan struct{}) error {
	limit, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	select {
	case <-opened:
		return nil
	case <-limit.Done():
		return errors.New("a client did not open its stream")
	}
}

// ctxError leaves out that ctx was ended.
func ctxError(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
