package checkout_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"github.com/chromedp/chromedp"
)

// answerApproval stands in for pricing: it records what the page sends.
func (s *harness) answerApproval(_ context.Context, c contract.Command) error {
	var d quotes.AnswerApprovalData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	q, err := fetch[quotes.Quote](s, contract.QuoteAggregate)
	if err != nil {
		return err
	}
	if q.Approvals[0].Answer != nil {
		return contract.Refuse(contract.Conflict, "This was answered before.")
	}
	q.Approvals[0].Answer = &quotes.ApprovalAnswer{Chosen: d.Chosen, Name: d.Name, Position: d.Position, Shown: d.Shown, At: s.now()}
	if err := s.write(contract.QuoteAggregate, s.ref, q); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: s.ref})
}

// alternative is a part with every way in which a property can stand.
func alternative(mpn string, score int) partchecks.Alternative {
	return partchecks.Alternative{
		MPN: mpn, Manufacturer: "Maker & Sons", Source: "distributor_a", Supplier: "Distributor A", Stock: 412_500, CostUSD: "12.50", Score: score, NoWorse: score >= 70, Datasheet: "https://datasheets.example/" + "part.pdf",
		Reasons: []partchecks.AlternativeReason{
			{Property: "value", Is: "same", Named: "100 nF", Offered: "100 nF"}, {Property: "voltage", Is: "better", Named: "16 V", Offered: "25 V"}, {Property: "temperature", Is: "worse", Named: "125 °C", Offered: "85 °C"},
			{Property: "grade", Is: "unknown", Named: "AEC-Q200", Offered: "not known"}, {Property: "stock", Is: "better", Named: "0", Offered: "412500"}, {Property: "price", Is: "worse", Named: "10.00", Offered: "12.50"},
			{Property: "lifecycle", Is: "better", Named: "eol", Offered: "active"},
		},
	}
}

const hostile = `<img src=x onerror="document.title='owned'">"'` + "\u202egnp.exe"

// askParts puts a quote whose customer is asked about two lines, and gives the page's address.
func (s *harness) askParts(change func(*quotes.Quote)) string {
	s.t.Helper()
	q := s.quote(func(q *quotes.Quote) {
		line := func(ref, part string, others ...partchecks.Alternative) assemblies.Part {
			return assemblies.Part{Found: partchecks.Found{Reference: ref, Part: part, QuantityPerBoard: 3, Alternatives: others, Why: "out of stock"}, Fitting: assemblies.Fitted, Footprint: "C_0603_1608Metric"}
		}
		setDelivery(q)
		q.Key, q.Upload, q.Digest, q.Request.Assembly, q.Assembly = "key1", "up1", "d1", true, &quotes.QuotedAssembly{Boards: 10, At: s.now()}
		q.Reply.Parts = []assemblies.Part{line("C1,C2", "GRM188R71E104KA01D", alternative("CL10B104KB8NNNC", 92), alternative("CC0603KRX7R8BB104", 41)), line("U1", hostile, alternative(hostile, 12))}
		for _, l := range q.Reply.Parts {
			asked, _ := q.ApprovalLineOf(l.Reference, nil)
			q.Approvals = append(q.Approvals, quotes.PartApproval{ID: "pa_1", Lines: []quotes.ApprovalLine{asked}, AsOf: s.now(), AskedAt: s.now(), ExpiresAt: q.ExpiresAt})
		}
		q.Approvals = []quotes.PartApproval{{ID: "pa_1", Lines: append(q.Approvals[0].Lines, q.Approvals[1].Lines...), AsOf: s.now(), AskedAt: s.now(), ExpiresAt: q.ExpiresAt}}
		if change != nil {
			change(q)
		}
	})
	return "/part-approvals/" + s.secrets.Link("part-approval", q.Ref+"-pa_1", q.Approvals[0].ExpiresAt)
}

// sendTo posts the form of a page, with what is filled in.
func (s *harness) sendTo(at string, page answer, fill url.Values, headers ...string) answer {
	s.t.Helper()
	form := url.Values{"do": {"answer"}}
	for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	for name, v := range fill {
		form[name] = v
	}
	return s.do("POST", at, form, headers...)
}

