package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/secret"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.uber.org/zap"
)

const owner = "acc_1"

// world is a service on a real broker.
type world struct {
	t       testing.TB
	connect func() *bus.Bus // another connection, as another replica has
	bus     *bus.Bus
	secrets *secret.Keyring
	service *Service
	mu      sync.Mutex
	offset  time.Duration
	last    map[string]feed.Entry // of each object
}

func newWorld(t testing.TB) *world {
	t.Helper()
	broker := bustest.Server(t, topology.Config{})
	w := &world{t: t, connect: func() *bus.Bus { return bustest.Connect(t, broker) }, last: map[string]feed.Entry{}}
	w.bus = w.connect()
	var err error
	if w.secrets, err = secret.New(bytes.Repeat([]byte{7}, 32)); err != nil {
		t.Fatal(err)
	}
	w.service = w.newService(w.bus)
	bustest.Go(t, func(ctx context.Context) error {
		return w.bus.Serve(ctx, bus.Work{Service: "webhooks", Handlers: w.service.Handlers(), Parallel: 4})
	})
	return w
}

func (w *world) bucket(b *bus.Bus, name string) *bus.Bucket {
	w.t.Helper()
	bucket, err := b.Bucket(w.t.Context(), name)
	if err != nil {
		w.t.Fatal(err)
	}
	return bucket
}

func (w *world) newService(b *bus.Bus) *Service {
	return New(Config{PublicURL: "https://api.example.com/", AllowLoopback: true}, b, w.bucket(b, contract.WebhookProgressBucket), zap.NewNop(), w.now)
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.offset)
}

// A replica delivers.
type replica struct {
	*sender
	stop func()
}

// start runs a replica on a connection of its own.
func (w *world) start() *replica {
	w.t.Helper()
	b := w.connect()
	s := newSender(w.newService(b), b, w.secrets, nil)
	s.timing.Beat, s.timing.Yield, s.timing.Takeover = 50*time.Millisecond, 2*time.Second, 3*time.Second
	shares := w.bucket(b, contract.WebhookSharesBucket)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.run(ctx, b, shares) }()
	var once sync.Once
	r := &replica{s, func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				w.t.Error(err)
			}
		})
	}}
	w.t.Cleanup(r.stop)
	return r
}

// advance has time go by, at once.
func (w *world) advance(d time.Duration, all ...*replica) {
	w.mu.Lock()
	w.offset += d
	w.mu.Unlock()
	for _, r := range all {
		r.sender.mu.Lock()
		for _, runners := range r.owners {
			for one := range runners {
				poke(one.news)
			}
		}
		r.sender.mu.Unlock()
	}
}

// command carries out a command of an account.
func (w *world) command(name contract.CommandName, account string, data any) error {
	w.t.Helper()
	c, err := contract.NewCommand(name, contract.NewID(contract.RequestPrefix, w.now()), account, w.now(), data)
	if err != nil {
		w.t.Fatal(err)
	}
	err = w.service.Handlers()[name](w.t.Context(), c)
	if err == nil { // as the projector does
		var named struct{ Endpoint string }
		if err := json.Unmarshal(c.Data, &named); err != nil {
			w.t.Fatal(err)
		}
		if err := w.bus.Wake(contract.WebhookEndpointAggregate, named.Endpoint); err != nil {
			w.t.Fatal(err)
		}
	}
	return err
}

// create makes an endpoint for everything.
func (w *world) create(url string, more ...func(*webhooks.CreateData)) string {
	w.t.Helper()
	data := webhooks.CreateData{
		Endpoint: contract.NewID(webhooks.Prefix, w.now()), Key: "key", Scopes: accounts.DefaultScopes(), Master: w.secrets.MasterID(), URL: url,
		Types: []string{webhooks.AllTypes}, RatePerSecond: webhooks.MaxRate,
	}
	for _, change := range more {
		change(&data)
	}
	if err := w.command(webhooks.Create, owner, data); err != nil {
		w.t.Fatal(err)
	}
	return data.Endpoint
}

