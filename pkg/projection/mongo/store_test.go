package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/projection"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"
)

const moment = time.Millisecond

func doc(id string, seq uint64) projection.Document {
	return projection.Document{Kind: "quote", ID: id, Seq: seq, At: time.Unix(1_800_000_000, 0), Body: []byte(fmt.Sprintf(`{"seq":%d}`, seq))}
}

// seqOf are the documents of a collection with their sequence.
func (s *server) seqOf(collection string) map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int64{}
	for id, d := range s.collections[collection] {
		out[id.(string)], _ = d["seq"].(int64)
	}
	return out
}

// TestNewestStays: whatever order documents come in, and however often, the newest is what is
// stored; an older one changes nothing and is no error.
func TestNewestStays(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		puts [][]projection.Document
		want map[string]int64
	}{
		"one":                       {[][]projection.Document{{doc("a", 1)}}, map[string]int64{"a": 1}},
		"a newer one":               {[][]projection.Document{{doc("a", 1)}, {doc("a", 2)}}, map[string]int64{"a": 2}},
		"an older one":              {[][]projection.Document{{doc("a", 2)}, {doc("a", 1)}}, map[string]int64{"a": 2}},
		"the same again":            {[][]projection.Document{{doc("a", 2)}, {doc("a", 2)}}, map[string]int64{"a": 2}},
		"of two at once the newer":  {[][]projection.Document{{doc("a", 3), doc("a", 1)}}, map[string]int64{"a": 3}},
		"an older one among others": {[][]projection.Document{{doc("a", 5)}, {doc("a", 4), doc("b", 6), doc("c", 7)}}, map[string]int64{"a": 5, "b": 6, "c": 7}},
		"none":                      {[][]projection.Document{{}}, map[string]int64{}},
	} {
		s, store := serve(t, time.Hour)
		for _, docs := range tt.puts {
			if err := store.Put(t.Context(), docs...); err != nil {
				t.Errorf("%s: Put: %v, want none", rule, err)
			}
		}
		if d := cmp.Diff(tt.want, s.seqOf("g1.quote")); d != "" {
			t.Errorf("%s: stored (-want +got)\n%s", rule, d)
		}
	}
}

// TestRefusedDocuments: what lies in one document is told of it, and all others are stored; what
// passes is told as such, and what is neither is an error.
func TestRefusedDocuments(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		answer      bson.D
		refused     []string
		unavailable bool
		err         bool
		stored      map[string]int64
	}{
		"too large":           {writeError(17419), []string{"a"}, false, true, map[string]int64{"b": 2}},
		"not valid":           {writeError(121), []string{"a"}, false, true, map[string]int64{"b": 2}},
		"not primary":         {refuse(10107), nil, true, true, map[string]int64{}},
		"shutting down":       {refuse(91), nil, true, true, map[string]int64{}},
		"not authorized":      {refuse(13), nil, false, true, map[string]int64{}},
		"written, not safely": {bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 2}, {Key: "writeConcernError", Value: bson.D{{Key: "code", Value: 64}, {Key: "errmsg", Value: "waited"}}}}, nil, true, true, map[string]int64{}},
	} {
		s, store := serve(t, time.Hour)
		if err := store.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		updates := 0
		s.disturb(func(name, collection string) bson.D {
			if name != "update" || collection != "g1.quote" {
				return nil
			}
			if updates++; rule == "too large" || rule == "not valid" {
				if updates > 2 { // the bulk, and the first document by itself
					return nil
				}
			}
			return tt.answer
		})
		err := store.Put(t.Context(), doc("a", 1), doc("b", 2))
		var refused []string
		if r, ok := errors.AsType[*projection.RefusedError](err); ok {
			for _, one := range r.Refusals {
				refused = append(refused, one.ID)
			}
		}
		if !slices.Equal(refused, tt.refused) || errors.Is(err, projection.ErrUnavailable) != tt.unavailable || (err != nil) != tt.err {
			t.Errorf("%s: %v, refused %q, unavailable %t; want refused %q, unavailable %t", rule, err, refused, errors.Is(err, projection.ErrUnavailable), tt.refused, tt.unavailable)
		}
		if d := cmp.Diff(tt.stored, s.seqOf("g1.quote")); d != "" {
			t.Errorf("%s: stored (-want +got)\n%s", rule, d)
		}
	}
	s, store := serve(t, time.Hour)
	err := store.Put(t.Context(), projection.Document{Kind: "quote"}, doc("b", 2))
	if r, ok := errors.AsType[*projection.RefusedError](err); !ok || len(r.Refusals) != 1 || s.seqOf("g1.quote")["b"] != 2 {
		t.Errorf("a document without an id beside another: %v, stored %v; want one refused and the other stored", err, s.seqOf("g1.quote"))
	}
}

