package access

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/access/brokertest"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A broker runs with the file that Compose and Kubernetes give theirs.
type broker struct{ brokertest.Broker }

func start(t *testing.T) broker {
	t.Helper()
	var passwords []string
	for _, user := range append(users(), SystemUser, OperatorUser) {
		passwords = append(passwords, Variable(user))
	}
	return broker{brokertest.Start(t, root, passwords)}
}

func users() []string {
	var out []string
	for _, p := range Programs() {
		out = append(out, p.Name)
	}
	return out
}

// A client is one user's connection.
type client struct{ *nats.Conn }

func (b broker) dial(t *testing.T, user string) client {
	t.Helper()
	nc, err := nats.Connect(b.URL(user), nats.CustomInboxPrefix(bus.InboxPrefix(user)),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatalf("%s: %v", user, err)
	}
	t.Cleanup(nc.Close)
	return client{nc}
}

func (c client) js(t *testing.T) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(c.Conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// isRefused reports whether the broker refused what was done with a subject just
// now: its refusal is on the connection before the answer to a flush.
func (c client) isRefused(t *testing.T, subject string, done error) bool {
	t.Helper()
	if err := errors.Join(done, c.Flush()); err != nil {
		t.Fatal(err)
	}
	err := c.LastError()
	return errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), ` to "`+subject+`"`)
}

func (c client) publishRefused(t *testing.T, subject string) bool {
	t.Helper()
	return c.isRefused(t, subject, c.Publish(subject, []byte("{}")))
}

func (c client) subscribeRefused(t *testing.T, subject string) bool {
	t.Helper()
	_, err := c.SubscribeSync(subject)
	return c.isRefused(t, subject, err)
}

