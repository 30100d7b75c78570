package access

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// The way of deploy/handbook/backup.md, as the backup's user: a stream is copied
// out, lost, and put back with its sequences and its consumers.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	b := start(t)
	stream := contract.EventStream(contract.OrderAggregate)
	payment, topology, backup := b.dial(t, "payment"), b.dial(t, "topology"), b.dial(t, "backup")
	for range 3 {
		if _, err := payment.js(t).Publish(t.Context(), "evt.order.3.x", []byte(`{"state":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	takeOne(t, b.dial(t, "projector"), stream, "projector")
	head, chunks := snapshot(t, backup, stream)
	if err := topology.js(t).DeleteStream(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	restore(t, backup, stream, head, chunks)

	s, err := payment.js(t).Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.GetLastMsgForSubject(t.Context(), "evt.order.3.x"); err != nil || m.Sequence != 3 || string(m.Data) != `{"state":1}` {
		t.Errorf("last event %v, %v; want the third", m, err)
	}
	projector, err := s.Consumer(t.Context(), "projector")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := projector.Info(t.Context()); err != nil || info.AckFloor.Stream != 1 {
		t.Errorf("the projector goes on after %v, %v; want the first", info, err)
	}
}

func request[T any](t *testing.T, c client, subject string, ask any) T {
	t.Helper()
	body, err := json.Marshal(ask)
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.RequestWithContext(t.Context(), subject, body)
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	var out struct {
		Error *server.ApiError
		Reply T
	}
	if err := json.Unmarshal(m.Data, &out); err != nil || out.Error != nil {
		t.Fatalf("%s: %v, %v", subject, err, out.Error)
	}
	if err := json.Unmarshal(m.Data, &out.Reply); err != nil {
		t.Fatal(err)
	}
	return out.Reply
}

func snapshot(t *testing.T, c client, stream string) (server.JSApiStreamSnapshotResponse, [][]byte) {
	t.Helper()
	to := bus.InboxPrefix("backup") + ".snapshot"
	sub, err := c.SubscribeSync(to)
	if err != nil {
		t.Fatal(err)
	}
	head := request[server.JSApiStreamSnapshotResponse](t, c, "$JS.API.STREAM.SNAPSHOT."+stream, server.JSApiStreamSnapshotRequest{DeliverSubject: to})
	var chunks [][]byte
	for {
		m := receive(t, sub)
		if len(m.Data) == 0 {
			return head, chunks
		}
		chunks = append(chunks, m.Data)
		if m.Reply == "" {
			continue
		}
		if err := m.Respond(nil); err != nil {
			t.Fatal(err)
		}
	}
}

func receive(t *testing.T, sub *nats.Subscription) *nats.Msg {
	t.Helper()
	m, err := sub.NextMsgWithContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func restore(t *testing.T, c client, stream string, head server.JSApiStreamSnapshotResponse, chunks [][]byte) {
	t.Helper()
	to := request[server.JSApiStreamRestoreResponse](t, c, "$JS.API.STREAM.RESTORE."+stream,
		server.JSApiStreamRestoreRequest{Config: *head.Config, State: *head.State})
	for _, chunk := range append(chunks, nil) {
		if _, err := c.RequestWithContext(t.Context(), to.DeliverSubject, chunk); err != nil {
			t.Fatalf("restore: %v", err)
		}
	}
}
