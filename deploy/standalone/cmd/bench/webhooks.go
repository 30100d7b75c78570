package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// A hook is the receiver of all endpoints: a path each.
type hook struct {
	url string
	got []*arrivals
}

// openHook makes a receiver of n endpoints, which ends with ctx.
func openHook(ctx context.Context, n, events int) (*hook, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &hook{url: "http://" + ln.Addr().String()}
	for range n {
		h.got = append(h.got, newArrivals(events))
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(ln) }() // it ends by being closed
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return h, nil
}

func (h *hook) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	n, wrong := strconv.Atoi(strings.TrimPrefix(in.URL.Path, "/"))
	if errors.Join(err, wrong) == nil && n < len(h.got) {
		h.got[n].note(numberOf(string(body)), time.Now())
	}
	w.WriteHeader(http.StatusNoContent)
}

// subscribe has an account's events sent to a receiver.
func (w *told) subscribe(ctx context.Context, a account, url string) error {
	body := fmt.Sprintf(`{"url":%q,"types":["*"],"rate_per_second":500}`, url)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.system.BaseURL+"/v1/webhook-endpoints", bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", a.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("make an endpoint: %s %s", resp.Status, text)
	}
	return nil
}

// measureWebhooks sends one event at a time to an endpoint, then keeps up a rate of events of as many
// accounts as there are endpoints.
func (w *told) measureWebhooks(ctx context.Context, l feedLoad) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := int(l.each.Seconds() * float64(l.rate))
	h, err := openHook(ctx, l.endpoints+1, max(idleEvents, n/l.endpoints+1))
	if err != nil {
		return err
	}
	accounts := make([]account, l.endpoints+1)
	var making errgroup.Group
	making.SetLimit(8)
	for i := range accounts {
		making.Go(func() (err error) {
			if accounts[i], err = w.openAccount(ctx); err != nil {
				return err
			}
			return w.subscribe(ctx, accounts[i], fmt.Sprint(h.url, "/", i))
		})
	}
	if err := making.Wait(); err != nil {
		return err
	}
	alone := l.endpoints
	for i := range idleEvents {
		at, err := w.commit(ctx, accounts[alone], i)
		if err != nil {
			return err
		}
		h.got[alone].expect(i, at)
		pause(ctx, idlePause)
	}
	idle := h.got[alone].wait(ctx)
	fmt.Printf("one event at a time to a webhook endpoint, commit to arrival: p50 %s, p99 %s\n", show(idle.p50), show(idle.p99))
	before, err := timeOf(w.system.PID)()
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := w.commitAt(ctx, accounts[:l.endpoints], l.rate, n, h.got[:l.endpoints]); err != nil {
		return err
	}
	published := time.Since(begun)
	var took []time.Duration
	for _, a := range h.got[:l.endpoints] {
		took = append(took, a.wait(ctx).took...)
	}
	elapsed := time.Since(begun)
	after, err := timeOf(w.system.PID)()
	if err != nil {
		return err
	}
	f := newFigure(took, elapsed, after-before)
	fmt.Printf("%d events at %.0f a second to %d webhook endpoints: %.0f deliveries a second, commit to arrival p50 %s, p99 %s; %s of the program's processor time an event, with storing and projecting it\n",
		n, float64(n)/published.Seconds(), l.endpoints, f.rate, show(f.p50), show(f.p99), show((after-before)/time.Duration(n)))
	return nil
}
