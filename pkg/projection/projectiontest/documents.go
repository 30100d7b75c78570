package projectiontest

import (
	"errors"
	"math"
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
		"odd values":  unique(doc(`a.b/$c "d" ü`, 3, "account", `$gt {"a":1} '; --`, "status", "x.y"), "email", "ü@example.com"),
		"exact body":  {Kind: "board-facts", ID: "b", Seq: 4, At: start, Body: []byte(" {\"b\": 1.50, \"$a.b\": [null],\n \"a\": 12345678901234567890, \"a\":\"\\u0000\"} ")},
		"scalar body": {Kind: "0", ID: "n", Seq: 5, At: start, Body: []byte(`null`)},
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
		for key, value := range d.Unique {
			got, err := store.Lookup(t.Context(), d.Kind, key, value)
			if diff := cmp.Diff(d, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("Lookup(%s, %s, %s) = %v, differs (-want +got):\n%s", d.Kind, key, value, err, diff)
			}
		}
	}
	local := doc("local", 9, "account", "", "status", "new")
	local.At = start.In(time.FixedZone("east", 7200))
	put(t, store, local)
	local.At, local.Keys = start, map[string]string{"status": "new"}
	wantDoc(t, store, local)
	put(t, store)
}

func (s suite) notFound(t *testing.T) {
	store := s.store(t)
	put(t, store, unique(doc("a", 1, "account", "acc_1"), "key_id", "k1"))
	for _, call := range []struct{ kind, id string }{{"quote", "b"}, {"quote", ""}, {"order", "a"}, {"no such kind!", "a"}} {
		_, err := store.Get(t.Context(), call.kind, call.id)
		wantError(t, "Get("+call.kind+", "+call.id+")", err, projection.ErrNotFound)
	}
	for _, call := range []struct{ kind, key, value string }{
		{"quote", "key_id", "k2"}, {"quote", "key_id", ""}, {"quote", "other", "k1"}, {"order", "key_id", "k1"},
		{"quote", "account", "acc_1"}, {"quote", "$where", "1"}, {"quote", "", "k1"},
	} {
		_, err := store.Lookup(t.Context(), call.kind, call.key, call.value)
		wantError(t, "Lookup("+call.kind+", "+call.key+", "+call.value+")", err, projection.ErrNotFound)
	}
	wantIDs(t, store, "account", "acc_2", 5)
	wantIDs(t, store, "account", "", 5)
	wantIDs(t, store, "key_id", "k1", 5)
	wantIDs(t, store, "$where", "1", 5)
	if docs, next, err := store.List(t.Context(), "order", "", "", projection.Page{}); len(docs) != 0 || next != "" || err != nil {
		t.Errorf("List(order) = %s, %q, %v; want nothing", names(docs), next, err)
	}
}

func (s suite) refused(t *testing.T) {
	store := s.store(t)
	for name, spoil := range map[string]func(d *projection.Document){
		"kind empty":       func(d *projection.Document) { d.Kind = "" },
		"kind odd":         func(d *projection.Document) { d.Kind = "Quote.x" },
		"id empty":         func(d *projection.Document) { d.ID = "" },
		"id long":          func(d *projection.Document) { d.ID = strings.Repeat("i", projection.MaxID+1) },
		"id with NUL":      func(d *projection.Document) { d.ID = "a\x00" },
		"sequence 0":       func(d *projection.Document) { d.Seq = 0 },
		"sequence too big": func(d *projection.Document) { d.Seq = math.MaxInt64 + 1 },
		"time too early":   func(d *projection.Document) { d.At = time.Date(1, 2, 3, 4, 5, 6, 7, time.UTC) },
		"body empty":       func(d *projection.Document) { d.Body = nil },
		"body not JSON":    func(d *projection.Document) { d.Body = []byte(`{"a":`) },
		"body not UTF-8":   func(d *projection.Document) { d.Body = []byte("\"\xff\"") },
		"key name":         func(d *projection.Document) { d.Keys = map[string]string{"$or": "x"} },
		"key value":        func(d *projection.Document) { d.Keys = map[string]string{"account": "\xff"} },
		"unique name":      func(d *projection.Document) { d.Unique = map[string]string{"a.b": "x"} },
		"unique long": func(d *projection.Document) {
			d.Unique = map[string]string{"a": strings.Repeat("v", projection.MaxID+1)}
		},
	} {
		bad := doc("bad", 1)
		spoil(&bad)
		if err := store.Put(t.Context(), doc("good", 1), bad); err == nil {
			t.Errorf("%s: Put = nil, want an error", name)
		}
	}
	wantIDs(t, store, "", "", 5)
}

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

