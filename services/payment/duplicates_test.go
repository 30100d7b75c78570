package payment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// orderFiles is a paid order of files of an account, whose content is named by the reading
// of the files, by the upload, or by neither.
func (w *world) orderFiles(account, content, namedBy string) *shopping {
	w.t.Helper()
	upload := fmt.Sprint("upload", w.quotes)
	digest := boards.Digest(upload, content)
	s := w.quote(func(q *quotes.Quote) { q.Account, q.Upload, q.Digest = account, upload, digest })
	read := boards.ReadFiles{Digest: digest, Reader: "1", Files: []boards.FileClass{}, Boards: []boards.Board{}}
	switch namedBy {
	case "reading":
		read.DuplicateKey = duplicates.Key(content)
	case "upload":
		commit(w, contract.UploadAggregate, upload, uploads.EventFilesAdded, uploads.Upload{Ref: upload, Account: account, Content: "newer", Earlier: []string{content}})
	}
	commit(w, contract.BoardAggregate, digest, boards.EventRead, read)
	if code := s.begin(); code != "" {
		w.t.Fatalf("begin: %s, want it granted", code)
	}
	session := s.checkout().SessionID
	s.pay(session)
	s.tell(session, "completed")
	w.queue = nil // not placed yet
	if o := s.order(); o.Status != orders.Paid {
		w.t.Fatalf("the order is %q, want %q", o.Status, orders.Paid)
	}
	return s
}

// declare has orders of a content held.
func (w *world) declare(account, content string) (loads, scans int) {
	w.t.Helper()
	w.loads, w.scans = 0, 0
	w.deliver(w.command(orders.HoldDuplicate, contract.NewID("cmd_", time.Now()), duplicates.HoldData{Account: account, Content: []string{content}}))
	return w.loads, w.scans
}

// TestEqualOrdersAreHeld: those of other accounts and of live, however their
// content is known. What a declaration reads follows from its equals, not from how
// many orders there are.
func TestEqualOrdersAreHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.bus.BeginDuplicates(t.Context(), contract.OrderAggregate); err != nil {
		t.Fatal(err)
	}
	held := []*shopping{w.orderFiles("acc_2", "x", "reading"), w.orderFiles("acc_3", "x", "upload"), w.orderFiles("acc_4", "x", "nothing")}
	left := []*shopping{w.orderFiles("acc_1", "x", "reading")}
	ofTests := contract.DeriveID("an order of tests")
	commit(w, contract.OrderAggregate, ofTests, orders.EventPaid, orders.Order{
		Quote: ofTests, Account: "acc_5~test", Status: orders.Paid, Digest: boards.Digest("u", "x"), Sold: quotes.Quote{Upload: "u"},
	})
	if err := w.NoteDuplicate(t.Context(), contract.OrderAggregate, duplicates.Key("x"), ofTests); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		left = append(left, w.orderFiles("acc_6", fmt.Sprint("other", i), []string{"reading", "upload"}[i%2]))
	}
	loads, scans := w.declare("acc_1", "x")
	// Each of the equals, and what holding the three takes.
	if scans != 0 || loads > 20 {
		t.Errorf("%d loads, %d streams read; want 20 at most, none", loads, scans)
	}
	for _, s := range held {
		if o := s.order(); o.Status != orders.Held {
			t.Errorf("an order of %s is %s, want %s", o.Account, o.Status, orders.Held)
		}
	}
	for _, s := range left {
		if o := s.order(); o.Status != orders.Paid {
			t.Errorf("an order of %s is %s, want %s", o.Account, o.Status, orders.Paid)
		}
	}
	if o := load[orders.Order](w, contract.OrderAggregate, ofTests).State; o.Status != orders.Paid {
		t.Errorf("an order of tests is %s, want %s", o.Status, orders.Paid)
	}
	before := loads
	for i := range 12 {
		w.orderFiles("acc_7", fmt.Sprint("more", i), "reading")
	}
	if loads, scans := w.declare("acc_8", "x"); scans != 0 || loads > before {
		t.Errorf("with more orders %d loads and %d streams read, before %d; want no more, none", loads, scans, before)
	}
}

// TestOwnOrdersOfADeclaredUploadAreHeld: those of the account that declared, of that
// upload, and no one else's.
func TestOwnOrdersOfADeclaredUploadAreHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	own, owners := w.orderFiles("acc_2", "x", "reading"), w.orderFiles("acc_1", "x", "reading")
	another := w.orderFiles("acc_2", "x", "reading") // the same files, uploaded otherwise
	w.deliver(w.command(orders.HoldDuplicate, "declared", duplicates.HoldData{Account: "acc_2", Content: []string{"x"}, Upload: own.q.Upload}))
	for s, want := range map[*shopping]orders.Status{own: orders.Held, owners: orders.Paid, another: orders.Paid} {
		if o := s.order(); o.Status != want {
			t.Errorf("an order of %s of %s is %s, want %s", o.Account, s.q.Upload, o.Status, want)
		}
	}
	if o := own.order(); !strings.Contains(o.Held, "the account that it was ordered through") {
		t.Errorf("held: %q, want the account that it was ordered through", o.Held)
	}
}

// TestOlderOrdersAreHeldToo: as long as there may be orders of before they were
// entered, the stream is read.
func TestOlderOrdersAreHeldToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.orderFiles("acc_2", "x", "reading")
	if err := w.bus.ForgetDuplicate(t.Context(), contract.OrderAggregate, duplicates.Key("x"), s.ref); err != nil {
		t.Fatal(err)
	}
	if err := w.bus.BeginDuplicates(t.Context(), contract.OrderAggregate); err != nil {
		t.Fatal(err)
	}
	if _, scans := w.declare("acc_1", "x"); scans != 1 || s.order().Status != orders.Held {
		t.Errorf("%d streams read, the order is %s; want 1, %s", scans, s.order().Status, orders.Held)
	}
}

// TestDeclaredOrderIsEnteredNoMore: of a design that was declared no entry is left.
func TestDeclaredOrderIsEnteredNoMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.orderFiles("acc_2", "x", "reading")
	key := duplicates.Key("x")
	entered := func() bool {
		ids, _, err := w.bus.Duplicates(t.Context(), contract.OrderAggregate, key)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Contains(ids, s.ref)
	}
	if !entered() {
		t.Fatal("the order is not entered")
	}
	w.eraseData(erasures.Data{Upload: s.q.Upload, Boards: []string{s.q.Digest}, DuplicateKeys: []string{key}})
	bustest.WaitFor(t, "the order to be called off", func() bool { w.work(); return s.order().Withdrawn })
	if entered() {
		t.Error("the order of a declared design is still entered")
	}
}