// tell publishes an event of an object, as the feed does.
func (w *world) tell(of, object string) feed.Entry {
	w.t.Helper()
	key := feed.KeyOf(contract.OrderAggregate, object)
	w.mu.Lock()
	before := w.last[of+key]
	w.mu.Unlock()
	e := feed.Entry{Owner: of, Key: key, Cause: "cause", Event: feed.Event{
		ID: feed.IDOf(key, before.Sequence+feed.Places), Type: feed.OrderPaid, Timestamp: w.now().UTC().Truncate(time.Millisecond), Sequence: before.Sequence + feed.Places, Previous: before.Sequence,
		Livemode: !contract.IsTest(of), Data: feed.Data{Object: feed.OrderObject, OrderID: object, Changed: []string{"status"}},
	}}
	seq, err := w.bus.PublishPublic(w.t.Context(), e, before.Seq)
	if err != nil {
		w.t.Fatal(err)
	}
	e.Seq = seq
	w.mu.Lock()
	w.last[of+key] = e
	w.mu.Unlock()
	if err := w.bus.WakeFeed(of); err != nil {
		w.t.Fatal(err)
	}
	return e
}

// progress is what is written down of an endpoint.
func (w *world) progress(id string) (p webhooks.Progress) {
	w.t.Helper()
	value, _, err := w.bucket(w.bus, contract.WebhookProgressBucket).Get(w.t.Context(), id)
	if err == nil {
		err = json.Unmarshal(value, &p)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// A receiver is an endpoint that judges by the specification's library.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	answer   func(http.ResponseWriter, *http.Request, feed.Event)
	attempts []feed.Event
	taken    []feed.Event
	bad      []string
}

func (w *world) receive() *receiver {
	w.t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) { r.handle(w, out, in) }))
	w.t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	return r
}

func (r *receiver) handle(w *world, out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	var e feed.Event
	if err == nil {
		err = json.Unmarshal(body, &e)
	}
	if err == nil && in.URL.Query().Get("endpoint") != "" {
		err = verify(w, in.URL.Query().Get("endpoint"), body, in.Header)
	}
	r.mu.Lock()
	if err != nil {
		r.bad = append(r.bad, err.Error())
	}
	r.attempts = append(r.attempts, e)
	answer := r.answer
	r.mu.Unlock()
	if answer == nil {
		r.take(e)
		out.WriteHeader(http.StatusNoContent)
		return
	}
	answer(out, in, e)
}

// verify judges a delivery with the first secret of an endpoint.
func verify(w *world, id string, body []byte, header http.Header) error {
	key, _ := w.secrets.WebhookSecret(w.secrets.MasterID(), id, 1)
	judge, err := standardwebhooks.NewWebhookRaw(key)
	if err != nil {
		return err
	}
	return judge.Verify(body, header)
}

func (r *receiver) take(e feed.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken = append(r.taken, e)
}

func (r *receiver) set(answer func(http.ResponseWriter, *http.Request, feed.Event)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) deliveries() (attempts, taken []feed.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.attempts), slices.Clone(r.taken)
}

// awaitTaken waits until so many deliveries were taken.
func (r *receiver) awaitTaken(t testing.TB, n int) []feed.Event {
	t.Helper()
	bustest.WaitFor(t, fmt.Sprint(n, " deliveries"), func() bool { _, taken := r.deliveries(); return len(taken) >= n })
	_, taken := r.deliveries()
	return taken
}

// checkOrder fails where events of an object came twice, or in another order than they happened.
func checkOrder(t *testing.T, taken []feed.Event) {
	t.Helper()
	last := map[string]uint64{}
	for _, e := range taken {
		if key, _, _ := feed.ParseID(e.ID); e.Sequence <= last[key] {
			t.Errorf("%s with sequence %d came after %d of the same object", e.ID, e.Sequence, last[key])
		} else {
			last[key] = e.Sequence
		}
	}
}

// encode is the body that an event is sent with.
func encode(t testing.TB, e feed.Entry) []byte {
	t.Helper()
	body, err := json.Marshal(e.Event)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