// TestReads: a document is what was put, until its end; what is not there is not found, and so is
// what no document can be called.
func TestReads(t *testing.T) {
	t.Parallel()
	s, store := serve(t, time.Hour)
	ctx := t.Context()
	put := projection.Document{
		Kind: "quote", ID: "a", Seq: 7, At: time.Unix(1_800_000_000, 123), Until: time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond),
		Keys: map[string]string{"account": "acc"}, Terms: []string{"co-1"}, Body: []byte(`{"a":1}`),
	}
	if err := store.Put(ctx, put); err != nil {
		t.Fatal(err)
	}
	want := put
	want.Terms = nil // looked for, and not given back
	got, err := store.Get(ctx, "quote", "a")
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("the document that was put, %v (-want +got)\n%s", err, d)
	}
	for rule, of := range map[string][2]string{"another id": {"quote", "b"}, "another kind": {"order", "a"}, "no kind": {"Not a kind", "a"}} {
		if _, err := store.Get(ctx, of[0], of[1]); !errors.Is(err, projection.ErrNotFound) {
			t.Errorf("%s, %q: %v, want %v", rule, of, err, projection.ErrNotFound)
		}
	}
	s.sayings()
	docs, next, err := store.List(ctx, "quote", "Not a key", "v", projection.Page{})
	if n, err2 := store.Count(ctx, "Not a kind", "", ""); docs != nil || next != "" || err != nil || n != 0 || err2 != nil || len(s.sayings()) > 0 {
		t.Errorf("a list by what is no key, and a count of what is no kind: %v, %q, %v, %d, %v; want nothing, and nothing asked", docs, next, err, n, err2)
	}
	if _, _, err := store.List(ctx, "quote", "", "", projection.Page{Cursor: "?"}); !errors.Is(err, projection.ErrCursor) {
		t.Errorf("a cursor that is none: %v, want %v", err, projection.ErrCursor)
	}
	if err := store.Put(ctx, doc("b", 8), doc("c", 9)); err != nil {
		t.Fatal(err)
	}
	docs, next, err = store.List(ctx, "quote", "account", "acc", projection.Page{Limit: 2})
	if len(docs) != 2 || next == "" || err != nil {
		t.Errorf("a page of two of three documents has %d and goes on at %q, %v; want 2 and more", len(docs), next, err)
	}
	requested := s.commands[len(s.commands)-1]
	if requested["limit"] != int64(3) || fmt.Sprint(requested["sort"]) != fmt.Sprint(bson.D{{Key: "at", Value: int32(-1)}, {Key: "_id", Value: int32(1)}}) {
		t.Errorf("a page of two is asked for by limit %v in the order of %v, want one more, newest first", requested["limit"], requested["sort"])
	}
	if n, err := store.Count(ctx, "quote", "account", "acc"); n != 3 || err != nil {
		t.Errorf("there are %d documents, %v; want 3", n, err)
	}
	if docs, err := store.Find(ctx, "quote", "co-", 0); len(docs) != 3 || err != nil || s.commands[len(s.commands)-1]["limit"] != int64(projection.MaxLimit) {
		t.Errorf("a search finds %d documents of %v at most, %v; want 3 of %d", len(docs), s.commands[len(s.commands)-1]["limit"], err, projection.MaxLimit)
	}
	s.disturb(func(string, string) bson.D { return refuse(14031) })
	if _, err := store.Get(ctx, "quote", "a"); !errors.Is(err, projection.ErrUnavailable) || errors.Is(err, projection.ErrNotFound) {
		t.Errorf("a server without room: %v, want %v", err, projection.ErrUnavailable)
	}
}

