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
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/standalone"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"

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
	kinds := []string{contract.KeyDocumentKind}
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

// logged gives the log lines in which one of the words stands.
func (s *searched) logged(words ...string) (found []string) {
	for _, e := range s.logs.All() {
		line := fmt.Sprint(e.LoggerName, e.Message, e.ContextMap())
		if len(bustest.Words([]byte(line), words...)) > 0 {
			found = append(found, line)
		}
	}
	return found
}

// gone waits until the words are nowhere.
func (s *searched) gone(t *testing.T, words ...string) {
	t.Helper()
	var left []string
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if left = s.find(t, words...); len(left) == 0 {
			return
		}
	}
	for _, where := range left {
		t.Errorf("left: %.600s", where)
	}
}

// erase has a customer's data removed, as an operator does.
func (s *searched) erase(t *testing.T, email string) {
	t.Helper()
	c, err := contract.NewCommand(contract.EraseCustomer, contract.NewID(contract.RequestPrefix, time.Now()), "", time.Now(),
		contract.EraseCustomerData{Person: contract.PersonRef(email), Operator: "terminal:ann"})
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
		t.Fatalf("%s %s: %v", kind, id, err)
	}
	return state
}

// TestCustomerIsErased: after an erasure nothing names the customer, in any
// stream, document, file or log line; what the books need stays.
func TestCustomerIsErased(t *testing.T) {
	t.Parallel()
	s := startSearched(t)
	upload := s.upload(t, s.sample(t))
	ask := func(quantity int, more string) contract.QuoteReply {
		return s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":%d,"standard_for_unstated":true%s}`, upload, quantity, more), http.StatusCreated)
	}
	notes := `,"project_name":"Analytical Engine","special_notes":"ring Miss Lovelace",
		"ship_to":{"name":"Ada Lovelace","email":"ADA@example.com","line1":"1 Main St","city":"Austin","state":"TX","postal_code":"78701","country":"US","phone":"+1 512 555 0100"}`
	unpaid, shipped, open := ask(7, notes), ask(8, ""), ask(9, notes)
	s.pay(t, shipped.CheckoutURL, "4242424242424242")
	s.beginPaying(t, open.CheckoutURL)
	ref := contract.SecretRef(shipped.QuoteID)
	var now standing
	bustest.Until(t, "shipped", func() bool { s.get(t, "/v1/quotes/"+shipped.QuoteID, &now); return now.Status == "shipped" })
	bustest.Until(t, "two letters", func() bool { return len(s.Simulator().Mailbox().Messages("ada@example.com")) >= 2 })
	before := document[contract.Order](t, s, contract.OrderAggregate, ref)
	words := []string{"ada@example.com", "Lovelace", "1 Main St", "555 0100", "Analytical Engine", "78701"}
	for _, word := range words {
		if len(s.find(t, word)) == 0 {
			t.Errorf("%q is nowhere before the erasure: the test looks in the wrong place", word)
		}
	}
	s.erase(t, "Ada@example.com ")
	s.gone(t, words...)
	after := document[contract.Order](t, s, contract.OrderAggregate, ref)
	if after.ID != before.ID || after.TotalCents != before.TotalCents || len(after.Lines) != len(before.Lines) || after.Payment.Intent != before.Payment.Intent ||
		after.ShipTo != (contract.ShipTo{State: "TX", Country: "US"}) || after.Status != contract.OrderStatusShipped || after.Sold.Reply.TaxCents == nil {
		t.Errorf("the order after the erasure: %+v", after)
	}
	record := document[contract.Erasure](t, s, contract.ErasureAggregate, contract.PersonRef("ada@example.com"))
	if len(record.Requests) != 1 || record.Requests[0].Operator != "terminal:ann" || record.Erased[contract.QuoteAggregate] != 3 {
		t.Errorf("record of the erasure: %+v", record)
	}
	s.get(t, "/v1/quotes/"+unpaid.QuoteID, &now)
	if now.Status != "expired" {
		t.Errorf("an erased quote is %s", now.Status)
	}
	if p, err := s.http.Get(open.CheckoutURL); err != nil || p.Body.Close() != nil || p.StatusCode >= 500 {
		t.Errorf("checkout page of an erased quote: %v, %v", p, err)
	}
	for _, line := range s.logged("ada@example.com", "Lovelace", "Main St", "555 0100", "Analytical Engine") {
		t.Errorf("log: %s", line)
	}
}

// beginPaying leads a quote to the card page, and gives its address.
func (s *system) beginPaying(t testing.TB, address string) string {
	t.Helper()
	p := s.open(t, address)
	p.send(t, "update", home)
	p = s.open(t, address)
	p.send(t, "pay", home)
	if p.next == "" {
		t.Fatalf("no way to pay from\n%s", p.text)
	}
	return p.next
}

// renamed is the sample board with all files in a folder of that name.
func renamed(t *testing.T, board []byte, folder string) []byte {
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

var _ = url.Values{}
var _ = strings.TrimSpace
