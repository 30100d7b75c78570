package checkout_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

func doubtful(q *quotes.Quote) {
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
	page.has(t, "What we found in your design", "The ring is &lt;narrow&gt;.", "top.gtl", `src="`+s.path()+`/findings/0.png?small=1"`)
	for path, want := range map[string]int{"/findings/0.png": 200, "/findings/1.png": 404, "/findings/2.png": 404, "/findings/x.png": 404, "/findings/0": 404, "/findings/-1.png": 404} {
		if a := s.do(http.MethodGet, s.path()+path, nil); a.status != want {
			t.Errorf("%s = %d, want %d", path, a.status, want)
		}
	}
}

// TestGravestFindingsComeFirst: with their pictures open, and a link that leads to the report of
// the board as it is to be built.
func TestGravestFindingsComeFirst(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	thickness := 0.8
	s.quote(func(q *quotes.Quote) {
		q.Upload, q.Digest, q.Board, q.Reply.BoardDetails = "up", "digest", "blinker", &quotes.BoardDetails{ThicknessMM: thickness, CopperOz: 2}
		for i, level := range []string{"warning", "warning", "warning", "must_fix", "must_fix", "must_fix"} {
			q.Reply.BoardFindings = append(q.Reply.BoardFindings, contract.Finding{Level: level, Check: "c", What: fmt.Sprintf("fault %d", i), Image: "boards/d/x.png"})
		}
	})
	page := s.get("")
	page.has(t, `href="`+s.path()+`/report"`)
	at := func(words string) int { return strings.Index(page.body, words) }
	if first, grave := at("Fault 0."), at("Fault 5."); grave < 0 || first < grave || strings.Count(page.body, "Show the place") != 4 {
		t.Errorf("the last must_fix stands at %d, the first warning at %d, %d pictures are folded; want the warnings last and folded", grave, first, strings.Count(page.body, "Show the place"))
	}
	page.has(t, `src="`+s.path()+`/findings/5.png?small=1"`)
	id := designchecks.ID("digest", "blinker", 2, thickness)
	s.put(contract.DesignCheckAggregate, id, designchecks.DesignCheck{ID: id, Status: designchecks.MustFix, Report: "boards/d/report.html"})
	a := s.do(http.MethodGet, s.path()+"/report", nil)
	if to := a.header.Get("Location"); a.status != http.StatusSeeOther || !strings.Contains(to, "/design-checks/") || !strings.HasSuffix(to, "/report.html") {
		t.Errorf("GET report = %d, to %q; want 303 to a report", a.status, to)
	}
	a = s.do(http.MethodGet, s.path()+"/report?earlier="+strings.TrimPrefix(s.path(), "/checkout/"), nil)
	if _, before, _ := strings.Cut(a.header.Get("Location"), "/report.html#earlier="); a.status != http.StatusSeeOther || !strings.Contains(before, "report.html") {
		t.Errorf("GET report beside an earlier quote = %d, to %q; want 303 to a report that names the other", a.status, a.header.Get("Location"))
	}
	for _, unknown := range []string{"x", strings.Repeat("0", 64)} {
		if a := s.do(http.MethodGet, s.path()+"/report?earlier="+unknown, nil); a.status != http.StatusNotFound {
			t.Errorf("GET report beside the quote %s = %d, want 404: there is none", unknown, a.status)
		}
	}
}

