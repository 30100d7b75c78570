package console_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/formal"
)

// tell publishes a public event, as the feed does, and gives its position.
func (w *world) tell(owner string, of contract.Aggregate, id string, sequence, previous, after uint64, t feed.Type, data feed.Data) uint64 {
	w.t.Helper()
	key := feed.KeyOf(of, id)
	e := feed.Entry{Owner: owner, Key: key, Event: feed.Event{
		ID: feed.IDOf(key, sequence), Type: t, Timestamp: time.Now().UTC(), Sequence: sequence, Previous: previous, Livemode: !contract.IsTest(owner), Data: data,
	}}
	if of == contract.QuoteAggregate || of == contract.OrderAggregate {
		e.Quote = &feed.QuoteName{Request: "req_" + id, Ref: id}
	}
	seq, err := w.bus.PublishPublic(w.t.Context(), e, after)
	if err != nil {
		w.t.Fatal(err)
	}
	return seq
}

// furnishTold has the account told of one thing of each kind.
func (w *world) furnishTold() {
	w.t.Helper()
	first := w.tell(account, contract.QuoteAggregate, instantRef, 11, 0, 0, feed.QuotePriced, feed.Data{Object: feed.QuoteObject, Status: "quote_ready"})
	w.tell(account, contract.QuoteAggregate, instantRef, 19, 11, first, feed.QuoteExpired, feed.Data{Object: feed.QuoteObject, Status: "expired"})
	w.tell(account, contract.OrderAggregate, instantRef, 11, 0, 0, feed.OrderPaid, feed.Data{Object: feed.OrderObject, OrderID: "ord_1", OrderRef: "BO-2345ABCD", Status: "paid"})
	w.tell(account, contract.QuoteAggregate, "refused", 11, 0, 0, feed.QuoteRefused, feed.Data{Object: feed.QuoteObject, RequestID: "req_refused", Error: contract.PriceUnavailable})
	w.tell(account, contract.UploadAggregate, uploadRef, 31, 0, 0, feed.UploadExpired, feed.Data{Object: feed.UploadObject, UploadDigest: uploadRef, Status: "expired"})
	w.tell(account, contract.DesignCheckAggregate, checkRef, 11, 0, 0, feed.DesignCheckFinished, feed.Data{Object: feed.DesignCheckObject, CheckID: checkRef, Status: "must_fix"})
	w.tell(account, contract.PartCheckAggregate, "partcheck", 11, 0, 0, feed.PartCheckFinished, feed.Data{Object: feed.PartCheckObject, CheckID: "partcheck", Status: "ended"})
	w.tell(contract.TestOwner(account), contract.QuoteAggregate, "tried", 11, 0, 0, feed.QuotePriced, feed.Data{Object: feed.QuoteObject, Status: "quote_ready"})
	w.tell("acc_other", contract.QuoteAggregate, "theirs", 11, 0, 0, feed.QuotePriced, feed.Data{Object: feed.QuoteObject, Status: "quote_ready"})
}

// TestPublicEvents: an operator sees what an account was told of, newest first, each with the
// page of its object, by type, object and mode.
func TestPublicEvents(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishTold()
	ben := w.signInAs("ben")
	at := "/accounts/" + account + "/events"
	ben.get("/accounts/"+account).wants(t, http.StatusOK, `href="`+at+`"`)
	all := ben.get(at)
	all.wants(t, http.StatusOK, `href="/quotes/`+instantRef+`"`, `href="/orders/`+instantRef+`"`, "BO-2345ABCD", "price unavailable",
		`href="/events/upload/`+uploadRef+`"`, `href="/events/design-check/`+checkRef+`"`, `href="/events/part-check/partcheck"`, "19 <small>after 11</small>")
	all.lacks(t, "tried", "theirs")
	if newest, oldest := strings.Index(all.body, "part_check.finished</code>"), strings.LastIndex(all.body, "quote.priced</code>"); newest < 0 || oldest < newest {
		t.Errorf("the newest event stands at %d, the oldest at %d; want the newest first", newest, oldest)
	}
	expired := ben.get(at + "?type=quote.expired")
	expired.wants(t, http.StatusOK, "quote.expired</code>")
	expired.lacks(t, "order.paid</code>", "quote.priced</code>")
	ofObject := ben.get(at + "?object=" + instantRef)
	ofObject.wants(t, http.StatusOK, "quote.expired</code>", "order.paid</code>")
	ofObject.lacks(t, "upload.expired</code>")
	tests := ben.get(at + "?mode=test")
	tests.wants(t, http.StatusOK, "tried")
	tests.lacks(t, "order.paid</code>")
	ben.get(at+"?object=a.b").wants(t, http.StatusOK, "No events of this kind")
	ben.get("/accounts/acc_none/events").wants(t, http.StatusNotFound)
}

// TestPublicEventsOfControlledOrders: of a formal order that is for US persons nobody else sees
// an event.
func TestPublicEventsOfControlledOrders(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	for key, controlled := range map[string]bool{"open": false, "controlled": true} {
		commit(w, contract.FormalAggregate, key, formal.EventQuoted, account, formal.Order{
			ID: "ord_" + key, Key: key, Ref: "CO-" + strings.ToUpper(key), Account: account, Form: formal.Form{Name: "Board", ITAR: controlled}, Status: formal.Quoted,
		})
		w.tell(account, contract.FormalAggregate, key, 11, 0, 0, feed.FormalQuoted, feed.Data{Object: feed.FormalOrderObject, OrderID: "ord_" + key, OrderRef: "CO-" + strings.ToUpper(key), Status: "quoted"})
	}
	at := "/accounts/" + account + "/events"
	seen := w.signInAs("ben").get(at)
	seen.wants(t, http.StatusOK, "CO-OPEN", `href="/central/open"`)
	seen.lacks(t, "CO-CONTROLLED")
	w.signInAs("usa").get(at).wants(t, http.StatusOK, "CO-OPEN", "CO-CONTROLLED")
}