func approving(first, second string) url.Values {
	return url.Values{"line-0": {first}, "line-1": {second}, "name": {" Ada  Lovelace "}, "position": {"CTO"}, "confirm": {"yes"}}
}

// TestPartsAreApprovedOnAPage: the page says what differs; an answer needs every line, a name and the tick; it is
// recorded once, and leads to the price with it.
func TestPartsAreApprovedOnAPage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	at := s.askParts(nil)
	page := s.do("GET", at, nil)
	page.has(t, "CL10B104KB8NNNC", "Score 92 of 100", "At least as good in everything that decides.", "16 V", "25 V", "worse", "not known", "412,500 in stock (Distributor A)", "$12.50", "production ends", `rel="noopener noreferrer nofollow external"`)
	page.lacks(t, "<img src=x", "\u202e")
	if page.header.Get("Referrer-Policy") != "no-referrer" || !strings.Contains(page.header.Get("Content-Security-Policy"), "script-src 'self'") || page.header.Get("X-Robots-Tag") == "" {
		t.Errorf("headers %v, want no referrer, no script of others, and no search", page.header)
	}
	s.sendTo(at, page, nil).has(t, "4 things need your attention", "Choose a part, or none of them.", "Enter your name.", "Tick this to confirm your answer.")
	for name, fill := range map[string]url.Values{"a part that is not there": approving("-1", "-"), "another spelling": approving("+0", "-"), "too many": approving("0", "1"), "no tick": {"line-0": {"-"}, "line-1": {"-"}, "name": {"Ada"}}, "a long name": {"line-0": {"-"}, "line-1": {"-"}, "name": {strings.Repeat("a", 101)}, "confirm": {"yes"}}} {
		if a := s.sendTo(at, page, fill); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d, want 422", name, a.status)
		}
	}
	for name, headers := range map[string][]string{"another site's": {"Sec-Fetch-Site", "cross-site"}, "another origin's": {"Origin", "https://evil.example"}} {
		if a := s.sendTo(at, page, approving("-", "-"), headers...); a.status != http.StatusForbidden {
			t.Errorf("%s form: %d, want 403", name, a.status)
		}
	}
	if a := s.do("POST", at, url.Values{"do": {"answer"}, "token": {s.secrets.Link("checkout-form", s.ref, s.now().Add(time.Hour))}}); a.status != http.StatusForbidden {
		t.Errorf("with the token of another form: %d, want 403", a.status)
	}
	if n := len(s.commandsOf(quotes.AnswerApproval)); n != 0 {
		t.Fatalf("%d answers were sent, want none yet", n)
	}
	a := s.sendTo(at, page, approving("1", "-"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != at+"?answered=1" {
		t.Fatalf("answered: %d to %q\n%s", a.status, a.header.Get("Location"), a.body)
	}
	q := load[quotes.Quote](s, contract.QuoteAggregate)
	shown, err := q.DigestOf(q.Approvals[0])
	if d := decode[quotes.AnswerApprovalData](t, s.commandsOf(quotes.AnswerApproval)[0]); err != nil || d.Name != "Ada Lovelace" || d.Chosen[0] != "CC0603KRX7R8BB104" || d.Chosen[1] != "" || d.Shown != shown || d.Network != "127.0.0.1" || s.now().Sub(d.OpenedAt) > time.Minute {
		t.Errorf("sent %+v, %v; want Ada's choice of what was shown", d, err)
	}
	done := s.do("GET", at+"?answered=1", nil)
	done.has(t, "Thank you: your answer is recorded.", "<strong>Ada Lovelace, CTO</strong> answered on", "CC0603KRX7R8BB104 was approved in place of GRM188R71E104KA01D.", "None of the alternatives was approved.", "See the price with these parts")
	done.lacks(t, "Confirm my answer")
	if again := s.sendTo(at, page, approving("-", "-")); again.status != http.StatusSeeOther || len(s.commandsOf(quotes.AnswerApproval)) != 1 {
		t.Errorf("another tab: %d with %d answers, want to be led to the one", again.status, len(s.commandsOf(quotes.AnswerApproval)))
	}
	price := s.sendTo(at, done, url.Values{"do": {"price"}})
	if to := price.header.Get("Location"); price.status != http.StatusSeeOther || !strings.HasPrefix(to, "/checkout/") || !strings.HasSuffix(to, "?approved=1") {
		t.Fatalf("pressed: %d to %q, want the new quote\n%s", price.status, to, price.body)
	}
	if d := decode[quotes.PriceData](t, s.commandsOf(quotes.Price)[0]); d.Approval != "pa_1" || d.From != s.ref || d.Digest != "d1" {
		t.Errorf("asked for %+v, want the quote with approval pa_1", d)
	}
}

// TestApprovalPageThatIsNoMore: what cannot be answered says why, and sends nothing.
func TestApprovalPageThatIsNoMore(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		after  func()
		status int
		text   string
	}{
		"a line changed": {func(q *quotes.Quote) { q.Reply.Parts[0].QuantityPerBoard++ }, nil, http.StatusOK, "has changed since you were asked"},
		"more files": {nil, func() {
			s.put(contract.UploadAggregate, "up1", uploads.Upload{Ref: "up1", Status: uploads.Open, Digest: "d2"})
		}, http.StatusOK, "has changed since you were asked"},
		"expired": {func(q *quotes.Quote) { q.Approvals[0].ExpiresAt = s.now().Add(-time.Second) }, nil, http.StatusGone, "The time to answer is over."},
		"declared": {nil, func() {
			s.put(contract.UploadAggregate, "up1", uploads.Upload{Ref: "up1", Status: uploads.ITARDeclared})
		}, http.StatusGone, "The time to answer is over."},
		"ordered": {nil, func() {
			s.put(contract.OrderAggregate, s.ref, orders.Order{Quote: s.ref, Sold: load[quotes.Quote](s, contract.QuoteAggregate)})
		}, http.StatusOK, "have been ordered"},
	} {
		s.put(contract.UploadAggregate, "up1", uploads.Upload{Ref: "up1", Status: uploads.Expired, Digest: "d1"})
		at := s.askParts(nil)
		page := s.do("GET", at, nil)
		at = s.askParts(tt.change)
		if tt.after != nil {
			tt.after()
		}
		if a := s.do("GET", at, nil); a.status != tt.status || !strings.Contains(a.body, tt.text) || strings.Contains(a.body, "Confirm my answer") {
			t.Errorf("%s: %d, want %d with %q and no button\n%s", name, a.status, tt.status, tt.text, a.body)
		}
		if s.sendTo(at, page, approving("-", "-")); len(s.commandsOf(quotes.AnswerApproval)) != 0 {
			t.Errorf("%s: an answer was sent, want none", name)
		}
		if name == "ordered" {
			break
		}
	}
	at := s.askParts(nil)
	for _, path := range []string{at[:len(at)-1], "/part-approvals/x", "/part-approvals/" + s.secrets.Link("part-approval", s.ref+"-pa_2", s.now().Add(time.Hour)), "/part-approvals/" + s.secrets.Link("checkout-form", s.ref+"-pa_1", s.now().Add(time.Hour))} {
		if a := s.do("GET", path, nil); a.status != http.StatusGone || strings.Contains(a.body, "GRM188") {
			t.Errorf("%s: %d, want 410 without a part\n%s", path, a.status, a.body)
		}
	}
}

// TestApprovalInABrowser: the page is accessible and fits every width, without a script; nothing of what strangers
// wrote is run; in another language what was typed stays.
func TestApprovalInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	at := s.askParts(nil)
	w.open(s.url + at)
	w.check("approval")
	w.do(chromedp.Click("#line-0-1"), chromedp.Click("#line-1-none"), chromedp.SendKeys("#f-name", "Ada"), chromedp.Click(`button[lang=de]`))
	w.waitFor("document.documentElement.lang === 'de' && document.querySelector('#line-0-1').checked && document.querySelector('#f-name').value === 'Ada'")
	w.do(chromedp.Click("button[value=answer]"))
	w.waitFor("document.querySelector('#errors')?.innerText.includes('Haken')")
	w.check("approval with an error")
	w.do(chromedp.Click("#confirm"), chromedp.Click("button[value=answer]"))
	w.waitFor("document.querySelector('.notice.good')?.innerText.includes('Antwort ist festgehalten')")
	w.check("approval answered")
	w.waitFor("document.title !== 'owned'")
}