// TestManyFindingsMakeNoHeavyPage: pictures come in the size that is shown, and after
// the first few only when they are asked for.
func TestManyFindingsMakeNoHeavyPage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	var whole bytes.Buffer
	if err := png.Encode(&whole, drawing()); err != nil {
		t.Fatal(err)
	}
	size := whole.Len()
	if _, err := s.blobs.Put(t.Context(), "boards/d/ring.png", &whole, int64(size), "image/png"); err != nil {
		t.Fatal(err)
	}
	s.quote(func(q *quotes.Quote) {
		for i := range 40 {
			q.Reply.BoardFindings = append(q.Reply.BoardFindings, contract.Finding{Level: "warning", Check: "ring", What: fmt.Sprintf("ring %d is narrow", i), Image: "boards/d/ring.png"})
		}
	})
	if n := strings.Count(s.get("").body, "Show the place"); n != 40 {
		t.Errorf("%d pictures are folded, want all", n)
	}
	small, large := s.do(http.MethodGet, s.path()+"/findings/0.png?small=1", nil), s.do(http.MethodGet, s.path()+"/findings/0.png", nil)
	if small.status != 200 || len(large.body) != size || len(small.body) > size/2 {
		t.Errorf("%d: the small picture is %d bytes, the large one %d; want 200, half at most, %d", small.status, len(small.body), len(large.body), size)
	}
	w := s.browse()
	meter := browsertest.Measure(t, w.ctx)
	if n := meter.Load(t, w.ctx, s.url+s.path()); n > 150_000 {
		t.Errorf("the page takes %d bytes, want 150000 at most", n)
	}
	w.look(390, 844, "light")
	w.check("findings")
}

// drawing is as hard to pack as the drawing of a dense board.
func drawing() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 880, 684))
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		x, y, c := r.IntN(880), r.IntN(684), color.NRGBA{uint8(r.IntN(8) * 32), uint8(r.IntN(8) * 32), 90, 255}
		for i := range 20 {
			img.SetNRGBA(min(x+i, 879), min(y+i/3, 683), c)
			img.SetNRGBA(min(x+i, 879), min(y+i/2, 683), c)
		}
	}
	return img
}

func TestPayingNeedsATickWhereSomethingWasFound(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(doubtful)
	s.post(s.form(ada(), "do", "update", "shipping_id", "us-exp", "build_hours", "0"))
	page := s.get("")
	page.has(t, `name="seen" value="`+q.AcknowledgementHash()+`"`, "I have seen")
	refusal := contract.Refuse(contract.InvalidRequest, "Please tick.")
	refusal.Fields = []contract.FieldProblem{{Field: "seen", Problem: "missing", Message: "Please tick that you have seen it."}}
	s.set(func() { s.refuse[checkouts.Begin] = refusal })
	a := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0"))
	if a.status != http.StatusUnprocessableEntity {
		t.Fatalf("pay = %d, want 422\n%s", a.status, a.body)
	}
	a.has(t, `<a href="#seen">Please tick that you have seen it.`, `aria-describedby="seen-error"`, "Pay $")
	s.set(func() { delete(s.refuse, checkouts.Begin) })
	if a := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0", "seen", q.AcknowledgementHash())); a.status != http.StatusSeeOther {
		t.Fatalf("pay = %d, want 303\n%s", a.status, a.body)
	}
	sent := s.commandsOf(checkouts.Begin)
	if b := decode[checkouts.BeginData](t, sent[len(sent)-1]); b.Acknowledgement != q.AcknowledgementHash() {
		t.Errorf("command = %+v, want %s acknowledged", b, q.AcknowledgementHash())
	}
}

// TestReplacedPartsAreApproved: who pays reads which parts take the place of others,
// and ticks it, with and without findings in the design.
func TestReplacedPartsAreApproved(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	replaced := func(q *quotes.Quote) {
		q.Reply.Parts = []assemblies.Part{{
			Found: partchecks.Found{Reference: "U1", MPN: "<b>NEW", Bought: 5, Replaces: "OLD"}, Fitting: assemblies.Fitted, Approved: true,
		}}
	}
	q := s.quote(replaced)
	s.post(s.form(ada(), "do", "update", "shipping_id", "us-exp", "build_hours", "0"))
	page := s.get("")
	page.has(t, "Replaced parts", "At U1 the part &lt;b&gt;NEW is fitted in place of OLD; whoever asked for this price said that you approved it.",
		`name="seen" value="`+q.AcknowledgementHash()+`"`, `I approve <a href="#replaced">`)
	if strings.Contains(page.body, "What we found in your design") {
		t.Error("nothing was found in the design")
	}
	s = open(t, nil)
	s.quote(func(q *quotes.Quote) { doubtful(q); replaced(q) })
	s.post(s.form(ada(), "do", "update", "shipping_id", "us-exp", "build_hours", "0"))
	s.get("").has(t, "built as they are, and I approve", "Replaced parts", "What we found in your design")
}
