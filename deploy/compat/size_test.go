package compat_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var documents = flag.Int("documents", 12_000, "so many documents lie in the store that reads and a rebuild are held with")

// few is how many documents have a status that others have not.
const few = 40

// quoteAmongMany makes the quotes of a store of many: ten accounts have all, half of the names
// begin alike, few have a status of their own. Those beyond the first never leave.
func quoteAmongMany(i int) projection.Document {
	until := time.Time{}
	if i%3 == 0 && i < *documents {
		until = time.Now().Add(time.Hour)
	}
	status := "quote_ready"
	if i < *documents && i%(*documents/few) == 1 {
		status = "rare"
	}
	return projection.Document{
		Kind: "quote", ID: fmt.Sprintf("%08x%08x", uint32(i)*0x9e3779b1, i), Seq: 1, At: time.Unix(int64(1_700_000_000+i), 0).UTC(), Until: until,
		Keys:  map[string]string{"account": fmt.Sprint("acc_", i%10), "status": status, "digest": fmt.Sprint("d", i/3)},
		Terms: []string{fmt.Sprintf("%08x", uint32(i)*0x9e3779b1), fmt.Sprint("req_", i), fmt.Sprint([]string{"family", "other"}[i%2], i)},
		Body:  fmt.Appendf(nil, `{"n":%d,"text":%q}`, i, strings.Repeat("x", 500)),
	}
}

// A profiled database tells what each command on a collection read.
type profiled struct {
	db         *driver.Database
	collection string
}

func profile(t *testing.T, url, collection string) profiled {
	t.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(url))
	if err != nil {
		t.Fatal(err)
	}
	p := profiled{client.Database(url[strings.LastIndexByte(url, '/')+1:]), collection}
	set := func(level int) {
		if err := p.db.RunCommand(context.Background(), bson.D{{Key: "profile", Value: level}}).Err(); err != nil {
			t.Fatal(err)
		}
	}
	set(2) // of everything
	t.Cleanup(func() {
		set(0)
		_ = client.Disconnect(context.Background())
	})
	return p
}

// A cost is what one command read: of indexes, of documents, and how many it gave.
type cost struct {
	Op       string `bson:"op"`
	Plan     string `bson:"planSummary"`
	Keys     int    `bson:"keysExamined"`
	Docs     int    `bson:"docsExamined"`
	Returned int    `bson:"nreturned"`
	Millis   int    `bson:"millis"`
}

