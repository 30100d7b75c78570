package compat_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/access/brokertest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

var stored = flag.Int("stored", 300, "so many quotes lie in the streams that are copied out and put back")

// copyLimit is how long copying out and putting back may take: the backup job's
// activeDeadlineSeconds is far more.
const copyLimit = 30 * time.Minute

// storeQuotes stores quotes as pricing does.
func storeQuotes(t *testing.T, at brokertest.Broker, n int) {
	t.Helper()
	b := connectBus(t, at)
	defer b.Close()
	sample := readStored(t, "pkg/contract/testdata/events/quote/v1/priced.json")
	var group errgroup.Group
	group.SetLimit(256)
	for i := range n {
		group.Go(func() error {
			e := sample
			e.ID, e.AggregateID, e.Operation = contract.DeriveID("restored", fmt.Sprint(i)), contract.DeriveID("quote", fmt.Sprint(i)), fmt.Sprintf("req_%026d", i)
			e.At = time.Now()
			_, err := b.Append(t.Context(), e, 0)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// A copied is what a stream holds that a copy of it must hold too.
type copied struct {
	Messages, First, Last uint64
	Consumers             string // with where each goes on
}

// contents are those of all streams that lie on disk.
func contents(t *testing.T, at brokertest.Broker) map[string]copied {
	t.Helper()
	out := map[string]copied{}
	js := connectJS(t, at)
	for info := range js.ListStreams(t.Context()).Info() {
		if info.Config.Storage != jetstream.FileStorage {
			continue
		}
		s, err := js.Stream(t.Context(), info.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		var consumers []string
		for c := range s.ListConsumers(t.Context()).Info() {
			consumers = append(consumers, fmt.Sprint(c.Name, " after ", c.AckFloor.Stream))
		}
		slices.Sort(consumers)
		of := copied{info.State.Msgs, info.State.FirstSeq, info.State.LastSeq, strings.Join(consumers, ", ")}
		if of.Messages == 0 {
			of.First = of.Last + 1 // of an empty stream a broker says either
		}
		out[info.Config.Name] = of
	}
	return out
}

func connectJS(t *testing.T, at brokertest.Broker) jetstream.JetStream {
	t.Helper()
	nc := connectNATS(t, at)
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

var order = regexp.MustCompile("(?s)put back the streams of one day, in this order: (.*?):")

// restoreOrder are the patterns of names in the order in which the handbook has streams
// put back.
func restoreOrder(t *testing.T) (patterns []string) {
	t.Helper()
	page, err := os.ReadFile(rootPath(t, "deploy/handbook/backup.md"))
	if err != nil {
		t.Fatal(err)
	}
	sentence := order.FindSubmatch(page)
	if sentence == nil {
		t.Fatal("deploy/handbook/backup.md does not say in which order streams are put back")
	}
	for _, name := range regexp.MustCompile("`([A-Z_*]+)`").FindAllSubmatch(sentence[1], -1) {
		patterns = append(patterns, string(name[1]))
	}
	return patterns
}

// TestStreamsArePutBack goes the way of deploy/handbook/backup.md by the tool that it names,
// as the users that it names: everything is copied out, lost, put
// back in the handbook's order, and has its sequences and consumers again. -stored 300000
// measures it.
func TestStreamsArePutBack(t *testing.T) {
	at := natsBroker(t)
	n := buildTool(t, at)
	fillStreams(t, at)
	began := time.Now()
	report := func(what string) {
		t.Logf("%-28s %6.1f s", what, time.Since(began).Seconds())
		began = time.Now()
	}
	storeQuotes(t, at, *stored)
	report(fmt.Sprint(*stored, " quotes stored"))
	want := contents(t, at)
	dir := filepath.Join(t.TempDir(), "2026-01-01")
	if out, err := n.runWithin(t, copyLimit, "backup", "--timeout", "60s", "backup", "account", "--check", "--force", dir); err != nil {
		t.Fatalf("backup account: %v\n%.3000s", err, out)
	}
	report("copied out")
	t.Logf("the copy has %d MB", sizeOf(t, dir)>>20)
	copies, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if !slices.ContainsFunc(copies, func(c os.DirEntry) bool { return c.Name() == name }) {
			t.Errorf("the backup has no %s", name)
		}
	}
	for _, name := range streamNames(t, at) {
		if out, err := n.run(t, access.OperatorUser, "stream", "rm", "--force", name); err != nil {
			t.Fatalf("stream rm %s: %v\n%.1000s", name, err, out)
		}
	}
	if left := streamNames(t, at); len(left) > 0 {
		t.Fatalf("streams that were removed: %q are left, want none", left)
	}
	report("deleted")
	for _, pattern := range restoreOrder(t) {
		for i, c := range copies {
			if c == nil {
				continue
			}
			if fits, err := path.Match(pattern, c.Name()); err != nil || !fits {
				continue
			}
			if out, err := n.runWithin(t, copyLimit, "backup", "--timeout", "60s", "backup", "restore", "stream", filepath.Join(dir, c.Name())); err != nil {
				t.Errorf("backup restore stream %s: %v\n%.2000s", c.Name(), err, out)
			}
			copies[i] = nil
		}
	}
	report("put back")
	for _, c := range copies {
		if c != nil && c.IsDir() {
			t.Errorf("no step of the handbook puts %s back", c.Name())
		}
	}
	if err := topology.Ensure(t.Context(), at.Config("topology"), topology.Config{Parts: map[string]int{}}); err != nil {
		t.Errorf("topology after the restore: %v", err)
	}
	report("topology")
	got := contents(t, at)
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s is %+v, want %+v", name, got[name], w)
		}
	}
	wantWork(t, at)
}

// wantWork: after the restore the streams take events and commands again.
func wantWork(t *testing.T, at brokertest.Broker) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	b := connectBus(t, at)
	defer b.Close()
	id := contract.DeriveID("quote", "0")
	last, err := b.Last(ctx, contract.QuoteAggregate, id)
	if err != nil {
		t.Fatalf("the first quote after the restore: %v", err)
	}
	next := last
	next.ID, next.Version, next.Operation = contract.DeriveID("after the restore"), last.Version+1, ""
	if _, err := b.Append(ctx, next, last.Seq); err != nil {
		t.Errorf("an event after the restore: %v", err)
	}
}

func sizeOf(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// streamNames gives all of them: a page of a list that is read while streams go would be short.
func streamNames(t *testing.T, at brokertest.Broker) (names []string) {
	t.Helper()
	list := connectJS(t, at).StreamNames(t.Context())
	for name := range list.Name() {
		names = append(names, name)
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}
