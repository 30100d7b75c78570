package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/open"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// line is the work written bare: a work queue, a handler, an event stream, a
// projector, a store, and nobody who checks, retries or explains anything.
type line struct {
	js    jetstream.JetStream
	store projection.Store
	mu    sync.Mutex
	wait  map[string]chan struct{}
	named atomic.Int64
}

// What is sent and stored has the sizes of ours, and is listed by as many keys:
// the work is the same.
var (
	request = []byte(filler(180))                                 // a request
	body    = json.RawMessage(`{"state":"` + filler(7300) + `"}`) // a quote
	about   = map[string]int{"work": 450, "done": 600}            // bytes of headers
	keys    = map[string]string{"account": filler(8), "status": filler(11), "digest": filler(64)}
)

func message(kind, subject string, data []byte) *nats.Msg {
	return &nats.Msg{Subject: subject, Header: nats.Header{"about": []string{filler(about[kind])}}, Data: data}
}

func filler(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}

// openBare starts the bare line.
func openBare(ctx context.Context) (l *line, stop func(), err error) {
	var closers []func()
	stop = func() {
		for _, f := range slices.Backward(closers) {
			f()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		return nil, stop, err
	}
	closers = append(closers, func() { _ = os.RemoveAll(dir) })
	server, err := embedded.Start(embedded.Config{Dir: filepath.Join(dir, "nats"), Port: -1})
	if err != nil {
		return nil, stop, err
	}
	closers = append(closers, func() { server.Shutdown(); server.WaitForShutdown() })
	nc, err := nats.Connect("", nats.InProcessServer(server))
	if err != nil {
		return nil, stop, err
	}
	closers = append(closers, nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, stop, err
	}
	store, err := open.Open(ctx, "sqlite:"+filepath.Join(dir, "docs.db"))
	if err != nil {
		return nil, stop, err
	}
	closers = append(closers, func() { _ = store.Close() })
	l = &line{js: js, store: store, wait: map[string]chan struct{}{}}
	end, err := l.start(ctx)
	if err != nil {
		return nil, stop, err
	}
	closers = append(closers, end)
	return l, stop, nil
}

func (l *line) start(ctx context.Context) (stop func(), err error) {
	for _, s := range []jetstream.StreamConfig{
		{Name: "WORK", Subjects: []string{"work"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage},
		{Name: "DONE", Subjects: []string{"done.>"}, Storage: jetstream.FileStorage},
	} {
		if _, err := l.js.CreateStream(ctx, s); err != nil {
			return nil, err
		}
	}
	worker, err := l.consume(ctx, "WORK", func(m jetstream.Msg) {
		if _, err := l.js.PublishMsg(ctx, message("done", "done."+m.Headers().Get("id"), body)); err == nil {
			_ = m.Ack()
		}
	})
	if err != nil {
		return nil, err
	}
	projector, err := l.project(ctx)
	if err != nil {
		return nil, err
	}
	return func() { worker.Stop(); projector.Stop() }, nil
}

func (l *line) consume(ctx context.Context, stream string, do func(jetstream.Msg)) (jetstream.ConsumeContext, error) {
	cons, err := l.js.CreateConsumer(ctx, stream, jetstream.ConsumerConfig{Durable: "all", AckPolicy: jetstream.AckExplicitPolicy, MaxAckPending: 10000})
	if err != nil {
		return nil, err
	}
	slots := make(chan struct{}, 32)
	return cons.Consume(func(m jetstream.Msg) {
		slots <- struct{}{}
		go func() { do(m); <-slots }()
	})
}

// project takes what is there in one transaction, as any projector would.
func (l *line) project(ctx context.Context) (jetstream.ConsumeContext, error) {
	inbox := make(chan jetstream.Msg, 1024)
	cons, err := l.consume(ctx, "DONE", func(m jetstream.Msg) { inbox <- m })
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			batch := []jetstream.Msg{<-inbox}
			for len(inbox) > 0 {
				batch = append(batch, <-inbox)
			}
			docs := make([]projection.Document, len(batch))
			for i, m := range batch {
				meta, _ := m.Metadata()
				docs[i] = projection.Document{Kind: "thing", ID: m.Subject()[len("done."):], Seq: meta.Sequence.Stream, Keys: keys, At: time.Now(), Body: m.Data()}
			}
			if l.store.Put(ctx, docs...) != nil {
				return
			}
			for i, m := range batch {
				_ = m.Ack()
				l.wake(docs[i].ID)
			}
		}
	}()
	return cons, nil
}

func (l *line) wake(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, ok := l.wait[id]; ok {
		close(c)
		delete(l.wait, id)
	}
}

func (l *line) roundTrip(ctx context.Context, _, _ int) error {
	id := fmt.Sprint(l.named.Add(1))
	done := make(chan struct{})
	l.mu.Lock()
	l.wait[id] = done
	l.mu.Unlock()
	msg := message("work", "work", request)
	msg.Header.Set("id", id)
	if _, err := l.js.PublishMsg(ctx, msg); err != nil {
		return err
	}
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err := l.store.Get(ctx, "thing", id)
	return err
}
