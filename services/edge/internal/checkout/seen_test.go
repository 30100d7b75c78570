package checkout_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract"
)

func doubtful(q *contract.Quote) {
	q.Reply.BoardFindings = []contract.Finding{
		{Level: "warning", Check: "ring", What: "the ring is <narrow>", File: "top.gtl", Image: "boards/d/ring.png"},
		{Level: "note", Check: "beside", What: "a mere note"},
	}
}

func TestFindingsAreShownWithTheirPlaces(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(doubtful)
	if _, err := s.blobs.Put(t.Context(), "boards/d/ring.png", strings.NewReader("PNG"), 3, "image/png"); err != nil {
		t.Fatal(err)
	}
	page := s.get("")
	page.has(t, "What we found in your design", "The ring is &lt;narrow&gt;.", "top.gtl", `src="`+s.path()+`/findings/0.png"`)
	for path, want := range map[string]int{"/findings/0.png": 200, "/findings/1.png": 404, "/findings/2.png": 404, "/findings/x.png": 404, "/findings/0": 404, "/findings/-1.png": 404} {
		if a := s.do(http.MethodGet, s.path()+path, nil); a.status != want {
			t.Errorf("%s = %d, want %d", path, a.status, want)
		}
	}
}

func TestPayingNeedsATickWhereSomethingWasFound(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(doubtful)
	s.post(s.form(ada(), "do", "update", "shipping_id", "us-exp", "build_hours", "0"))
	page := s.get("")
	page.has(t, `name="seen" value="`+q.SeenMark()+`"`, "I have seen")
	refusal := contract.Refuse(contract.InvalidRequest, "Please tick.")
	refusal.Fields = []contract.FieldProblem{{Field: "seen", Problem: "missing", Message: "Please tick that you have seen it."}}
	s.set(func() { s.refuse[contract.BeginCheckout] = refusal })
	a := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0"))
	if a.status != http.StatusUnprocessableEntity {
		t.Fatalf("pay = %d\n%s", a.status, a.body)
	}
	a.has(t, `<a href="#seen">Please tick that you have seen it.`, `aria-describedby="seen-error"`, "Pay $")
	s.set(func() { delete(s.refuse, contract.BeginCheckout) })
	if a := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0", "seen", q.SeenMark())); a.status != http.StatusSeeOther {
		t.Fatalf("pay = %d\n%s", a.status, a.body)
	}
	sent := s.sent(contract.BeginCheckout)
	if b := decode[contract.BeginCheckoutData](t, sent[len(sent)-1]); b.Seen != q.SeenMark() {
		t.Errorf("command = %+v", b)
	}
}
