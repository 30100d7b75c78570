package central_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/services/central"

	"go.uber.org/zap"
)

const account = "acc_partner"

// world is the central service over a real broker and real files. Commands that it
// sends wait in a queue until the test delivers them, timers until the test lets the
// time pass, and any effect can be the last before a crash.
type world struct {
	t     *testing.T
	bus   *bus.Bus
	blobs *folder.Store
	svc   *central.Service

	mu     sync.Mutex
	at     time.Time
	queue  []contract.Command
	timers map[string]contract.Timer
	fuse   int // effects until the crash; negative: none
	n      int
	owner  string // in whose name commands are; empty: account

	carried func(contract.Command) // is told of each command that was carried out
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, bus: bustest.Start(t), at: time.Now().UTC(), timers: map[string]contract.Timer{}, fuse: -1}
	var err error
	if w.blobs, err = folder.Open(t.TempDir(), w.currentTime); err != nil {
		t.Fatal(err)
	}
	w.svc = central.New(central.Config{}, core{w.bus, w}, files{w.blobs, w}, zap.NewNop(), w.currentTime)
	return w
}

func (w *world) currentTime() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

// effect is a point at which the process may die.
func (w *world) effect(at string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fuse--; w.fuse == -1 {
		panic(flow.Crash{At: at})
	}
}

// core is the event system with a fuse in each effect.
type core struct {
	*bus.Bus
	w *world
}

func (c core) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	c.w.effect("append " + string(e.Name))
	return c.Bus.Append(ctx, e, after)
}

func (c core) Send(_ context.Context, cmd contract.Command) error {
	c.w.effect("send " + cmd.Name.String())
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	c.w.queue = append(c.w.queue, cmd)
	return nil
}

func (c core) Schedule(_ context.Context, t contract.Timer) error {
	c.w.effect("schedule " + t.What)
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	c.w.timers[t.AggregateID+" "+t.What] = t
	return nil
}

type files struct {
	*folder.Store
	w *world
}

func (f files) Put(ctx context.Context, key string, r io.Reader, size int64, kind string) (blob.Info, error) {
	f.w.effect("put " + key)
	return f.Store.Put(ctx, key, r, size, kind)
}

func (f files) Delete(ctx context.Context, keys ...string) error {
	f.w.effect("delete")
	return f.Store.Delete(ctx, keys...)
}

func (f files) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return f.Store.List(ctx, prefix)
}

// try delivers a command once; a refusal is recorded as its outcome.
func (w *world) try(c contract.Command) (err error) {
	defer func() {
		if v := recover(); v != nil {
			crash, ok := v.(flow.Crash)
			if !ok {
				panic(v)
			}
			err = crash
		}
	}()
	err = w.svc.Handlers()[c.Name](context.Background(), c)
	if r := contract.RefusalIn(err); r != nil {
		if err := aggregate.Refuse(context.Background(), core{w.bus, w}, c, r, w.currentTime()); err != nil {
			return err
		}
	}
	if err == nil && w.carried != nil {
		w.carried(c)
	}
	return err
}

// command is one on behalf of a request.
func (w *world) command(name contract.CommandName, data any) contract.Command {
	w.t.Helper()
	w.mu.Lock()
	w.n++
	id := fmt.Sprintf("req_%d", w.n)
	w.mu.Unlock()
	c, err := contract.NewCommand(name, id, cmp.Or(w.owner, account), w.currentTime(), data)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// do carries a command out and gives the code of its refusal.
func (w *world) do(name contract.CommandName, data any) contract.Code {
	w.t.Helper()
	err := w.try(w.command(name, data))
	if r := contract.RefusalIn(err); r != nil {
		return r.Code
	}
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return ""
}

// form is what a customer sends, with its Gerbers staged.
func (w *world) form(requestID string) formal.SubmitData {
	w.t.Helper()
	layers := 4
	return formal.SubmitData{
		Form:  formal.Form{Name: "Motor controller", Qty: 50, BoardLayers: &layers, Services: formal.Services{Fabrication: true}, Email: "ada@example.com"},
		Order: formal.Key(cmp.Or(w.owner, account), requestID), RequestID: requestID,
		Files: []formal.File{w.stage("gerbers", "board.zip", "PK gerbers of "+requestID), w.stage("bom", "bom.csv", "R1,10k")},
	}
}

func (w *world) stage(role, name, content string) formal.File {
	w.t.Helper()
	w.mu.Lock()
	w.n++
	key := uploads.StagingPrefix + fmt.Sprint("f", w.n)
	w.mu.Unlock()
	if _, err := w.blobs.Put(context.Background(), key, bytes.NewReader([]byte(content)), int64(len(content)), ""); err != nil {
		w.t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(content))
	return formal.File{Role: role, Name: name, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Key: key}
}

// submitOrder is an order as it begins, with what follows from it not delivered.
func (w *world) submitOrder(requestID string) string {
	w.t.Helper()
	data := w.form(requestID)
	if code := w.do(formal.Submit, data); code != "" {
		w.t.Fatalf("submit: %s, want it granted", code)
	}
	return data.Order
}

func (w *world) order(key string) formal.Order {
	w.t.Helper()
	now, err := aggregate.At[formal.Order](w.bus, contract.FormalAggregate, key).Load(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return now.State
}

// keys lists the files under a prefix.
func (w *world) keys(prefix string) (out []string) {
	w.t.Helper()
	for info, err := range w.blobs.List(context.Background(), prefix) {
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, info.Key)
	}
	return out
}

// pass lets the time pass, and delivers what falls due.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	w.mu.Lock()
	w.at = w.at.Add(d)
	var due []contract.Command
	for k, t := range w.timers {
		if !t.Due.After(w.at) {
			due = append(due, t.Command)
			delete(w.timers, k)
		}
	}
	w.mu.Unlock()
	for _, c := range due {
		if err := w.try(c); err != nil {
			w.t.Fatalf("%s: %v", c.Name, err)
		}
	}
}

// put appends an event of a neighbour's aggregate.
func (w *world) put(a contract.Aggregate, id string, name contract.EventName, operation string, body any) {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	last, err := w.bus.Last(context.Background(), a, id)
	seq := last.Seq
	if err != nil {
		seq = 0
	}
	_, err = w.bus.Append(context.Background(), contract.Event{
		ID: contract.DeriveID(id, string(name), fmt.Sprint(seq)), Aggregate: a, AggregateID: id, Name: name, Format: 1, Version: last.Version + 1,
		Operation: operation, Account: account, At: w.currentTime(), Data: text,
	}, seq)
	if err != nil {
		w.t.Fatal(err)
	}
}
