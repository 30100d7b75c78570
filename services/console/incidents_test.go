package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/status"
)

// TestIncidentsAreWritten: an admin writes what customers read, adds to it, ends it and takes
// it back, all of it in the trail; others read it only.
func TestIncidentsAreWritten(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	bucket, err := w.bus.Bucket(t.Context(), contract.StatusIncidentsBucket)
	if err != nil {
		t.Fatal(err)
	}
	written := status.Incidents{Bucket: bucket}
	ann, ben := w.signInAs("ann"), w.signInAs("ben")
	ben.get("/incidents").wants(t, http.StatusOK, "No incidents in the last 90 days.")
	if body := ben.get("/incidents").body; strings.Contains(body, "Put it on the status page") {
		t.Error("who may not write is shown the form")
	}
	ann.fill("/incidents", "/incidents", "title", " ", "text", "", "stage", "investigating", "language", "xx").
		wants(t, http.StatusUnprocessableEntity, "Say in a line what happened.", "Say what it is about.", "Choose the language", "Say what customers should know.")
	form := ann.form("/incidents", "/incidents")
	for k, v := range map[string]string{"title": "Card payments fail", "text": "We look.", "stage": "investigating", "language": "de", "kind": "card_payments"} {
		form.Set(k, v)
	}
	for range 2 { // sent twice it is one
		ann.post("/incidents", form).wants(t, http.StatusOK, "It stands on the status page within seconds", "Card payments fail", "card payments", "We look.")
	}
	list, err := written.List(t.Context(), time.Now())
	if err != nil || len(list) != 1 || list[0].Language != "de" || len(list[0].Updates) != 1 || list[0].Updates[0].Operator != "ann" {
		t.Fatalf("incidents %+v, %v; want one, in German, by ann", list, err)
	}
	page := "/incidents/" + list[0].ID
	ann.fill("/incidents", page, "text", strings.Repeat("x", status.MaxText+1), "stage", "resolved").wants(t, http.StatusUnprocessableEntity, "longer than 1,000")
	ann.fill("/incidents", page, "text", "It is over.", "stage", "resolved").wants(t, http.StatusOK, "It is over.", "resolved")
	if i, err := written.Read(t.Context(), list[0].ID); err != nil || i.EndedAt == nil {
		t.Errorf("%+v, %v; want it ended", i, err)
	}
	ben.post(page, url.Values{"form_token": {ben.form("/", "/sign-out").Get("form_token")}, "text": {"Hm."}, "stage": {"monitoring"}, "request": {"req_x"}}).wants(t, http.StatusForbidden)
	ann.fill("/incidents", page+"/take-back").wants(t, http.StatusOK, "no longer on the status page", "No incidents")
	ann.get("/incidents")
	if got := len(w.trail("wrote about an incident")); got != 6 {
		t.Errorf("%d entries of what was written, want two for each of three forms", got)
	}
	if got := len(w.trail("took an incident back")); got != 2 {
		t.Errorf("%d entries of what was taken back, want two", got)
	}
}