// costs are those of the commands that do sends.
func (p profiled) costs(t *testing.T, do func()) (all []cost) {
	t.Helper()
	log, ours := p.db.Collection("system.profile"), bson.D{{Key: "ns", Value: p.db.Name() + "." + p.collection}}
	before, err := log.CountDocuments(t.Context(), ours)
	if err != nil {
		t.Fatal(err)
	}
	do()
	found, err := log.Find(t.Context(), ours, options.Find().SetSkip(before))
	if err == nil {
		err = found.All(t.Context(), &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMongoAtSize holds what a store of many documents does: what reads cost, and that
// all can be made anew beside them.
func TestMongoAtSize(t *testing.T) {
	t.Parallel()
	url := peers.StartMongo(t)
	store := openStore(t, url)
	began := time.Now()
	putMany(t, store, *documents, quoteAmongMany)
	t.Logf("%d documents stored in %s", *documents, time.Since(began).Round(time.Second))
	t.Run("reads", func(t *testing.T) { holdReads(t, store, url) })
	t.Run("rebuild", func(t *testing.T) { holdRebuild(t, store, url) })
}

// holdReads: a read costs what it gives and not what is stored: pages near and far,
// searches that find much, one and nothing.
func holdReads(t *testing.T, store *mongo.Store, url string) {
	n := *documents
	profiler := profile(t, url, "g1.quote")
	list := func(key, value string, page projection.Page) (next string) {
		docs, next, err := store.List(t.Context(), "quote", key, value, page)
		if want := page.Limit; err != nil || len(docs) != want {
			t.Errorf("List(%s=%s, %+v) = %d documents, %v; want %d", key, value, page, len(docs), err, want)
		}
		return next
	}
	find := func(prefix string, want int) {
		docs, err := store.Find(t.Context(), "quote", prefix, 20)
		if err != nil || len(docs) != want {
			t.Errorf("Find(%s) = %d documents, %v; want %d", prefix, len(docs), err, want)
		}
	}
	middle := quoteAmongMany(n / 2)
	const limit = 20
	for _, by := range []struct{ key, value string }{{"", ""}, {"status", "quote_ready"}, {"account", "acc_3"}} {
		for range 12 { // a server keeps the plan that it chose for the first pages
			list(by.key, by.value, projection.Page{Limit: limit})
		}
	}
	for range 12 {
		list("status", "rare", projection.Page{Limit: few, Before: quoteAmongMany(n - 1).At})
	}
	for name, read := range map[string]func(){
		"a document":                   func() { _, _ = store.Get(t.Context(), "quote", middle.ID) },
		"the newest of all":            func() { list("", "", projection.Page{Limit: limit}) },
		"the newest by a key of all":   func() { list("status", "quote_ready", projection.Page{Limit: limit}) },
		"the newest of an account":     func() { list("account", "acc_3", projection.Page{Limit: limit}) },
		"from the middle on":           func() { list("", "", projection.Page{Limit: limit, Before: middle.At}) },
		"from the middle on, by a key": func() { list("status", "quote_ready", projection.Page{Limit: limit, Before: middle.At}) },
		"of an account, far":           func() { list("account", "acc_3", projection.Page{Limit: limit, Before: quoteAmongMany(n / 50).At}) },
		"by few":                       func() { list("digest", middle.Keys["digest"], projection.Page{Limit: 3}) },
		"the page after one far down": func() {
			list("status", "quote_ready", projection.Page{Limit: limit, Cursor: list("status", "quote_ready", projection.Page{Limit: limit, Before: quoteAmongMany(n / 10).At})})
		},
		"by few, the last of them":      func() { list("status", "rare", projection.Page{Limit: 1, Before: quoteAmongMany(1).At}) },
		"by few, from the middle on":    func() { list("status", "rare", projection.Page{Limit: few / 2, Before: middle.At}) },
		"a search for one":              func() { find(middle.Terms[0], 1) },
		"a search for what half has":    func() { find("family", limit) },
		"a search for nothing":          func() { find("nobody", 0) },
		"a search by a letter of an id": func() { find(middle.Terms[0][:1], limit) },
	} {
		costs := profiler.costs(t, read)
		if len(costs) == 0 {
			t.Errorf("%s: no command was profiled", name)
		}
		for _, c := range costs {
			t.Logf("%-38s %s keys %d documents %d given %d in %d ms", name, c.Plan, c.Keys, c.Docs, c.Returned, c.Millis)
			// A key more ends a range, and one is the cursor's own.
			if most := c.Returned + 2; c.Keys > most || c.Docs > most {
				t.Errorf("%s of %d documents reads %d keys and %d documents for %d by %s, want %d at most", name, n, c.Keys, c.Docs, c.Returned, c.Plan, most)
			}
		}
	}
	for _, c := range profiler.costs(t, func() {
		if got, err := store.Count(t.Context(), "quote", "account", "acc_3"); err != nil || got != n/10 {
			t.Errorf("Count of an account = %d, %v; want %d", got, err, n/10)
		}
	}) {
		t.Logf("%-38s %s keys %d documents %d in %d ms", "a count", c.Plan, c.Keys, c.Docs, c.Millis)
		if c.Docs > 0 || c.Keys > n/10+2 {
			t.Errorf("a count of %d reads %d keys and %d documents by %s, want its keys alone", n/10, c.Keys, c.Docs, c.Plan)
		}
	}
}

// holdRebuild: while a generation is made of all documents, readers of the live one miss
// nothing, and what is written meanwhile is in both.
func holdRebuild(t *testing.T, store *mongo.Store, url string) {
	n, other := *documents, openStore(t, url)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var beside sync.WaitGroup
	var reads, written atomic.Int64
	var slowest time.Duration
	beside.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			d := quoteAmongMany(i * 7919 % n)
			began := time.Now()
			got, err := other.Get(ctx, "quote", d.ID)
			found, errFind := other.Find(ctx, "quote", d.Terms[1], 1000)
			page, _, errList := other.List(ctx, "quote", "account", d.Keys["account"], projection.Page{Limit: 20, Before: d.At})
			if err := errors.Join(err, errFind, errList); ctx.Err() != nil {
				return
			} else if err != nil || got.ID != d.ID || len(found) == 0 || len(page) == 0 || page[0].ID != d.ID {
				t.Errorf("read %d beside the rebuild: %q, %d found, %d in its list, %v; want it each time", i, got.ID, len(found), len(page), err)
				return
			}
			slowest = max(slowest, time.Since(began))
			reads.Add(1)
		}
	})
	beside.Go(func() {
		for ctx.Err() == nil {
			if err := other.Put(context.WithoutCancel(ctx), quoteAmongMany(n+int(written.Load()))); err != nil {
				t.Errorf("write beside the rebuild: %v", err)
				return
			}
			written.Add(1)
		}
	})
	began := time.Now()
	rebuild(t, store, func() int { return n + int(written.Load()) + 1 }) // one is under way
	took := time.Since(began)
	stop()
	beside.Wait()
	t.Logf("%d documents made anew in %s beside %d rounds of reads (the slowest took %s) and %d writes", n, took.Round(time.Second), reads.Load(), slowest.Round(time.Millisecond), written.Load())
	if got, err := other.Count(t.Context(), "quote", "status", "quote_ready"); err != nil || got != n-few+int(written.Load()) {
		t.Errorf("%d documents after the rebuild, %v; want %d and the %d written meanwhile", got, err, n-few, written.Load())
	}
	if reads.Load() == 0 || written.Load() == 0 {
		t.Errorf("%d reads and %d writes beside the rebuild, want some of each", reads.Load(), written.Load())
	}
}

// rebuild makes a generation of as many documents as end says once it has begun.
func rebuild(t *testing.T, store *mongo.Store, end func() int) {
	t.Helper()
	fresh, err := store.Rebuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	putMany(t, fresh, end(), quoteAmongMany)
	if err := fresh.Swap(t.Context()); err != nil {
		t.Fatal(err)
	}
}
