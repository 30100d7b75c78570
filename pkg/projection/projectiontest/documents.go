package projectiontest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boardorder/pkg/projection"
)

func (s suite) roundTrip(t *testing.T) {
	store := s.store(t)
	documents := map[string]projection.Document{
		"plain":       doc("plain", 1, "account", "acc_1"),
		"no keys":     doc("no keys", 2),
		"odd values":  doc(`a.b/$c "d" ü`, 3, "account", `$gt {"a":1} '; --`, "status", "x.y", "email", "ü@example.com"),
		"exact body":  {Kind: "board-facts", ID: "b", Seq: 4, At: start, Body: []byte(" {\"b\": 1.50, \"$a.b\": [null],\n \"a\": 12345678901234567890, \"a\":\"\\u0000\"} ")},
		"scalar body": {Kind: "0", ID: "n", Seq: 5, At: start, Body: []byte(`null`)},
		"leaving":     {Kind: "quote", ID: "leaving", Seq: 6, At: start, Until: time.Date(2200, 1, 2, 3, 4, 5, 6000000, time.UTC), Body: []byte(`{}`)},
		"large body":  {Kind: "quote", ID: "large", Seq: 6, At: start, Body: []byte(`"` + strings.Repeat("x", 1<<20) + `"`)},
		"no time":     {Kind: "quote", ID: "zero", Seq: 7, Body: []byte(`{}`)},
		"early time":  {Kind: "quote", ID: "early", Seq: 8, At: time.Date(1700, 1, 2, 3, 4, 5, 6, time.UTC), Body: []byte(`{}`)},
		"greatest":    {Kind: "quote", ID: strings.Repeat("i", projection.MaxID), Seq: math.MaxInt64, At: start, Body: []byte(`{}`)},
	}
	for _, d := range documents {
		put(t, store, d)
	}
	for _, d := range documents {
		wantDoc(t, store, d)
		for key, value := range d.Keys {
			got, _, err := store.List(t.Context(), d.Kind, key, value, projection.Page{})
			if diff := cmp.Diff([]projection.Document{d}, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("List(%s, %s, %s) = %v, differs (-want +got):\n%s", d.Kind, key, value, err, diff)
			}
		}
	}
	local := doc("local", 9, "account", "", "status", "new")
	local.At = start.In(time.FixedZone("east", 7200))
	local.Until = time.Date(2200, 1, 2, 3, 4, 5, 6999999, time.FixedZone("east", 7200))
	put(t, store, local)
	local.At, local.Keys = start, map[string]string{"status": "new"}
	local.Until = time.Date(2200, 1, 2, 1, 4, 5, 6000000, time.UTC)
	wantDoc(t, store, local)
	put(t, store)
}

func (s suite) absentDocuments(t *testing.T) {
	store := s.store(t)
	put(t, store, doc("a", 1, "account", "acc_1"))
	for _, call := range []struct{ kind, id string }{{"quote", "b"}, {"quote", ""}, {"order", "a"}, {"no such kind!", "a"}} {
		_, err := store.Get(t.Context(), call.kind, call.id)
		wantError(t, "Get("+call.kind+", "+call.id+")", err, projection.ErrNotFound)
	}
	wantIDs(t, store, "account", "acc_2", 5)
	wantIDs(t, store, "account", "", 5)
	wantIDs(t, store, "$where", "1", 5)
	if docs, next, err := store.List(t.Context(), "order", "", "", projection.Page{}); len(docs) != 0 || next != "" || err != nil {
		t.Errorf("List(order) = %s, %q, %v; want nothing", names(docs), next, err)
	}
}

func (s suite) invalidDocuments(t *testing.T) {
	store := s.store(t)
	keys := func(n int) map[string]string {
		all := map[string]string{}
		for i := range n {
			all[fmt.Sprint("k", i)] = strings.Repeat("v", projection.MaxID)
		}
		return all
	}
	var good []string
	for name, spoil := range map[string]func(d *projection.Document){
		"kind empty":       func(d *projection.Document) { d.Kind = "" },
		"kind odd":         func(d *projection.Document) { d.Kind = "Quote.x" },
		"id empty":         func(d *projection.Document) { d.ID = "" },
		"id long":          func(d *projection.Document) { d.ID = strings.Repeat("i", projection.MaxID+1) },
		"id with NUL":      func(d *projection.Document) { d.ID = "a\x00" },
		"sequence 0":       func(d *projection.Document) { d.Seq = 0 },
		"sequence too big": func(d *projection.Document) { d.Seq = math.MaxInt64 + 1 },
		"time too early":   func(d *projection.Document) { d.At = time.Date(1, 2, 3, 4, 5, 6, 7, time.UTC) },
		"until too late":   func(d *projection.Document) { d.Until = time.Date(9999, 2, 3, 4, 5, 6, 7, time.UTC) },
		"body empty":       func(d *projection.Document) { d.Body = nil },
		"body not JSON":    func(d *projection.Document) { d.Body = []byte(`{"a":`) },
		"body not UTF-8":   func(d *projection.Document) { d.Body = []byte("\"\xff\"") },
		"body too big":     func(d *projection.Document) { d.Body = bigBody(projection.MaxBody + 1) },
		"key name":         func(d *projection.Document) { d.Keys = map[string]string{"$or": "x"} },
		"key value":        func(d *projection.Document) { d.Keys = map[string]string{"account": "\xff"} },
		"key long":         func(d *projection.Document) { d.Keys = map[string]string{"a": strings.Repeat("v", projection.MaxID+1)} },
		"too many keys":    func(d *projection.Document) { d.Keys = keys(projection.MaxKeys + 1) },
	} {
		bad := doc("bad", 7)
		spoil(&bad)
		good = append(good, strings.ReplaceAll(name, " ", "-"))
		err := store.Put(t.Context(), doc(good[len(good)-1], 1), bad, doc("last", 1))
		refusal, ok := errors.AsType[*projection.RefusedError](err)
		if !ok || len(refusal.Refusals) != 1 || refusal.Refusals[0].ID != bad.ID || refusal.Refusals[0].Seq != bad.Seq || refusal.Refusals[0].Kind != bad.Kind {
			t.Errorf("%s: Put = %.200v, want a refusal of it alone", name, err)
		}
	}
	// The others of each batch are written, and repeating one changes nothing.
	slices.Sort(good)
	wantIDs(t, store, "", "", 50, slices.Sorted(slices.Values(append(good, "last")))...)
}

