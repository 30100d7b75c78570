package bus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
)

// Wake says that the projection holds a newer state of an aggregate. It is a
// hint and may be lost. It travels only to those who wait for it.
func (b *Bus) Wake(a contract.Aggregate, id string) error {
	if err := b.nc.Publish(contract.WakeSubject(a, id), nil); err != nil {
		return fmt.Errorf("wake %s %s: %w", a, id, err)
	}
	return nil
}

// announce hands the outcome of a request that was just committed to who waits
// for it, so that nobody waits for the projection. It may be lost: then the
// projection's call comes later.
func (b *Bus) announce(e contract.Event) {
	if e.Operation == "" || !contract.IsAnnounced(e.Aggregate) {
		return
	}
	h := eventHeader(b.cfg.Name, e)
	set(h, hSequence, strconv.FormatUint(e.Seq, 10))
	msg := &nats.Msg{Subject: contract.WakeSubject(contract.OperationAggregate, e.Operation), Header: h, Data: e.Data}
	_ = b.nc.PublishMsg(msg) // who waits looks by itself too
}

// parseAnnouncement is the event that a call hands over; nil where it is only a hint. What
// has a subject to answer to came out of a consumer: whoever takes from one can
// choose where that goes.
func parseAnnouncement(m *nats.Msg) *contract.Event {
	if len(m.Data) == 0 || m.Reply != "" {
		return nil
	}
	a, id, _ := strings.Cut(get(m.Header, hSubject), "/")
	seq, err := strconv.ParseUint(get(m.Header, hSequence), 10, 64)
	if err != nil {
		return nil
	}
	e, err := decodeEvent(contract.EventSubject(contract.Aggregate(a), id), m.Header, m.Data, seq)
	if err != nil || m.Subject != contract.WakeSubject(contract.OperationAggregate, e.Operation) {
		return nil
	}
	return &e
}

// WatchChange calls do whenever the projection holds a newer state of the
// aggregate, until stop is called: a hint to look again. Who waits for a request
// may be handed the event that completes it, as it was committed. do must not block.
func (b *Bus) WatchChange(a contract.Aggregate, id string, do func(committed *contract.Event)) (stop func(), err error) {
	if !contract.ValidToken(id) {
		return nil, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	return b.wakes.subscribe(contract.WakeSubject(a, id), do)
}

// WatchChanges calls do for every aggregate of a kind that changes, until ctx ends:
// for what each replica keeps of few of them. do must not block.
func (b *Bus) WatchChanges(ctx context.Context, a contract.Aggregate, do func(id string)) error {
	prefix := contract.WakeSubject(a, "")
	sub, err := b.nc.Subscribe(prefix+"*", func(m *nats.Msg) { do(strings.TrimPrefix(m.Subject, prefix)) })
	if err != nil {
		return fmt.Errorf("subscribe %s: %w", prefix, err)
	}
	<-ctx.Done()
	_ = sub.Unsubscribe()
	return nil
}

// wakes shares one channel, and one goroutine, among all subscriptions.
type wakes struct {
	nc       *nats.Conn
	messages chan *nats.Msg

	mu   sync.Mutex
	subs map[string]*wakeSub
	once sync.Once
}

type wakeSub struct {
	sub *nats.Subscription
	do  map[*int]func(*contract.Event)
}

// wakesWaiting is how many calls may wait to be handed on; more are lost.
const wakesWaiting = 16384

func newWakes(nc *nats.Conn) *wakes {
	return &wakes{nc: nc, messages: make(chan *nats.Msg, wakesWaiting), subs: map[string]*wakeSub{}}
}

func (w *wakes) subscribe(subject string, do func(*contract.Event)) (stop func(), err error) {
	w.once.Do(func() { go w.run() })
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.subs[subject]
	if s == nil {
		sub, err := w.nc.ChanSubscribe(subject, w.messages)
		if err != nil {
			return nil, fmt.Errorf("subscribe %s: %w", subject, err)
		}
		s = &wakeSub{sub, map[*int]func(*contract.Event){}}
		w.subs[subject] = s
	}
	key := new(int)
	s.do[key] = do
	return func() { w.unsubscribe(subject, key) }, nil
}

func (w *wakes) unsubscribe(subject string, key *int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.subs[subject]
	if s == nil {
		return
	}
	delete(s.do, key)
	if len(s.do) == 0 {
		delete(w.subs, subject)
		_ = s.sub.Unsubscribe()
	}
}

// run hands calls on until the connection is closed.
func (w *wakes) run() {
	closed := w.nc.StatusChanged(nats.CLOSED)
	for {
		select {
		case <-closed:
			return
		case m := <-w.messages:
			w.call(m)
		}
	}
}

// call runs without the lock: what is called may hold one of its own that
// others hold while they subscribe.
func (w *wakes) call(m *nats.Msg) {
	w.mu.Lock()
	var calls []func(*contract.Event)
	if s := w.subs[m.Subject]; s != nil {
		calls = slices.Collect(maps.Values(s.do))
	}
	w.mu.Unlock()
	if len(calls) == 0 {
		return
	}
	committed := parseAnnouncement(m)
	for _, do := range calls {
		do(committed)
	}
}