// TestIndexes: an index is made before the first document that needs it, once; of a collection
// with many documents it is left to the job that makes indexes.
func TestIndexes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	listed := doc("a", 1)
	listed.Keys, listed.Terms, listed.Until = map[string]string{"account": "acc", "empty": ""}, []string{"co"}, time.Now().Add(time.Hour)
	s, store := serve(t, time.Hour)
	for range 2 {
		if err := store.Put(ctx, listed); err != nil {
			t.Fatal(err)
		}
	}
	made := 0
	for _, message := range s.sayings() {
		if message == "createIndexes g1.quote" {
			made++
		}
	}
	if want := []string{"at", "keys.account", "terms", "until"}; !slices.Equal(s.indexes["g1.quote"], want) || made != len(want) {
		t.Errorf("indexes on %q in %d commands, want on %q, each once", s.indexes["g1.quote"], made, want)
	}
	shapes := []projection.Shape{{Kind: "quote", Keys: []string{"account", "status"}, Terms: true, Expires: true}, {Kind: "order"}}
	for rule, tt := range map[string]struct {
		estimate int64
		missing  []string
		made     []string
	}{
		"no document":             {0, nil, nil},
		"a few":                   {maxInline, nil, []string{"at", "keys.account", "keys.status", "terms", "until"}},
		"more than is waited for": {maxInline + 1, []string{"g1.quote at", "g1.quote keys.account", "g1.quote keys.status", "g1.quote terms", "g1.quote until", "g1.order at"}, nil},
	} {
		s, store := serve(t, time.Hour)
		s.estimate = tt.estimate
		missing, err := store.EnsureIndexes(ctx, shapes)
		if err != nil || !slices.Equal(missing, tt.missing) || !slices.Equal(s.indexes["g1.quote"], tt.made) {
			t.Errorf("%s: %q are missing and %q made, %v; want %q and %q", rule, missing, s.indexes["g1.quote"], err, tt.missing, tt.made)
		}
		err = store.Put(ctx, doc("a", 1))
		if many := tt.estimate > maxInline; errors.Is(err, projection.ErrUnavailable) != many || (err != nil) != many {
			t.Errorf("%s: a document that needs an index: %v, want refused %t", rule, err, many)
		}
		if err := store.MakeIndexes(ctx, shapes); err != nil || len(s.indexes["g1.quote"]) != 5 || len(s.indexes["g1.order"]) != 1 {
			t.Errorf("%s: the job makes indexes on %q and %q, %v; want all", rule, s.indexes["g1.quote"], s.indexes["g1.order"], err)
		}
	}
}

// TestGenerations: the state is read once in its lease, made where there is none, and changed only
// as it was read.
func TestGenerations(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, store := serve(t, time.Hour)
	for range 3 {
		if got, err := store.generations.current(ctx); err != nil || got.Live != 1 || got.Next != 2 {
			t.Errorf("the state is %+v, %v; want the first generation", got, err)
		}
	}
	if got, want := s.sayings(), []string{"find generations", "insert generations", "find generations"}; !slices.Equal(got, want) {
		t.Errorf("three looks at the state cost %q, want %q", got, want)
	}
	if _, err := store.generations.refresh(ctx); err != nil || len(s.sayings()) != 1 {
		t.Errorf("a refresh, %v, want that it reads", err)
	}
	tries := 0
	got, err := store.generations.change(ctx, func(st *state) error {
		if tries++; tries == 1 { // somebody else is faster
			s.mu.Lock()
			s.collections["generations"]["projection"]["revision"] = int64(9)
			s.mu.Unlock()
		}
		st.Building = 5
		return nil
	})
	if err != nil || tries != 2 || got.Building != 5 || got.Revision != 10 {
		t.Errorf("a change that another came before: %+v, %v after %d tries; want revision 10 after 2", got, err, tries)
	}
	sad := errors.New("no")
	if _, err := store.generations.change(ctx, func(*state) error { return sad }); !errors.Is(err, sad) {
		t.Errorf("a change that is not to be: %v, want %v", err, sad)
	}
	left, leave := context.WithCancel(ctx)
	leave()
	if _, err := store.generations.current(left); !errors.Is(err, context.Canceled) {
		t.Errorf("a look of somebody who has left: %v, want %v", err, context.Canceled)
	}
	for name, want := range map[string]int64{"g1.quote": 1, "g12.quote": 12, "g1": -1, "generations": -1, "1.quote": -1, "gx.quote": -1, "": -1, "g.quote": -1} {
		n, ok := generationOf(name)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("the collection %q is of generation %d, want %d", name, n, want)
		}
	}
	for want, st := range map[string]state{"[1]": {Live: 1}, "[1 2]": {Live: 1, Building: 2}, "[2 1]": {Live: 2, Retiring: 1}, "[2 3 1]": {Live: 2, Building: 3, Retiring: 1}} {
		if got := fmt.Sprint(st.writeTargets()); got != want {
			t.Errorf("%+v is written to %s, want %s", st, got, want)
		}
	}
}

