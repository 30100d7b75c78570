package feed

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

const (
	// heartbeat is how often something is sent: proxies cut what is silent for a minute.
	heartbeat = 15 * time.Second
	// slowest is how long a client may take to read what it is sent. The system buffers some
	// kilobytes for it; nothing else does, so the next events are read once it has taken these.
	slowest = 30 * time.Second
	// streamTime is how long one stream lasts; its client opens the next, perhaps elsewhere.
	streamTime = 15 * time.Minute
	// retry is how long a client waits before it opens the next, in ms.
	retry = "3000"
	// batch is how many events are read at once.
	batch = 100
)

// A stream is one connection on which an owner is told of events as they come.
type stream struct {
	owner  string
	at     position
	want   func(feed.Type) bool
	check  func(context.Context) error // whether the key may still be told anything
	waiter *wait.Waiter
	leave  func()
}

// Stream answers GET /v1/events/stream: server-sent events. Its first block has a cursor and
// no event, so that who is cut off before the first one misses nothing either.
func (f *Feed) Stream(c *web.Call) error {
	fields := jsonbody.NewFields(nil)
	want, err := readTypes(c, fields)
	if err != nil {
		return err
	}
	if p := fields.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	s := &stream{owner: c.Caller.Account, want: want, check: f.Recheck(c)}
	if err := f.join(c, s); err != nil {
		return err
	}
	field, cursor := streamCursor(c)
	if s.at, err = f.enter(c.Context(), s.owner, field, cursor); err != nil {
		s.leave()
		return err
	}
	c.Set("Content-Type", "text/event-stream")
	c.Set("Cache-Control", "no-cache, no-transform")
	c.Set("X-Accel-Buffering", "no") // proxies pass each event on
	c.Fiber.Status(http.StatusOK)
	conn := c.Fiber.Context().Conn()
	ctx, release := c.WatchClient() // else its place would be taken until nothing can be sent any more
	c.Fiber.Context().SetBodyStreamWriter(func(out *bufio.Writer) {
		defer s.leave()
		defer release()
		f.send(ctx, &writer{out, conn}, s)
	})
	return nil
}

const (
	after       = "after"
	lastEventID = "Last-Event-ID"
)

// streamCursor is where a client wants to go on, and where it says so: a browser does by itself when
// it comes again. Who says nothing is told what comes from now on.
func streamCursor(c *web.Call) (field, cursor string) {
	if id := c.Header(lastEventID); id != "" {
		return lastEventID, id
	}
	if text, given := c.Query(after); given {
		return after, text
	}
	return after, startNow
}

// join takes a place for a stream, of those of its account and of all.
func (f *Feed) join(c *web.Call, s *stream) error {
	most := limit.EventStreams.ApplyLimits(c.Caller.Limits).Max
	leave, ok := f.Places.Enter(limit.EventStreams.Name+s.owner, most)
	if !ok {
		p := problem.New(contract.RateLimited, "%d event streams of this account are open at once, which is as many as may be. One stream tells of all events.", most)
		p.Refusal.RetryAfterS = 30
		return p
	}
	select {
	case f.open <- struct{}{}:
	default:
		leave()
		return problem.New(contract.Unavailable, "Too many event streams are open just now. Ask with GET /v1/events meanwhile.")
	}
	s.waiter = f.Waiters.Join(subjectOf(s.owner))
	s.leave = func() {
		s.waiter.Leave()
		<-f.open
		leave()
	}
	if s.waiter == nil {
		s.leave()
		return problem.New(contract.Unavailable, "Too many requests wait for something just now. Ask with GET /v1/events meanwhile.")
	}
	return nil
}

// send writes events until the client is gone or too slow, its key has ended, the edge stops,
// or the stream's time is over. All of it is for the client to come again with the last id.
func (f *Feed) send(ctx context.Context, out *writer, s *stream) {
	begun := time.Now()
	looked, wrote := begun, begun
	if out.write("retry: "+retry+"\n"+f.idLine(s)+"\n") != nil {
		return
	}
	for time.Since(begun) < streamTime && ctx.Err() == nil && !f.Waiters.IsClosed() && s.check(ctx) == nil {
		if time.Since(looked) >= settled {
			state, err := f.Events.FeedState(ctx)
			if err != nil {
				return
			}
			s.at, looked = s.at.renew(state.Last, f.Now()), time.Now()
		}
		found, err := f.read(ctx, s.owner, s.at, s.want, batch)
		if err != nil {
			return
		}
		text, wait := f.blocks(s, found), !found.more
		if text == "" && time.Since(wrote) >= heartbeat {
			text = ": still here\n\n"
		}
		if text != "" {
			if out.write(text) != nil {
				return
			}
			wrote = time.Now()
		}
		if wait {
			_, _ = s.waiter.AwaitNext(ctx, heartbeat, func(context.Context) (bool, error) { return true, nil })
		}
	}
}

// blocks writes what was found, and the cursor where only that has moved.
func (f *Feed) blocks(s *stream, found look) string {
	text := ""
	for _, e := range found.events {
		s.at.Seq = e.Seq
		data, err := json.Marshal(f.event(e))
		if err != nil { // there is nothing in it that has no JSON
			panic(err)
		}
		text += f.idLine(s) + "event: " + string(e.Type) + "\ndata: " + string(data) + "\n\n"
	}
	moved := found.at.Seq != s.at.Seq
	if s.at = found.at; moved {
		text += f.idLine(s) + "\n"
	}
	return text
}

func (f *Feed) idLine(s *stream) string { return "id: " + f.seal(s.owner, s.at) + "\n" }

// A writer gives each write a time of its own, in place of one for the whole reply.
type writer struct {
	out  *bufio.Writer
	conn net.Conn
}

func (w *writer) write(text string) error {
	if err := w.conn.SetWriteDeadline(time.Now().Add(slowest)); err != nil {
		return err
	}
	if _, err := w.out.WriteString(text); err != nil {
		return err
	}
	return w.out.Flush()
}
