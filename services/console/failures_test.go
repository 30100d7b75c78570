package console_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/failedrequests"
)

// TestFailedRequests: an operator sees which requests of an account failed, live and test apart, and finds one by its id.
func TestFailedRequests(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	bucket, err := w.bus.Bucket(t.Context(), contract.FailedRequestsBucket)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	for _, owner := range []string{account, contract.TestOwner(account), "acc_other"} {
		var s failedrequests.Slot
		for range 25 {
			s.Add(failedrequests.Entry{At: now, Request: "req_of_" + owner, Key: "oldkey000000", Kind: failedrequests.Kind{Method: "GET", Route: "/v1/quotes/{quote_id}", Status: 404, Code: contract.NotFound}})
		}
		value, err := json.Marshal(s)
		if err == nil {
			_, err = bucket.Create(t.Context(), failedrequests.Key(owner, now), value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	at := "/accounts/" + account + "/requests"
	ben := w.signInAs("ben")
	ben.get("/accounts/"+account).wants(t, http.StatusOK, `href="`+at+`"`)
	page := ben.get(at)
	page.wants(t, http.StatusOK, "req_of_"+account+"<", "/v1/quotes/{quote_id}", "not_found", "Counted, not listed", ">5<")
	page.lacks(t, "~test", "acc_other")
	ben.get(at+"?mode=test").wants(t, http.StatusOK, "req_of_"+contract.TestOwner(account)+"<")
	ben.get(at+"?status=5xx").lacks(t, "req_of_")
	ben.get(at+"?request_id=req_of_"+account).wants(t, http.StatusOK, "req_of_"+account+"<")
	ben.get("/accounts/acc_none/requests").wants(t, http.StatusNotFound)
}