// TestRebuild: a new generation is filled beside the live one, which is written on; swapped, it is
// the live one and the other goes.
func TestRebuild(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, store := serve(t, moment)
	if err := store.Put(ctx, doc("a", 1)); err != nil {
		t.Fatal(err)
	}
	fresh, err := store.Rebuild(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Put(ctx, doc("b", 2)); err != nil {
		t.Errorf("filling the new generation: %v", err)
	}
	if err := store.Put(ctx, doc("c", 3)); err != nil {
		t.Errorf("writing meanwhile: %v", err)
	}
	if d := cmp.Diff([]map[string]int64{{"a": 1, "c": 3}, {"b": 2, "c": 3}}, []map[string]int64{s.seqOf("g1.quote"), s.seqOf("g2.quote")}); d != "" {
		t.Errorf("the live generation and the new one (-want +got)\n%s", d)
	}
	if _, err := fresh.Get(ctx, "quote", "a"); !errors.Is(err, projection.ErrNotFound) {
		t.Errorf("the new generation has what only the old one has: %v, want %v", err, projection.ErrNotFound)
	}
	if _, err := fresh.Get(ctx, "quote", "b"); err != nil {
		t.Errorf("what the new generation has: %v", err)
	}
	if err := fresh.Swap(ctx); err != nil {
		t.Errorf("Swap: %v", err)
	}
	if got, err := store.Get(ctx, "quote", "b"); err != nil || got.Seq != 2 || len(s.seqOf("g1.quote")) > 0 {
		t.Errorf("after the swap: %+v, %v, and %v of the generation before; want b, and nothing", got, err, s.seqOf("g1.quote"))
	}
	if err := fresh.Put(ctx, doc("d", 4)); !errors.Is(err, projection.ErrSuperseded) {
		t.Errorf("filling what is live: %v, want %v", err, projection.ErrSuperseded)
	}
	if err := fresh.Swap(ctx); !errors.Is(err, projection.ErrSuperseded) {
		t.Errorf("swapping twice: %v, want %v", err, projection.ErrSuperseded)
	}
	second, err := store.Rebuild(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Put(ctx, doc("e", 5)); err != nil {
		t.Error(err)
	}
	if err := second.Discard(ctx); err != nil || len(s.seqOf("g3.quote")) > 0 {
		t.Errorf("Discard: %v, and %v stay; want nothing", err, s.seqOf("g3.quote"))
	}
}

// TestRebuildAlone: of two rebuilds one goes on; one whose process is gone, and beats no more, is
// taken over. What is older than all of them is dropped, and nothing else.
func TestRebuildAlone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, store := serve(t, 150*time.Millisecond) // five beats are not missed for want of a processor
	first, err := store.Rebuild(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Rebuild(ctx); !errors.Is(err, projection.ErrRebuilding) {
		t.Errorf("a second rebuild: %v, want %v", err, projection.ErrRebuilding)
	}
	if err := first.Close(); err != nil { // its process ends
		t.Fatal(err)
	}
	s.mu.Lock()
	for _, name := range []string{"g1.quote", "g2.quote", "g7.quote", "notes"} {
		s.put(name, "x", bson.M{"seq": int64(1)})
	}
	s.mu.Unlock()
	second, err := store.Rebuild(ctx)
	for errors.Is(err, projection.ErrRebuilding) && ctx.Err() == nil { // a last beat may be on its way
		second, err = store.Rebuild(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	s.mu.Lock()
	for name := range s.collections {
		if strings.Contains(name, "quote") || name == "notes" {
			left = append(left, name)
		}
	}
	s.mu.Unlock()
	slices.Sort(left)
	if want := []string{"g1.quote", "g7.quote", "notes"}; !slices.Equal(left, want) {
		t.Errorf("beside the live generation, one that is to come and what is none %q stay, want %q", left, want)
	}
	if err := first.Put(ctx, doc("a", 1)); !errors.Is(err, projection.ErrSuperseded) {
		t.Errorf("filling what was taken over: %v, want %v", err, projection.ErrSuperseded)
	}
	if err := second.Discard(ctx); err != nil {
		t.Error(err)
	}
	s.disturb(func(name, collection string) bson.D {
		if name == "delete" && collection == "g4.quote" {
			return refuse(13)
		}
		return nil
	})
	if _, err := store.Rebuild(ctx); err == nil || !strings.Contains(err.Error(), "g4.quote") {
		t.Errorf("a rebuild that may not write: %v, want that it names g4.quote before it begins", err)
	}
}

// TestOpen: an address that cannot be used is refused, and no refusal holds a password.
func TestOpen(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct{ url, want string }{
		"nothing":                    {"", "MongoDB URL"},
		"another scheme":             {"http://h", "MongoDB URL"},
		"reads from elsewhere":       {"mongodb://h/?readPreference=secondary", "only readPreference=primary"},
		"a password with a slash":    {"mongodb://me:pass/word@h/", "must be percent-encoded"},
		"a password with a per cent": {"mongodb://me:pass%zzword@h/", "must be percent-encoded"},
		"an option that is none":     {"mongodb://me:password@h/?maxPoolSize=x", "MongoDB URL"},
	} {
		s, err := Open(tt.url)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "word@") || strings.Contains(err.Error(), "pass/") || strings.Contains(err.Error(), "zz") {
			t.Errorf("%s: Open(%q): %v, want %q and no password", rule, tt.url, err, tt.want)
		}
	}
	s, err := Open("mongodb://h/other?timeoutMS=7&appName=mine")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.db.Name(); got != "other" {
		t.Errorf("an address that names a database opens %q, want other", got)
	}
	s.Close()
}