// greatest is the biggest document that is allowed: every store takes it.
func (s suite) greatest(t *testing.T) {
	store := s.store(t)
	d := doc(strings.Repeat("i", projection.MaxID), 1)
	d.Body = bigBody(projection.MaxBody)
	put(t, store, d)
	got, err := store.Get(t.Context(), d.Kind, d.ID)
	if err != nil || !bytes.Equal(got.Body, d.Body) {
		t.Errorf("Get = %d bytes, %v; want %d", len(got.Body), err, len(d.Body))
	}
}

func bigBody(n int) []byte { return []byte(`"` + strings.Repeat("x", n-2) + `"`) }

func (s suite) guard(t *testing.T) {
	store := s.store(t)
	put(t, store, doc("a", 5, "account", "acc_1"))
	for _, step := range []struct{ put, want uint64 }{{5, 5}, {4, 5}, {1, 5}, {6, 6}, {6, 6}, {5, 6}, {100, 100}} {
		same := doc("a", step.put, "account", "acc_1")
		put(t, store, same)
		wantDoc(t, store, doc("a", step.want, "account", "acc_1"))
	}
	other := doc("a", 100, "account", "acc_2")
	other.Body = []byte(`{"forged":true}`)
	put(t, store, other)
	wantDoc(t, store, doc("a", 100, "account", "acc_1"))

	put(t, store, doc("b", 1), doc("b", 3), doc("b", 2), doc("a", 99), doc("c", 1))
	wantDoc(t, store, doc("a", 100, "account", "acc_1"))
	wantDoc(t, store, doc("b", 3))
	wantDoc(t, store, doc("c", 1))
}

// permuteHistory puts the history of two documents in every order, each state twice.
func (s suite) permuteHistory(t *testing.T) {
	store := s.store(t)
	history := func(a, b string) []projection.Document {
		return []projection.Document{
			doc(a, 1, "account", "acc_1", "status", "new"),
			doc(a, 4, "account", "acc_2", "status", "new"),
			doc(b, 2, "account", "acc_1"),
			doc(b, 7, "status", "paid"),
		}
	}
	round := 0
	permute(4, func(order []int) {
		round++
		a, b := "a"+string(rune('a'+round)), "b"+string(rune('a'+round))
		docs := history(a, b)
		for _, i := range order {
			put(t, store, docs[i])
		}
		put(t, store, docs[order[0]], docs[order[1]])
		wantDoc(t, store, docs[1])
		wantDoc(t, store, docs[3])
	})
	docs, _, err := store.List(t.Context(), "quote", "account", "acc_1", projection.Page{})
	if len(docs) != 0 || err != nil {
		t.Errorf("List(account=acc_1) = %s, %v; want nothing, all have moved on", names(docs), err)
	}
	if docs, _, err = store.List(t.Context(), "quote", "account", "acc_2", projection.Page{Limit: 100}); len(docs) != round || err != nil {
		t.Errorf("List(account=acc_2) has %d documents, %v; want %d", len(docs), err, round)
	}
}

// permute calls do with every order of n things.
func permute(n int, do func(order []int)) {
	var step func(done, left []int)
	step = func(done, left []int) {
		if len(left) == 0 {
			do(done)
		}
		for i := range left {
			rest := append(append([]int(nil), left[:i]...), left[i+1:]...)
			step(append(done[:len(done):len(done)], left[i]), rest)
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	step(nil, all)
}

func (s suite) keysFollow(t *testing.T) {
	store := s.store(t)
	put(t, store, doc("a", 1, "account", "acc_1", "status", "new"))
	wantIDs(t, store, "account", "acc_1", 5, "a")
	wantIDs(t, store, "status", "new", 5, "a")

	put(t, store, doc("a", 2, "account", "acc_1", "status", "paid"))
	wantIDs(t, store, "account", "acc_1", 5, "a")
	wantIDs(t, store, "status", "new", 5)
	wantIDs(t, store, "status", "paid", 5, "a")

	moved := doc("a", 3)
	moved.At = start.Add(-time.Hour)
	put(t, store, moved, doc("b", 1))
	wantIDs(t, store, "status", "paid", 5)
	wantIDs(t, store, "", "", 5, "b", "a")
}