// anyOrder puts the history of two documents in every order, each state twice.
func (s suite) anyOrder(t *testing.T) {
	store := s.store(t)
	history := func(a, b string) []projection.Document {
		return []projection.Document{
			unique(doc(a, 1, "account", "acc_1", "status", "new"), "ref", a+"1"),
			unique(doc(a, 4, "account", "acc_2", "status", "new"), "ref", a+"2"),
			doc(b, 2, "account", "acc_1"),
			unique(doc(b, 7, "status", "paid"), "ref", b+"1"),
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
	put(t, store, unique(doc("a", 1, "account", "acc_1", "status", "new"), "key_id", "k1"))
	wantIDs(t, store, "account", "acc_1", 5, "a")
	wantIDs(t, store, "status", "new", 5, "a")

	put(t, store, unique(doc("a", 2, "account", "acc_1", "status", "paid"), "key_id", "k2"))
	wantIDs(t, store, "account", "acc_1", 5, "a")
	wantIDs(t, store, "status", "new", 5)
	wantIDs(t, store, "status", "paid", 5, "a")
	_, err := store.Lookup(t.Context(), "quote", "key_id", "k1")
	wantError(t, "Lookup(k1)", err, projection.ErrNotFound)
	if d, err := store.Lookup(t.Context(), "quote", "key_id", "k2"); d.ID != "a" || d.Seq != 2 || err != nil {
		t.Errorf("Lookup(k2) = %s@%d, %v; want a@2", d.ID, d.Seq, err)
	}

	moved := doc("a", 3)
	moved.At = start.Add(-time.Hour)
	put(t, store, moved, doc("b", 1))
	wantIDs(t, store, "status", "paid", 5)
	wantIDs(t, store, "", "", 5, "b", "a")
	_, err = store.Lookup(t.Context(), "quote", "key_id", "k2")
	wantError(t, "Lookup(k2)", err, projection.ErrNotFound)
}

func (s suite) conflict(t *testing.T) {
	store := s.store(t)
	held := unique(doc("a", 1), "key_id", "secret-k1")
	put(t, store, held)
	for _, clash := range [][]projection.Document{
		{unique(doc("b", 2), "key_id", "secret-k1")},
		{unique(doc("b", 3), "key_id", "secret-k1"), unique(doc("a", 1), "key_id", "secret-k1")},
	} {
		err := store.Put(t.Context(), clash...)
		wantError(t, "Put of a clash", err, projection.ErrConflict)
		conflict, ok := errors.AsType[*projection.ConflictError](err)
		if !ok || conflict.Kind != "quote" || conflict.Key != "key_id" || conflict.ID != "b" {
			t.Errorf("Put of a clash = %#v, want kind quote, key key_id, id b", err)
		} else if strings.Contains(err.Error(), "secret-k1") {
			t.Errorf("Put of a clash tells the key's value: %v", err)
		}
	}
	_, err := store.Get(t.Context(), "quote", "b")
	wantError(t, "Get of the one refused", err, projection.ErrNotFound)
	wantDoc(t, store, held)

	put(t, store, unique(doc("b", 4), "key_id", "k2"))
	err = store.Put(t.Context(), unique(doc("b", 5), "key_id", "secret-k1"))
	wantError(t, "Put of a clash by a stored document", err, projection.ErrConflict)
	wantDoc(t, store, unique(doc("b", 4), "key_id", "k2"))
	if d, err := store.Lookup(t.Context(), "quote", "key_id", "k2"); d.ID != "b" || err != nil {
		t.Errorf("Lookup(k2) = %q, %v; want b", d.ID, err)
	}

	twins := store.Put(t.Context(), unique(doc("x", 1), "ref", "r"), unique(doc("y", 2), "ref", "r"))
	wantError(t, "Put of two that clash", twins, projection.ErrConflict)

	order := unique(doc("a", 1), "key_id", "secret-k1")
	order.Kind = "order"
	put(t, store, order, unique(doc("c", 1), "other", "secret-k1"), doc("d", 1), doc("e", 1))
}

func (s suite) changesHands(t *testing.T) {
	store := s.store(t)
	put(t, store, unique(doc("a", 1), "ref", "r1"), unique(doc("b", 1), "ref", "r2"))
	put(t, store, doc("a", 2))
	put(t, store, unique(doc("c", 3), "ref", "r1"))
	if d, err := store.Lookup(t.Context(), "quote", "ref", "r1"); d.ID != "c" || err != nil {
		t.Errorf("Lookup(r1) = %q, %v; want c", d.ID, err)
	}
	put(t, store, unique(doc("d", 5), "ref", "r2"), doc("b", 4))
	if d, err := store.Lookup(t.Context(), "quote", "ref", "r2"); d.ID != "d" || err != nil {
		t.Errorf("Lookup(r2) = %q, %v; want d", d.ID, err)
	}
}
