package console_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/emails"
)

// mail writes down that e-mails were sent about something, as notify does.
func (w *world) mail(about string, all ...emails.Letter) {
	w.t.Helper()
	bucket, err := w.bus.Bucket(w.t.Context(), contract.EmailsSentBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	var list []byte
	for _, l := range all {
		if list, err = emails.AddLetter(list, l); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := bucket.Put(w.t.Context(), emails.LettersKey(about), list); err != nil {
		w.t.Fatal(err)
	}
}

// furnishLetters mails about an order and a formal one.
func (w *world) furnishLetters() {
	now := time.Now().UTC()
	w.mail(instantRef,
		emails.Letter{ID: "1", Kind: emails.Receipt, To: emails.ToCustomer, At: now, Subject: "Receipt for your order BO-2345ABCD", Outcome: emails.Taken},
		emails.Letter{ID: "2", Kind: emails.OrderHeld, To: emails.ToTeam, At: now.Add(time.Second), Subject: "Order BO-2345ABCD is held", Outcome: emails.Taken},
		emails.Letter{ID: "3", Kind: emails.OnHold, To: emails.ToCustomer, At: now.Add(2 * time.Second), Subject: "We are looking at your order " + foreign, Outcome: emails.Rejected})
	w.mail(formalRef, emails.Letter{ID: "4", Kind: emails.FormalQuote, To: emails.ToCustomer, At: now, Subject: "Formal quote CO-FORMAL-Q1 is issued", Outcome: emails.Taken})
}

// TestHistoriesShowWhatWasMailed: an order's, its quote's, a formal order's and the
// customer's, with whom it went to as the operator may see people.
func TestHistoriesShowWhatWasMailed(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	w.furnishLetters()
	customer := "/customers/" + customers.Ref(account, "grace@example.com")
	ann, ben := w.signInAs("ann"), w.signInAs("ben")
	for _, path := range []string{"/orders/" + instantRef, "/quotes/" + instantRef, "/quotes/" + instantRef + "/history", customer} {
		a := ann.get(path)
		a.wants(t, http.StatusOK, "Receipt for your order BO-2345ABCD", "E-mail to the team: order held", "refused by the mail server", "taken by the mail server")
		if strings.Contains(a.body, "<script>alert") {
			t.Errorf("%s: a subject is not escaped", path)
		}
	}
	ann.get(customer).wants(t, http.StatusOK, "E-mail to Grace Hopper, grace@example.com: receipt")
	a := ben.get(customer)
	a.wants(t, http.StatusOK, "Receipt for your order")
	a.lacks(t, "Grace Hopper", "grace@example.com")
	ben.get("/orders/"+instantRef).lacks(t, "Grace", "grace@")
	ann.get("/central/"+formalRef).wants(t, http.StatusOK, "Formal quote CO-FORMAL-Q1 is issued", "E-mail to the customer: formal quote")
}
