package bus_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// What erasing does not reach, since the broker has nothing any more that could be asked
// for, lies in files of the broker for some time. These tests hold what the handbook says
// of that time, in the raw files.

// admin reaches the streams themselves.
func admin(t *testing.T, s *server.Server) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func countMessages(t *testing.T, js jetstream.JetStream, stream string) uint64 {
	t.Helper()
	s, err := js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// TestCarriedOutCommandsLeaveWithTheirFile: a command that was carried out is in the
// broker's file as long as another one that waits lies in it, and no longer.
func TestCarriedOutCommandsLeaveWithTheirFile(t *testing.T) {
	t.Parallel()
	s := brokerWithSync(t)
	js, dir := admin(t, s), s.JetStreamConfig().StoreDir
	b := bustest.Connect(t, s)
	release := make(chan struct{})
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "pricing", Parallel: 2, Handlers: flow.Handlers{
			quotes.Erase: func(context.Context, contract.Command) error { return nil },
			quotes.PriceReview: func(ctx context.Context, _ contract.Command) error {
				select {
				case <-release:
				case <-ctx.Done():
				}
				return ctx.Err()
			},
		}})
	})
	// The one that waits comes first: the file of a stream that is empty meanwhile would go at once.
	for _, sent := range []struct {
		id   string
		name contract.CommandName
	}{{"waits", quotes.PriceReview}, {"done", quotes.Erase}} {
		id := sent.id
		c, err := contract.NewRootCommand(sent.name, id, "acc_1", time.Now(), map[string]string{"text": "secret of " + id})
		if err == nil {
			err = b.Send(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	bustest.WaitFor(t, "one command to be carried out", func() bool { return countMessages(t, js, contract.CommandStream) == 1 })
	if countOnDisk(t, dir, "secret of done") == 0 {
		t.Error("a command leaves at once: the handbook says less than is true")
	}
	close(release)
	bustest.WaitFor(t, "the other one", func() bool { return countMessages(t, js, contract.CommandStream) == 0 })
	awaitCompaction(t, func() bool { return countOnDisk(t, dir, "secret of ") == 0 })
}

// TestAgedOutLeavesWithItsFile: what aged out of a stream is found by no erasure, and is
// in the broker's file until the last message of that has aged out too.
func TestAgedOutLeavesWithItsFile(t *testing.T) {
	t.Parallel()
	s := brokerWithSync(t)
	js, dir := admin(t, s), s.JetStreamConfig().StoreDir
	b := bustest.Connect(t, s)
	name := contract.EventStream(contract.CustomerAggregate)
	stream, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxAge, cfg.Duplicates = 4*time.Second, time.Second
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	commitSecret(t, b, contract.CustomerAggregate, "old")
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	<-tick.C // so that the second is younger
	_, err = aggregate.At[secretive](b, contract.CustomerAggregate, "y").Step(t.Context(), contract.Command{ID: "young", Name: boards.Read, At: time.Now()}, "young", time.Now(),
		func(aggregate.Snapshot[secretive]) (*aggregate.Change[secretive], error) {
			return &aggregate.Change[secretive]{Event: boards.EventRead, State: secretive{"of no account"}}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	bustest.WaitFor(t, "the older event to age out", func() bool { return countMessages(t, js, name) == 1 })
	if ids, err := (aggregate.Eraser{Core: b, Labels: secretive{}.Labels()}).Find(t.Context(), contract.CustomerAggregate); err != nil || len(ids) > 1 {
		t.Errorf("an erasure finds %v, %v", ids, err)
	}
	if countOnDisk(t, dir, "secret of ") == 0 {
		t.Error("what aged out leaves at once: the handbook says less than is true")
	}
	bustest.WaitFor(t, "the younger event to age out", func() bool { return countMessages(t, js, name) == 0 })
	awaitCompaction(t, func() bool { return countOnDisk(t, dir, "secret of ") == 0 })
}

// TestSplitPartsLeaveNothingWhenErased: what the first part of a stream handed on is
// erased in its new part at once, and lies in the first part's file until the last
// message of that has gone.
func TestSplitPartsLeaveNothingWhenErased(t *testing.T) {
	t.Parallel()
	s := brokerWithSync(t)
	dir := s.JetStreamConfig().StoreDir
	name := contract.EventStream(contract.QuoteAggregate)
	before := bustest.Connect(t, s)
	commit := func(b *bus.Bus, id string) {
		t.Helper()
		c := contract.Command{ID: "c" + id, Name: quotes.ChooseDelivery, At: time.Now()}
		_, err := aggregate.At[secretive](b, contract.QuoteAggregate, id).Step(t.Context(), c, c.ID, time.Now(), func(aggregate.Snapshot[secretive]) (*aggregate.Change[secretive], error) {
			return &aggregate.Change[secretive]{Event: quotes.EventDeliveryChosen, State: secretive{"secret of " + id}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for i := range 16 {
		ids = append(ids, fmt.Sprint("q", i))
		commit(before, ids[i])
	}
	before.Close()
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: s, Name: "topology", Log: zap.NewNop()}, topology.Config{Parts: map[string]int{name: 4}}); err != nil {
		t.Fatal(err)
	}
	b := bustest.Connect(t, s)
	count := func() (first, others int) {
		for part := range 4 {
			folder := name
			if part > 0 {
				folder = fmt.Sprint(name, "_", part)
			}
			n := countOnDisk(t, filepath.Join(dir, "$G", "streams", folder), "secret of ")
			if part == 0 {
				first = n
			} else {
				others += n
			}
		}
		return first, others
	}
	if first, others := count(); first == 0 || others == 0 {
		t.Errorf("%d files of the first part, %d of the others: the test looks in the wrong place", first, others)
	}
	for _, id := range ids {
		c := contract.Command{ID: "erase", Name: quotes.Erase, At: time.Now()}
		if err := (aggregate.Eraser{Core: b, Command: c, Labels: secretive{}.Labels(), At: time.Now()}).Remove(t.Context(), contract.QuoteAggregate, id); err != nil {
			t.Fatal(err)
		}
	}
	bustest.WaitFor(t, "nothing in the new parts", func() bool { _, others := count(); return others == 0 })
	if first, _ := count(); first == 0 {
		t.Error("what was handed on leaves the first part at once: the handbook says less than is true")
	}
	origin, err := admin(t, s).Stream(t.Context(), name)
	if err == nil {
		err = origin.Purge(t.Context()) // as when all of the file has aged out
	}
	if err != nil {
		t.Fatal(err)
	}
	awaitCompaction(t, func() bool { first, _ := count(); return first == 0 })
}
