package web

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

const (
	// beat is how often a quiet stream shows that it lives, and the session is
	// looked at again.
	beat = 15 * time.Second
	// backlog is how many events wait for a slow browser; more are left out,
	// and it is informed.
	backlog = 256
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

// live sends events as they are stored (text/event-stream), until the browser
// leaves, the session ends or the console stops.
func (s *Server) live(c *call) error {
	of, err := chosen(c.r.URL.Query().Get("aggregate"))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.r.Context())
	defer stop()
	events, group := make(chan bus.Headline, backlog), new(errgroup.Group)
	missed := make(chan struct{}, 1)
	for _, a := range of {
		group.Go(func() error { return s.Bus.Watch(ctx, a, offer(events, missed)) })
	}
	c.w.Header().Set("Content-Type", "text/event-stream")
	c.w.Header().Set("X-Accel-Buffering", "no")
	err = c.stream(ctx, events, missed)
	stop()
	if watching := group.Wait(); watching != nil {
		s.Log.Warn("live view", zap.Error(watching))
	}
	if err != nil {
		s.Log.Debug("live view ended", zap.Error(err))
	}
	return nil
}

// offer hands events on without waiting for a slow browser.
func offer(events chan<- bus.Headline, missed chan<- struct{}) func(bus.Headline) {
	return func(h bus.Headline) {
		select {
		case events <- h:
		default:
			select {
			case missed <- struct{}{}:
			default:
			}
		}
	}
}

func (c *call) stream(ctx context.Context, events <-chan bus.Headline, missed <-chan struct{}) error {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	if err := c.push("retry: 3000\n\n"); err != nil {
		return err
	}
	for {
		text := ""
		select {
		case <-ctx.Done():
			return nil
		case h := <-events:
			text = c.liveLine(h)
		case <-missed:
			text = "event: missed\ndata: {}\n\n"
		case <-tick.C:
			if _, err := c.s.Sessions.Find(ctx, c.cookie(sessionCookie), c.r.UserAgent()); err != nil {
				return err
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
	if err := c.controller().SetWriteDeadline(time.Now().Add(beat)); err != nil {
		return err
	}
	if _, err := c.w.Write([]byte(text)); err != nil {
		return err
	}
	return c.controller().Flush()
}

func (c *call) liveLine(h bus.Headline) string {
	line, err := json.Marshal(liveEvent{
		Aggregate: string(h.Aggregate), ID: h.AggregateID, Short: id(h.AggregateID), Event: said(h.Aggregate, h.Event.Name), Seq: h.Position.String(),
		At: when(h.At), Account: c.accountName(h.Account), Cause: id(h.Cause), Operation: id(h.Operation), Size: size(h.Size),
	})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("data: %s\n\n", line)
}

// said is an event in words: quote: review priced.
func said(a contract.Aggregate, e contract.EventName) string { return words(a) + ": " + words(e) }

// Said is the event in words.
func (m moment) Said() string { return said(m.Aggregate, m.Headline.Event.Name) }
