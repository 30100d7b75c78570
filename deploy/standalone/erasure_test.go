package standalone_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/deploy/standalone"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/money"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"

	"boardorder/services/console"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// searched is a system whose every stream, document, file and log line can be
// searched.
type searched struct {
	*system
	docs projection.Store
	bus  *bus.Bus
	logs *observer.ObservedLogs
}

func startSearched(t *testing.T) *searched {
	t.Helper()
	for _, name := range []string{"MONGO_URI", "S3_URL"} {
		if os.Getenv(name) != "" {
			t.Skip("looks into the embedded stores")
		}
	}
	core, logs := observer.New(zapcore.DebugLevel)
	s := &searched{logs: logs}
	s.system = startWith(t, standalone.Config{DataDir: t.TempDir(), Env: busy, Log: zap.New(core)})
	var err error
	if s.docs, err = docopen.Open(t.Context(), "sqlite:"+filepath.Join(s.dir, "projection.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.docs.Close() })
	if s.bus, err = bus.Connect(t.Context(), bus.Config{URL: s.NATSURL, Name: "test", Log: zap.NewNop()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.bus.Close)
	if err := s.bus.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// find gives where one of the words stands.
func (s *searched) find(t *testing.T, words ...string) []string {
	t.Helper()
	found := bustest.Search(t, s.NATSURL, words...)
	found = append(found, s.findDocuments(t, words)...)
	return append(found, s.findFiles(t, words)...)
}

func (s *searched) findDocuments(t *testing.T, words []string) (found []string) {
	t.Helper()
	kinds := []string{accounts.KeyDocumentKind}
	for _, a := range contract.Aggregates() {
		kinds = append(kinds, string(a))
	}
	for _, kind := range kinds {
		docs, _, err := s.docs.List(t.Context(), kind, "", "", projection.Page{Limit: projection.MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			for _, word := range bustest.Words(fmt.Appendf(nil, "%v %s", d.Keys, d.Body), words...) {
				found = append(found, fmt.Sprintf("%q in document %s %s: %s", word, kind, d.ID, d.Body))
			}
		}
	}
	return found
}

// findFiles looks into the blobs, also into zips.
func (s *searched) findFiles(t *testing.T, words []string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(s.dir, "files"), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && len(bustest.Words(append(text, path...), words...)) > 0 {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// logLines gives the log lines in which one of the words stands.
func (s *searched) logLines(words ...string) (found []string) {
	for _, e := range s.logs.All() {
		line := fmt.Sprint(e.LoggerName, e.Message, e.ContextMap())
		if len(bustest.Words([]byte(line), words...)) > 0 {
			found = append(found, line)
		}
	}
	return found
}

// awaitGone waits until the words are nowhere.
func (s *searched) awaitGone(t *testing.T, words ...string) {
	t.Helper()
	var left []string
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if left = s.find(t, words...); len(left) == 0 {
			return
		}
	}
	for _, where := range left {
		t.Errorf("left of %q: %.600s", words, where)
	}
}

// erase has a customer's data removed, as an operator does.
func (s *searched) erase(t *testing.T, email string) {
	t.Helper()
	c, err := contract.NewCommand(erasures.EraseCustomer, contract.NewID(contract.RequestPrefix, time.Now()), "", time.Now(),
		erasures.EraseCustomerData{Person: contract.PersonRef(email), Operator: "terminal:ann"})
	if err == nil {
		err = s.bus.Send(t.Context(), c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func document[S any](t *testing.T, s *searched, kind contract.Aggregate, id string) (state S) {
	t.Helper()
	d, err := s.docs.Get(t.Context(), string(kind), id)
	if err == nil {
		err = json.Unmarshal(d.Body, &state)
	}
	if err != nil {
		t.Fatalf("find %s %s: %v", kind, id, err)
	}
	return state
}

// TestCustomerIsErased: after an erasure nothing names the customer, in any
// stream, document, file or log line; what bookkeeping needs stays.
func TestCustomerIsErased(t *testing.T) {
	t.Parallel()
	s := startSearched(t)
	upload := s.upload(t, s.sample(t))
	ask := func(quantity int, more string) quotes.Reply {
		return s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":%d,"standard_for_unstated":true%s}`, upload, quantity, more), http.StatusCreated)
	}
	notes := `,"project_name":"Analytical Engine","special_notes":"ring Miss Lovelace",
		"ship_to":{"name":"Ada Lovelace","email":"ADA@example.com","line1":"1 Main St","city":"Austin","state":"TX","postal_code":"78701","country":"US","phone":"+1 512 555 0100"}`
	unpaid, shipped, open := ask(7, notes), ask(8, ""), ask(9, notes)
	s.pay(t, shipped.CheckoutURL, "4242424242424242")
	s.beginPaying(t, open.CheckoutURL)
	ref := contract.SecretRef(shipped.QuoteID)
	var now orderState
	bustest.WaitFor(t, "shipped", func() bool { s.get(t, "/v1/quotes/"+shipped.QuoteID, &now); return now.Status == "shipped" })
	bustest.WaitFor(t, "two e-mails", func() bool { return len(s.Simulator().Mailbox().Messages("ada@example.com")) >= 2 })
	before := document[orders.Order](t, s, contract.OrderAggregate, ref)
	words := []string{"ada@example.com", "Lovelace", "1 Main St", "555 0100", "Analytical Engine", "78701"}
	for _, word := range words {
		if len(s.find(t, word)) == 0 {
			t.Errorf("%q is nowhere before the erasure: the test looks in the wrong place", word)
		}
	}
	s.erase(t, "Ada@example.com ")
	s.awaitGone(t, words...)
	after := document[orders.Order](t, s, contract.OrderAggregate, ref)
	if after.ID != before.ID || after.TotalCents != before.TotalCents || len(after.Lines) != len(before.Lines) || after.Payment.Intent != before.Payment.Intent ||
		after.ShipTo != (shipments.ShipTo{State: "TX", Country: "US"}) || after.Status != orders.Shipped || after.Sold.Reply.TaxCents == nil {
		t.Errorf("the order after the erasure: %+v, want it shipped to TX, US, with the sums of before: %+v", after, before)
	}
	record := document[erasures.Erasure](t, s, contract.ErasureAggregate, contract.PersonRef("ada@example.com"))
	if len(record.Requests) != 1 || record.Requests[0].Operator != "terminal:ann" || record.Erased[contract.QuoteAggregate] != 3 {
		t.Errorf("record of the erasure: %+v, want one request of terminal:ann, 3 events of the quote erased", record)
	}
	s.get(t, "/v1/quotes/"+unpaid.QuoteID, &now)
	if now.Status != "expired" {
		t.Errorf("an erased quote is %s, want expired", now.Status)
	}
	if p, err := s.http.Get(open.CheckoutURL); err != nil || p.Body.Close() != nil || p.StatusCode >= 500 {
		t.Errorf("checkout page of an erased quote: %v, %v", p, err)
	}
	for _, line := range s.logLines("ada@example.com", "Lovelace", "Main St", "555 0100", "Analytical Engine") {
		t.Errorf("a log names who was erased: %s", line)
	}
}

// boardInFolder is the sample board with all files in a folder of that name.
func boardInFolder(t *testing.T, board []byte, folder string) []byte {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(board), int64(len(board)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, f := range from.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		w, err := to.Create(folder + "/" + f.Name)
		if err == nil {
			_, err = io.Copy(w, r)
		}
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fabricatorAway keeps paid orders from being placed.
func (s *searched) fabricatorAway(t *testing.T) {
	t.Helper()
	if err := s.Simulator().Faults().Add(fault.Fault{Match: "POST /fab/overseas/openapi/pcb/uploadGerber", Kind: fault.ErrorBefore, Times: -1}); err != nil {
		t.Fatal(err)
	}
}

// TestDeclaredDesignLeavesNothing: after an ITAR declaration nothing tells of the
// design, in any stream, document or file, but that a declaration was made. What
// was paid is held for people, who know the customer, and an open payment page is closed.
func TestDeclaredDesignLeavesNothing(t *testing.T) {
	t.Parallel()
	s := startSearched(t)
	s.fabricatorAway(t)
	upload := s.upload(t, boardInFolder(t, s.sample(t), "stealthwing"))
	body := func(more string) string {
		return fmt.Sprintf(`{"upload_id":%q,"quantity":5,"project_name":"Nighthawk","special_notes":"radar absorbing"%s}`, upload, more)
	}
	status, refused := s.post(t, "/v1/quotes?wait_s=60", "application/json", strings.NewReader(body("")))
	if status != http.StatusUnprocessableEntity {
		t.Fatalf("a quote without details: %d %s, want 422", status, refused)
	}
	paid := s.quote(t, body(`,"standard_for_unstated":true`), http.StatusCreated)
	open := s.quote(t, body(`,"standard_for_unstated":true,"board_context":"canard"`), http.StatusCreated)
	check := s.checkDesign(t, fmt.Sprintf(`{"upload_id":%q,"copper_oz":1,"thickness_mm":1.6}`, upload))
	s.pay(t, paid.CheckoutURL, "4242424242424242")
	card := s.beginPaying(t, open.CheckoutURL)
	ref := contract.SecretRef(paid.QuoteID)
	bustest.WaitFor(t, "paid", func() bool {
		_, err := s.docs.Get(t.Context(), string(contract.OrderAggregate), ref)
		return err == nil
	})
	words := []string{"stealthwing", "nighthawk", "radar", "canard"}
	for _, word := range words {
		if len(s.find(t, word)) == 0 {
			t.Errorf("%q is nowhere before the declaration: the test looks in the wrong place", word)
		}
	}
	if status, reply := s.post(t, "/v1/quotes", "application/json", strings.NewReader(body(`,"itar":true`))); status != http.StatusUnprocessableEntity {
		t.Fatalf("declare files of a paid order: %d %s, want 422", status, reply)
	} else if held := document[orders.Order](t, s, contract.OrderAggregate, ref).Ref; !strings.Contains(string(reply), `"held_orders":["`+held+`"]`) {
		t.Errorf("the declaration does not say that it holds %s: %s", held, reply)
	}
	s.awaitGone(t, words...)
	bustest.WaitFor(t, "files gone", func() bool {
		return len(s.listBlobs(t, "uploads"))+len(s.listBlobs(t, "boards"))+len(s.listBlobs(t, "staging")) == 0
	})
	bustest.WaitFor(t, "the order held", func() bool {
		o := document[orders.Order](t, s, contract.OrderAggregate, ref)
		return o.Status == orders.Held && o.Withdrawn && len(o.Refunds) == 0 && o.ShipTo.Name == "Ada Lovelace"
	})
	for _, line := range s.logLines(words...) {
		t.Errorf("a log has one of %q: %s", words, line)
	}
	// Who has paid sees that people look at it, and nothing of the design.
	for _, path := range []string{"/v1/quotes/" + paid.QuoteID, "/checkout/" + paid.QuoteID} {
		status, body := s.do(t, http.MethodGet, path, "", nil)
		reply := string(body)
		order := document[orders.Order](t, s, contract.OrderAggregate, ref)
		if status != http.StatusOK || !strings.Contains(reply, order.Ref) || !strings.Contains(reply, "ITAR") || !strings.Contains(reply, money.Dollars(order.TotalCents)) {
			t.Errorf("%s: %d %.2000s; want order %s with its total and ITAR", path, status, reply, order.Ref)
		}
		for _, word := range append(words, "/board-images/", *paid.Board) {
			if strings.Contains(strings.ToLower(reply), strings.ToLower(word)) {
				t.Errorf("%s says %q, want nothing of the design:\n%.2000s", path, word, reply)
			}
		}
	}
	for _, path := range []string{"/v1/quotes/" + open.QuoteID, "/v1/quote-requests/" + *paid.RequestID, "/checkout/" + open.QuoteID} {
		if status, reply := s.do(t, http.MethodGet, path, "", nil); status != http.StatusNotFound {
			t.Errorf("%s: %d %.200s; want %d, since it was erased", path, status, reply, http.StatusNotFound)
		}
	}
	if status, _ := s.do(t, http.MethodGet, strings.TrimPrefix(check.ReportURL, s.BaseURL), "", nil); status != http.StatusNotFound && status != http.StatusGone {
		t.Errorf("report of a declared design: %d, want 404 or 410", status)
	}
	late, err := shopper.Pay(t.Context(), card, shopper.Card{Number: "4242424242424242", Email: "ada@example.com", Name: "Ada Lovelace"})
	if err == nil && late.Status == "paid" {
		t.Errorf("the open page could still be paid: %+v, want it refused", late)
	}
	declared := document[uploads.Upload](t, s, contract.UploadAggregate, contract.SecretRef(upload))
	if declared.Status != uploads.ITARDeclared || declared.Digest != "" || declared.Content != "" || len(declared.Earlier) > 0 {
		t.Errorf("the declared upload: %+v, want it %s, without digests and contents", declared, uploads.ITARDeclared)
	}
}

// TestDeclarationTakesNothingFromOthers: equal files of another account stay, and
// its order is held for people to look at.
func TestDeclarationTakesNothingFromOthers(t *testing.T) {
	t.Parallel()
	s := startSearched(t)
	s.fabricatorAway(t)
	declared := s.upload(t, s.sample(t))
	other := s.systemAs(t, "acc_other")
	upload := other.upload(t, s.sample(t))
	q := other.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":5,"standard_for_unstated":true}`, upload), http.StatusCreated)
	other.pay(t, q.CheckoutURL, "4242424242424242")
	ref := contract.SecretRef(q.QuoteID)
	bustest.WaitFor(t, "paid", func() bool {
		_, err := s.docs.Get(t.Context(), string(contract.OrderAggregate), ref)
		return err == nil
	})
	s.post(t, "/v1/quotes", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"quantity":5,"itar":true}`, declared)))
	bustest.WaitFor(t, "held", func() bool {
		o := document[orders.Order](t, s, contract.OrderAggregate, ref)
		return o.Status == orders.Held && strings.Contains(o.Held, "another customer")
	})
	o := document[orders.Order](t, s, contract.OrderAggregate, ref)
	board := document[boards.ReadFiles](t, s, contract.BoardAggregate, o.Digest)
	if o.ShipTo.Name == "" || o.Terms == nil || len(o.Refunds) > 0 || board.Gone || len(s.listBlobs(t, "boards")) == 0 {
		t.Errorf("the other account's order %+v, board gone %t; want its address and terms, no refunds, its files, false", o, board.Gone)
	}
	// What is ordered of the files from now on is looked at as well.
	later := other.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":6,"standard_for_unstated":true}`, upload), http.StatusCreated)
	other.pay(t, later.CheckoutURL, "4242424242424242")
	bustest.WaitFor(t, "the later order held", func() bool {
		doc, err := s.docs.Get(t.Context(), string(contract.OrderAggregate), contract.SecretRef(later.QuoteID))
		var o orders.Order
		return err == nil && json.Unmarshal(doc.Body, &o) == nil && o.Status == orders.Held && strings.Contains(o.Held, "another customer")
	})
}

// systemAs is the same system with the key of another account.
func (s *searched) systemAs(t *testing.T, account string) *system {
	t.Helper()
	text, key := console.NewKey("other", true, nil, nil, time.Now())
	do := func(name contract.CommandName, data any) {
		c, err := contract.NewCommand(name, contract.NewID(contract.RequestPrefix, time.Now()), account, time.Now(), data)
		if err == nil {
			err = s.bus.Send(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
		bustest.WaitFor(t, name.String(), func() bool {
			_, err := s.docs.Get(t.Context(), string(contract.OperationAggregate), c.Request)
			return err == nil
		})
	}
	do(accounts.Open, accounts.OpenData{ID: account, Name: "Other"})
	do(accounts.CreateKey, accounts.CreateKeyData{Account: account, Key: key})
	other := *s.system
	other.APIKey = text
	return &other
}
