package events

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/timeline"

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
	counts map[timeline.Kind]int
	last   [shownEach]bus.Headline // a ring
	newest time.Time
}

func (k *collector) add(h bus.Headline) {
	if !k.wanted(h) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kind := timeline.Kind{Of: h.Aggregate, Name: h.Event.Name}
	if _, known := k.counts[kind]; !known && len(k.counts) >= maxKinds {
		kind = timeline.Kind{}
	}
	k.counts[kind]++
	k.last[k.total%shownEach] = h
	k.total++
	k.newest = h.StoredAt
}

// taken is what came in one tick.
type taken struct {
	total  int
	counts map[timeline.Kind]int
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
	k.total, k.counts = 0, map[timeline.Kind]int{}
	return t
}

// Live sends what happens as it is stored (text/event-stream), until the browser
// leaves, the session ends or the console stops.
func (s *Section) Live(c *page.Call) error {
	wanted, err := readFilter(c.R.URL.Query())
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.R.Context())
	defer stop()
	events := &collector{wanted: func(h bus.Headline) bool { return wanted.fits(h) && !c.Hides(h.Labels) }, counts: map[timeline.Kind]int{}}
	defer s.watches.join(wanted.of, events)()
	c.W.Header().Set("Content-Type", "text/event-stream")
	c.W.Header().Set("X-Accel-Buffering", "no")
	if err := s.stream(ctx, c, events); err != nil {
		s.Log.Debug("live view ended", zap.Error(err))
	}
	return nil
}

func (s *Section) stream(ctx context.Context, c *page.Call, events *collector) error {
	ticks, beats := time.NewTicker(tick), time.NewTicker(heartbeat)
	defer ticks.Stop()
	defer beats.Stop()
	if err := push(c, "retry: 3000\n\n"); err != nil {
		return err
	}
	for {
		text := ""
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			if text = s.liveText(c, events.take()); text == "" {
				continue
			}
		case <-beats.C:
			if now, err := s.Sessions.Look(ctx, *c.Session, c.Browser()); err != nil || !now.Strong || now.Operator.Can(operator.SeeControlled) != c.Can(operator.SeeControlled) {
				return err // what is shown may be other now: the browser connects anew
			}
			text = ": still here\n\n"
		}
		if err := push(c, text); err != nil {
			return err
		}
	}
}

// push sends at once; a browser that takes nothing for a while is left alone.
func push(c *page.Call, text string) error {
	if err := c.Controller().SetWriteDeadline(time.Now().Add(heartbeat)); err != nil {
		return err
	}
	if _, err := c.W.Write([]byte(text)); err != nil {
		return err
	}
	return c.Controller().Flush()
}

// liveText is one message; "" when nothing happened.
func (s *Section) liveText(c *page.Call, t taken) string {
	if t.total == 0 {
		return ""
	}
	now := s.Now()
	batch := liveBatch{Total: t.total, Counts: map[string]int{}, Events: make([]liveEvent, 0, len(t.last)), Behind: max(0, now.Sub(t.newest).Milliseconds()), Sent: now.UnixMilli()}
	for kind, n := range t.counts {
		batch.Counts[timeline.Title(kind)] += n
	}
	for _, h := range t.last {
		if hidden, err := hidesHeadline(c, h); hidden || err != nil {
			continue
		}
		batch.Events = append(batch.Events, liveEvent{
			Aggregate: string(h.Aggregate), ID: h.AggregateID, Short: format.ID(h.AggregateID), Event: timeline.Title(timeline.Kind{Of: h.Aggregate, Name: h.Event.Name}), Seq: h.Position.String(),
			At: format.Time(h.At), Account: c.AccountName(h.Account), Cause: format.ID(h.Cause), Operation: format.ID(h.Operation), Size: format.Size(h.Size),
		})
	}
	text, err := json.Marshal(batch)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("data: %s\n\n", text)
}
