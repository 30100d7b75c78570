package web

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/services/console/internal/operator"

	"go.uber.org/zap"
)

const (
	// heartbeat is how often a quiet stream shows that it lives, and the session is
	// looked at again.
	heartbeat = 15 * time.Second
	// tick is how often a browser gets what happened since the last time. However
	// many events there are, it gets that many messages.
	tick = 250 * time.Millisecond
	// shownEach is how many events of one tick are shown. All are counted.
	shownEach = 20
	// maxKinds bounds how many kinds of event one message counts apart.
	maxKinds = 100
)

// liveEvent is one line of the live view.
type liveEvent struct {
	Aggregate string `json:"aggregate"`
	ID        string `json:"id"`
	Short     string `json:"short"`
	Event     string `json:"event"`
	Seq       string `json:"seq"`
	At        string `json:"at"`
	Account   string `json:"account"`
	Cause     string `json:"cause"`
	Operation string `json:"operation"`
	Size      string `json:"size"`
}

// liveBatch is what happened in one tick: how many events of each kind, and some
// of them, newest last.
type liveBatch struct {
	Total  int            `json:"total"`
	Counts map[string]int `json:"counts"`
	Events []liveEvent    `json:"events"`
	Behind int64          `json:"behind"` // ms from when the newest was stored to this message
	Sent   int64          `json:"sent"`   // when, in ms since 1970
}

// A collector takes events as they come, counts every one, and keeps the last few
// to show. It never waits for a browser and its size is bounded.
type collector struct {
	wanted func(bus.Headline) bool

	mu     sync.Mutex
	total  int
	counts map[kindOfEvent]int
	last   [shownEach]bus.Headline // a ring
	newest time.Time
}

type kindOfEvent struct {
	of   contract.Aggregate
	name contract.EventName
}

func (k *collector) add(h bus.Headline) {
	if !k.wanted(h) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kind := kindOfEvent{h.Aggregate, h.Event.Name}
	if _, known := k.counts[kind]; !known && len(k.counts) >= maxKinds {
		kind = kindOfEvent{}
	}
	k.counts[kind]++
	k.last[k.total%shownEach] = h
	k.total++
	k.newest = h.StoredAt
}

// taken is what came in one tick.
type taken struct {
	total  int
	counts map[kindOfEvent]int
	last   []bus.Headline // oldest first
	newest time.Time      // when the youngest was stored
}

// take gives what came since the last time.
func (k *collector) take() taken {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.total == 0 {
		return taken{}
	}
	t := taken{total: k.total, counts: k.counts, newest: k.newest}
	for i := max(0, k.total-shownEach); i < k.total; i++ {
		t.last = append(t.last, k.last[i%shownEach])
	}
	k.total, k.counts = 0, map[kindOfEvent]int{}
	return t
}

// live sends what happens as it is stored (text/event-stream), until the browser
// leaves, the session ends or the console stops.
func (s *Server) live(c *call) error {
	wanted, err := readFilter(c.r.URL.Query())
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.r.Context())
	defer stop()
	events := &collector{wanted: func(h bus.Headline) bool { return wanted.fits(h) && !c.hides(h.Marks) }, counts: map[kindOfEvent]int{}}
	defer s.watches.join(wanted.of, events)()
	c.w.Header().Set("Content-Type", "text/event-stream")
	c.w.Header().Set("X-Accel-Buffering", "no")
	if err := c.stream(ctx, events); err != nil {
		s.Log.Debug("live view ended", zap.Error(err))
	}
	return nil
}

func (c *call) stream(ctx context.Context, events *collector) error {
	ticks, beats := time.NewTicker(tick), time.NewTicker(heartbeat)
	defer ticks.Stop()
	defer beats.Stop()
	if err := c.push("retry: 3000\n\n"); err != nil {
		return err
	}
	for {
		text := ""
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			if text = c.liveText(events.take()); text == "" {
				continue
			}
		case <-beats.C:
			if now, err := c.s.Sessions.Look(ctx, *c.session, c.browser()); err != nil || !now.Strong || now.Operator.Can(operator.SeeControlled) != c.can(operator.SeeControlled) {
				return err // what is shown may be other now: the browser connects anew
			}
			text = ": still here\n\n"
		}
		if err := c.push(text); err != nil {
			return err
		}
	}
}

// push sends at once; a browser that takes nothing for a while is left alone.
func (c *call) push(text string) error {
	if err := c.controller().SetWriteDeadline(time.Now().Add(heartbeat)); err != nil {
		return err
	}
	if _, err := c.w.Write([]byte(text)); err != nil {
		return err
	}
	return c.controller().Flush()
}

// liveText is one message; "" when nothing happened.
func (c *call) liveText(t taken) string {
	if t.total == 0 {
		return ""
	}
	now := c.s.Now()
	batch := liveBatch{Total: t.total, Counts: map[string]int{}, Events: make([]liveEvent, 0, len(t.last)), Behind: max(0, now.Sub(t.newest).Milliseconds()), Sent: now.UnixMilli()}
	for kind, n := range t.counts {
		batch.Counts[title(kind)] += n
	}
	for _, h := range t.last {
		batch.Events = append(batch.Events, liveEvent{
			Aggregate: string(h.Aggregate), ID: h.AggregateID, Short: id(h.AggregateID), Event: title(kindOfEvent{h.Aggregate, h.Event.Name}), Seq: h.Position.String(),
			At: formatTime(h.At), Account: c.accountName(h.Account), Cause: id(h.Cause), Operation: id(h.Operation), Size: size(h.Size),
		})
	}
	text, err := json.Marshal(batch)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("data: %s\n\n", text)
}

// title is an event in words: quote: review priced.
func title(k kindOfEvent) string {
	if k == (kindOfEvent{}) {
		return "others"
	}
	return words(k.of) + ": " + words(k.name)
}

// Title is the event in words.
func (m moment) Title() string { return title(kindOfEvent{m.Aggregate, m.Headline.Event.Name}) }