// What each user is there for, and what it must never do.
func TestUsersReachTheirSubjectsOnly(t *testing.T) {
	t.Parallel()
	b := start(t)
	for user, c := range map[string]struct{ may, mayNot []string }{
		"edge": {
			may: []string{"cmd.pricing.3.choose-delivery", "req.pricing.3.quote.key", "cmd.upload.0.create", "cmd.console.3.report-key", "$KV.RATE_LIMITS.x", "$JS.API.STREAM.MSG.GET.REQUESTS", "$JS.API.STREAM.MSG.GET.EVENTS_QUOTE"},
			mayNot: []string{
				"evt.order.3.x", "evt.account.3.x", "evt.operation.3.x", "cmd.console.3.create-key", "cmd.console.3.change-key", "cmd.notify.3.send", "dead.pricing.quote", "timer.order.x.y",
				"wake.quote.x", "wake.operation.x", "$KV.ATTEMPTS.x", "$KV.CONSOLE_SESSIONS.x", "$JS.API.STREAM.MSG.GET.KV_CONSOLE_SESSIONS", "$JS.API.STREAM.MSG.GET.EVENTS_ORDER",
				"$JS.API.DIRECT.GET.EVENTS_ORDER.evt.order.3.x", "$JS.API.CONSUMER.CREATE.EVENTS_ORDER.x",
			},
		},
		"upload": {
			may:    []string{"evt.upload.3.x", "evt.operation.3.x", "cmd.design-check.3.read", "dead.upload.add-files", "timer.upload.x.expire", "$KV.ATTEMPTS.x"},
			mayNot: []string{"evt.quote.3.x", "evt.board.3.x", "cmd.payment.3.settle", "dead.payment.settle", "timer.order.x.y", "req.pricing.3.quote.key", "$JS.API.STREAM.MSG.GET.EVENTS_ORDER", "wake.operation.x"},
		},
		"design-check": {
			may:    []string{"timer.board.x.forget", "evt.board.3.x", "evt.design-check.3.x", "cmd.design-check.3.measure", "$JS.API.STREAM.MSG.GET.EVENTS_UPLOAD"},
			mayNot: []string{"evt.upload.3.x", "evt.quote.3.x", "cmd.upload.3.expire", "cmd.payment.3.settle", "$JS.API.STREAM.MSG.GET.EVENTS_ACCOUNT", "$JS.API.STREAM.MSG.GET.EVENTS_CHECKOUT"},
		},
		"part-sourcing": {
			may:    []string{"evt.part-check.3.x", "evt.assembly.3.x", "$JS.API.STREAM.MSG.GET.EVENTS_UPLOAD", "$KV.PART_ANSWERS.x", "$KV.SUPPLIER_QUOTAS.x", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.part-sourcing"},
			mayNot: []string{"evt.quote.3.x", "evt.upload.3.x", "cmd.payment.3.settle", "cmd.part-sourcing.3.check", "$KV.RATE_LIMITS.x", "$JS.API.STREAM.MSG.GET.EVENTS_QUOTE"},
		},
		"pricing": {
			may:    []string{"evt.quote.3.x", "evt.quote-request.3.x", "evt.board.3.x", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.pricing", "$JS.API.CONSUMER.MSG.NEXT.REQUESTS.pricing", "wake.operation.x"},
			mayNot: []string{"evt.order.3.x", "wake.quote.x", "evt.checkout.3.x", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.payment", "$JS.ACK.COMMANDS.payment.1.1.1.1.0", "$JS.API.STREAM.MSG.GET.COMMANDS"},
		},
		"payment": {
			may:    []string{"evt.checkout.3.x", "evt.order.3.x", "evt.board.3.x", "cmd.payment.3.place-order", "timer.order.x.follow"},
			mayNot: []string{"timer.board.x.forget", "timer.checkout", "evt.quote.3.x", "evt.account.3.x", "cmd.pricing.3.price-review", "req.pricing.3.quote.key", "$JS.API.STREAM.MSG.GET.EVENTS_ACCOUNT"},
		},
		"notify": {
			may:    []string{"cmd.notify.3.send", "$KV.EMAILS_SENT.x", "$JS.API.CONSUMER.MSG.NEXT.EVENTS_ORDER.notify", "$JS.API.STREAM.MSG.GET.EVENTS_ACCOUNT"},
			mayNot: []string{"evt.order.3.x", "cmd.payment.3.settle", "$JS.API.CONSUMER.MSG.NEXT.EVENTS_ORDER.projector", "wake.order.x"},
		},
		"projector": {
			may:    []string{"wake.order.x", "cmd.payment.3.settle", "$JS.API.CONSUMER.MSG.NEXT.EVENTS_ORDER.projector", "$JS.API.CONSUMER.MSG.NEXT.TIMERS.timers", "dead.timer.undecodable", "dead.timer.forged", "dead.projector.event", "$JS.API.CONSUMER.CREATE.EVENTS_ORDER.x"},
			mayNot: []string{"evt.order.3.x", "evt.operation.3.x", "timer.order.x.y", "req.pricing.3.quote.key", "$KV.CONSOLE_SESSIONS.x"},
		},
		"console": {
			may:    []string{"evt.account.3.x", "cmd.payment.3.report-order", "req.pricing.3.quote.key", "$KV.CONSOLE_SESSIONS.x", "$JS.API.STREAM.MSG.DELETE.DEAD_LETTERS"},
			mayNot: []string{"evt.order.3.x", "evt.quote.3.x", "wake.order.x", "$KV.RATE_LIMITS.x", "$JS.API.STREAM.MSG.DELETE.EVENTS_ORDER"},
		},
		"topology": {
			may:    []string{"$JS.API.STREAM.CREATE.X", "$JS.API.CONSUMER.CREATE.COMMANDS.pricing", "$JS.API.STREAM.INFO.COMMANDS"},
			mayNot: []string{"evt.order.3.x", "cmd.payment.3.settle", "$KV.CONSOLE_SESSIONS.x", "$JS.API.STREAM.MSG.GET.EVENTS_ACCOUNT", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.pricing"},
		},
		"backup": {
			may:    []string{"$JS.API.STREAM.SNAPSHOT.EVENTS_ORDER", "$JS.API.STREAM.RESTORE.EVENTS_ORDER"},
			mayNot: []string{"evt.order.3.x", "$JS.API.STREAM.DELETE.EVENTS_ORDER", "$JS.API.STREAM.PURGE.EVENTS_ORDER", "$JS.API.STREAM.MSG.GET.EVENTS_ORDER"},
		},
	} {
		t.Run(user, func(t *testing.T) {
			t.Parallel()
			u := b.dial(t, user)
			for _, subject := range c.may {
				if u.publishRefused(t, subject) {
					t.Errorf("%s may not publish to %s", user, subject)
				}
			}
			for _, subject := range c.mayNot {
				if !u.publishRefused(t, subject) {
					t.Errorf("%s may publish to %s", user, subject)
				}
			}
		})
	}
}

// Nobody but the topology's user makes, changes, empties or drops a stream.
func TestOnlyTopologyMakesStreams(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, user := range users() {
		c := b.dial(t, user)
		for _, verb := range []string{"STREAM.CREATE.X", "STREAM.UPDATE.COMMANDS", "STREAM.DELETE.COMMANDS", "STREAM.PURGE.EVENTS_ORDER", "CONSUMER.DURABLE.CREATE.COMMANDS.pricing", "CONSUMER.DELETE.COMMANDS.pricing"} {
			// The console reads commands by consumers of its own.
			known := user == "topology" || user == "console" && verb == "CONSUMER.DELETE.COMMANDS.pricing"
			if refused := c.publishRefused(t, "$JS.API."+verb); refused == known {
				t.Errorf("%s, %s: refused %t, want %t", user, verb, refused, !known)
			}
		}
		// What tells of a person is removed by the owner of the aggregate, message by message.
		if refused := c.publishRefused(t, "$JS.API.STREAM.MSG.DELETE.EVENTS_ORDER"); refused == (user == "payment") {
			t.Errorf("%s, removing an event of an order: refused %t, want %t", user, refused, user != "payment")
		}
		for _, verb := range []string{"STREAM.MSG.DELETE.EVENTS_ACCOUNT", "STREAM.MSG.DELETE.EVENTS_ERASURE", "META.LEADER.STEPDOWN", "STREAM.PEER.REMOVE.COMMANDS", "ACCOUNT.PURGE.BOARDORDER"} {
			if !c.publishRefused(t, "$JS.API."+verb) {
				t.Errorf("%s may ask for %s", user, verb)
			}
		}
	}
}

// Single events are removed by who erases them, and by who appends to an aggregate
// that may have too many: of whatever is erased, none is dropped unseen.
func TestWhoRemovesEvents(t *testing.T) {
	t.Parallel()
	b := start(t)
	oneState := aggregates(contract.OperationAggregate)
	for _, p := range append(Services(), tools()...) {
		c := b.dial(t, p.Name)
		for _, a := range contract.Aggregates() {
			erases := slices.Contains(p.Erases, contract.EventStream(a))
			if erases && !registry.Overwrites(a) && !slices.Contains(oneState, a) {
				t.Errorf("%s erases %s, of which the broker drops states for their number", p.Name, a)
			}
			may := erases || registry.Overwrites(a) && slices.Contains(p.Commits, a)
			if refused := c.publishRefused(t, "$JS.API.STREAM.MSG.DELETE."+contract.EventStream(a)); refused == may {
				t.Errorf("%s, removing an event of %s: refused %t, want %t", p.Name, a, refused, !may)
			}
		}
	}
}

// Nobody listens to what streams store, or to what others receive.
func TestUsersSubscribeToTheirOwnOnly(t *testing.T) {
	t.Parallel()
	b := start(t)
	awaits := map[string]bool{"edge": true, "console": true}
	for _, p := range Programs() {
		user := p.Name
		c := b.dial(t, user)
		for _, a := range contract.Aggregates() {
			if refused := c.subscribeRefused(t, contract.WakeSubject(a, "x")); refused == (p.Awaits || slices.Contains(slices.Concat(p.Waits, p.Hears), a)) {
				t.Errorf("%s, wake-up calls of %s: refused %t, want %t", user, a, refused, !p.Awaits && !slices.Contains(slices.Concat(p.Waits, p.Hears), a))
			}
		}
		if c.subscribeRefused(t, "_INBOX."+user+".x") {
			t.Errorf("%s receives no replies", user)
		}
		for _, subject := range []string{">", "evt.>", "cmd.>", "cmd." + user + ".>", "$KV.>", "$JS.>", "_INBOX.>", "_INBOX.*", "_INBOX.other.>", "_INBOX.*.x", "$SYS.>"} {
			if !c.subscribeRefused(t, subject) {
				t.Errorf("%s may subscribe to %s", user, subject)
			}
		}
		if refused := c.subscribeRefused(t, "wake.>"); refused == awaits[user] {
			t.Errorf("%s, wake-up calls: refused %t, want %t", user, refused, !awaits[user])
		}
	}
}

// Each service finds what it verifies at its start, with its own user.
func TestServicesVerifyTheTopology(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, p := range Services() {
		conn, err := bus.Connect(t.Context(), b.Config(p.Name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := errors.Join(conn.Verify(ctx), conn.Ready(ctx)); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if _, err := conn.States(ctx); err != nil {
			t.Errorf("%s cannot see how consumers stand: %v", p.Name, err)
		}
		for _, name := range p.Buckets {
			if _, err := conn.Bucket(ctx, name); err != nil {
				t.Errorf("%s, bucket %s: %v", p.Name, name, err)
			}
		}
	}
}

// The way of a command through the client's own library, users as they are.
func TestCommandsAndEventsPassWithTheirUsers(t *testing.T) {
	t.Parallel()
	b := start(t)
	edge, pricing, projector := b.dial(t, "edge"), b.dial(t, "pricing"), b.dial(t, "projector")
	if _, err := edge.js(t).Publish(t.Context(), "req.pricing.3.quote.key", []byte("{}")); err != nil {
		t.Fatalf("the edge sends: %v", err)
	}
	takeOne(t, pricing, contract.RequestStream, "pricing")
	if _, err := pricing.js(t).Publish(t.Context(), "evt.quote.3.x", []byte("{}"), jetstream.WithExpectLastSequencePerSubject(0)); err != nil {
		t.Fatalf("pricing commits: %v", err)
	}
	stream := contract.EventStream(contract.QuoteAggregate)
	s, err := pricing.js(t).Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.GetLastMsgForSubject(t.Context(), "evt.quote.3.x"); err != nil || m.Sequence != 1 {
		t.Fatalf("pricing loads: %v, %v", m, err)
	}
	takeOne(t, projector, stream, "projector")
	replay(t, projector, stream)
	woken, err := edge.SubscribeSync("wake.>")
	if err = errors.Join(err, edge.Flush(), projector.Publish("wake.quote.x", nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := woken.NextMsgWithContext(t.Context()); err != nil {
		t.Errorf("the edge is not woken: %v", err)
	}
	buckets(t, b)
	for _, c := range []client{edge, pricing, projector} {
		if err := c.LastError(); err != nil {
			t.Errorf("the last error of a connection is %v, want none", err)
		}
	}
}

// takeOne fetches one message of a durable consumer and acknowledges it.
func takeOne(t *testing.T, c client, stream, consumer string) {
	t.Helper()
	cons, err := c.js(t).Consumer(t.Context(), stream, consumer)
	if err != nil {
		t.Fatal(err)
	}
	m, err := cons.Next()
	if err != nil {
		t.Fatalf("%s of %s: %v", consumer, stream, err)
	}
	if err := m.DoubleAck(t.Context()); err != nil {
		t.Fatalf("%s of %s: %v", consumer, stream, err)
	}
}

// replay reads a stream from its start, as a rebuild does.
func replay(t *testing.T, c client, stream string) {
	t.Helper()
	cons, err := c.js(t).OrderedConsumer(t.Context(), stream, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cons.Next(); err != nil {
		t.Errorf("replay of %s: %v", stream, err)
	}
}

// buckets: each of them is read and written by whom the table says.
func buckets(t *testing.T, b broker) {
	t.Helper()
	for _, p := range Programs() {
		js := b.dial(t, p.Name).js(t)
		conn, err := bus.Connect(t.Context(), b.Config(p.Name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		for _, name := range p.Buckets {
			kv, err := js.KeyValue(t.Context(), name)
			if err != nil {
				t.Fatalf("%s opens %s: %v", p.Name, name, err)
			}
			if _, err := kv.Create(t.Context(), p.Name, []byte("1")); err != nil {
				t.Errorf("%s writes %s: %v", p.Name, name, err)
			}
			if e, err := kv.Get(t.Context(), p.Name); err != nil || string(e.Value()) != "1" {
				t.Errorf("%s reads %s: %v", p.Name, name, err)
			}
			if err := kv.Delete(t.Context(), p.Name); err != nil {
				t.Errorf("%s deletes of %s: %v", p.Name, name, err)
			}
		}
		for _, name := range p.Looks {
			bucket, err := conn.Bucket(t.Context(), name)
			if err != nil {
				t.Fatalf("%s opens %s: %v", p.Name, name, err)
			}
			if _, err := bucket.Keys(t.Context()); err != nil {
				t.Errorf("%s lists %s: %v", p.Name, name, err)
			}
			if _, _, err := bucket.Get(t.Context(), "none"); !errors.Is(err, bus.ErrNoKey) {
				t.Errorf("%s reads of %s: %v, want that there is no such key", p.Name, name, err)
			}
		}
	}
}

// What the broker replies may end in any stream, for it does not check the
// subject of a reply. So no user can have it reply with words of the user's own.
func TestRepliesForgeNothing(t *testing.T) {
	t.Parallel()
	b := start(t)
	orders, err := b.dial(t, OperatorUser).js(t).Stream(t.Context(), contract.EventStream(contract.OrderAggregate))
	if err != nil {
		t.Fatal(err)
	}
	pricing := b.dial(t, "pricing")
	forged := nats.NewMsg("evt.quote.3.x")
	forged.Header.Set("ce-id", "forged")
	if _, err := pricing.js(t).PublishMsg(t.Context(), forged); err != nil {
		t.Fatal(err)
	}
	for i, request := range []struct{ subject, body string }{
		{"$JS.API.DIRECT.GET.EVENTS_QUOTE", `{"last_by_subj":"evt.quote.3.x"}`},
		{"$JS.API.DIRECT.GET.EVENTS_QUOTE.evt.quote.3.x", ""},
		{"$JS.API.STREAM.MSG.GET.EVENTS_QUOTE", `{"last_by_subj":"evt.quote.3.x"}`},
	} {
		target := fmt.Sprintf("evt.order.3.%d", i)
		if pricing.isRefused(t, request.subject, pricing.PublishRequest(request.subject, target, []byte(request.body))) {
			continue
		}
		// Answered in order: when a later request has its reply, this one's is stored.
		if _, err := pricing.js(t).AccountInfo(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m, err := orders.GetLastMsgForSubject(t.Context(), target); err == nil && m.Header.Get("ce-id") != "" {
			t.Errorf("%s wrote %v to %s, want no answer there", request.subject, m.Header, target)
		}
	}
	for _, user := range users() {
		if !b.dial(t, user).publishRefused(t, "$JS.API.DIRECT.GET.EVENTS_QUOTE") {
			t.Errorf("%s has direct get", user)
		}
	}
}

// A wrong password, no password, and the system's account from a user of ours.
func TestBrokerRefusesStrangers(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, who := range []string{"", "edge:wrong@", "edge@", "nobody:" + brokertest.Password + "@", "boardorder:" + brokertest.Password + "@"} {
		if c, err := nats.Connect("nats://" + who + b.Addr); err == nil {
			c.Close()
			t.Errorf("%q is let in", who)
		}
	}
	c := b.dial(t, OperatorUser)
	if _, err := c.Request("$SYS.REQ.SERVER.PING", nil, 200*time.Millisecond); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("the operator of our account reaches the system's: %v", err)
	}
}
