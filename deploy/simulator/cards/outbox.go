package cards

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"boardorder/deploy/simulator/ledger"

	"go.uber.org/zap"
)

// Chaos is how the webhooks misbehave. The processor promises neither that an
// event comes once nor that events come in order; this makes it happen often.
type Chaos struct {
	Duplicate int  `json:"duplicate"` // each event is sent this many times more
	DelayMS   int  `json:"delay_ms"`  // each event is held back up to this long, at random: late and out of order
	Paused    bool `json:"paused"`    // nothing is sent until this is false again
}

const (
	sendTimeout  = 10 * time.Second
	sendParallel = 8
	giveUpAfter  = 72 * time.Hour
)

var usualDelays = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
}

// owed is an event that the endpoint has not taken yet.
type owed struct {
	event    Event
	attempts int
	next     time.Time
	sending  bool
	again    int // how often it is still to be sent after it was taken
}

// outbox sends every event until the endpoint takes it.
type outbox struct {
	log    *zap.Logger
	now    func() time.Time
	delays []time.Duration
	client *http.Client
	ledger *ledger.Ledger[Delivery]
	slots  chan struct{}
	wake   chan struct{}

	mu     sync.Mutex
	url    string
	secret string
	chaos  Chaos
	owed   map[string]*owed
	sent   []Delivery
}

func openOutbox(cfg Config, events []Event) (*outbox, error) {
	o := &outbox{
		log: cfg.Log, now: cfg.Now, delays: cfg.RetryDelays, url: cfg.WebhookURL, secret: cfg.WebhookSecret,
		slots: make(chan struct{}, sendParallel), wake: make(chan struct{}, 1), owed: map[string]*owed{},
		client: &http.Client{
			Timeout:       sendTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if len(o.delays) == 0 {
		o.delays = usualDelays
	}
	o.add(events, cfg.Now())
	var err error
	o.ledger, err = ledger.Open(filepath.Join(cfg.Dir, "webhooks.jsonl"), func(d Delivery) error {
		o.note(d)
		return nil
	})
	return o, err
}

// note takes a finished attempt into account.
func (o *outbox) note(d Delivery) {
	o.sent = append(o.sent, d)
	if e, ok := o.owed[d.Event]; ok {
		e.attempts = d.Attempt
		if d.Done || d.GaveUp {
			delete(o.owed, d.Event)
		}
	}
}

// add takes on new events.
func (o *outbox) add(events []Event, now time.Time) {
	if len(events) == 0 {
		return
	}
	o.mu.Lock()
	for _, e := range events {
		next := now
		if o.chaos.DelayMS > 0 {
			next = now.Add(rand.N(time.Duration(o.chaos.DelayMS) * time.Millisecond))
		}
		o.owed[e.ID] = &owed{event: e, next: next, again: o.chaos.Duplicate}
	}
	o.mu.Unlock()
	o.nudge()
}

func (o *outbox) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) point(url, secret string) {
	o.mu.Lock()
	o.url, o.secret = url, secret
	for _, e := range o.owed {
		e.next = o.now()
	}
	o.mu.Unlock()
	o.nudge()
}

func (o *outbox) setChaos(c Chaos) {
	o.mu.Lock()
	o.chaos = c
	o.mu.Unlock()
	o.nudge()
}

func (o *outbox) owes(event string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, ok := o.owed[event]
	return ok
}

func (o *outbox) deliveries() []Delivery {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]Delivery{}, o.sent...)
}

// run sends what falls due until ctx ends, and then waits for what is on its way.
func (o *outbox) run(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		due, wait := o.due()
		for _, e := range due {
			o.slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-o.slots }()
				o.send(ctx, e)
			})
		}
		if !sleep(ctx, wait, o.wake) {
			return
		}
	}
}

// sleep waits for d, a wake-up, or the end of ctx, when it returns false.
// Negative means: only for a wake-up.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	var alarm <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		alarm = t.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-wake:
	case <-alarm:
	}
	return ctx.Err() == nil
}

// due marks and returns the events to send now, and how long until the next.
func (o *outbox) due() ([]*owed, time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.url == "" || o.chaos.Paused {
		return nil, -1
	}
	now, wait := o.now(), time.Duration(-1)
	var due []*owed
	for _, e := range o.owed {
		if e.sending {
			continue
		}
		if left := e.next.Sub(now); left <= 0 {
			e.sending = true
			due = append(due, e)
		} else if wait < 0 || left < wait {
			wait = left
		}
	}
	return due, wait
}

// send makes one attempt and writes down how it went.
func (o *outbox) send(ctx context.Context, e *owed) {
	o.mu.Lock()
	url, secret := o.url, o.secret
	o.mu.Unlock()
	status, err := o.post(ctx, url, secret, e.event)
	if ctx.Err() != nil {
		return // it is still owed, and sent again after the restart
	}
	o.finish(e, status, err)
	o.nudge()
}

func (o *outbox) finish(e *owed, status int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	d := Delivery{Event: e.event.ID, Attempt: e.attempts + 1, At: now.UTC(), Status: status}
	if err != nil {
		d.Error = err.Error()
	}
	taken := err == nil && status >= 200 && status < 300
	switch {
	case taken && e.again > 0:
		e.again--
		e.next = now
	case taken:
		d.Done = true
	case now.Sub(time.Unix(e.event.Created, 0)) > giveUpAfter:
		d.GaveUp = true
	default:
		e.next = now.Add(o.delays[min(e.attempts, len(o.delays)-1)])
	}
	e.sending = false
	if err := o.ledger.Append(d); err != nil {
		o.log.Error("the ledger of webhooks cannot be saved", zap.Error(err))
	}
	o.note(d)
}

func (o *outbox) post(ctx context.Context, url, secret string, e Event) (int, error) {
	body, err := json.Marshal(viewEvent(e, 1))
	if err != nil {
		return 0, fmt.Errorf("write event: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
	req.Header.Set("Stripe-Signature", Sign(body, secret, o.now()))
	res, err := o.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
	return res.StatusCode, nil
}

// Sign returns the Stripe-Signature header of a webhook's body sent at that time.
func Sign(body []byte, secret string, at time.Time) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.", at.Unix())
	mac.Write(body)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(mac.Sum(nil)))
}
