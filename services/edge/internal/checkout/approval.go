package checkout

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"boardorder/pkg/address"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// approvalForm is the purpose of the token that the page of an approval gives its form. It names the
// approval, and the second in which the page was shown.
const approvalForm = "part-approval-form"

// approvalForms bounds what one page sends.
var approvalForms = limit.Policy{Name: "part-approval-forms", Quota: 30, Window: time.Hour}

const maxApproverEmail = 254

// approvalRoutes list the page on which a customer approves parts. No API key opens it or answers
// there: who has its address is asked.
func (p *Pages) approvalRoutes() []web.Route {
	const at = quote.ApprovalPath + "{token}"
	return []web.Route{
		{Method: http.MethodGet, Path: at, Access: web.Public, Page: true, Handle: p.page(p.showApproval)},
		{Method: http.MethodPost, Path: at, Access: web.Public, Page: true, Handle: p.page(p.actApproval)},
	}
}

// An approvalRecord is all that is recorded of an approval.
type approvalRecord struct {
	self     string // the page's own address
	quote    quotes.Quote
	approval quotes.PartApproval
	status   quotes.ApprovalStatus
	ordered  bool
	lang     *language.Printer
}

// readApproval finds the approval that an address names. It refuses one whose design was declared.
func (p *Pages) readApproval(c *web.Call) (approvalRecord, error) {
	token, ctx := c.Param("token"), c.Context()
	s := approvalRecord{self: p.base + quote.ApprovalPath + token, lang: c.Language()}
	subject, _, err := p.Secrets.OpenLink(quote.ApprovalLink, token, p.Now())
	switch {
	case errors.Is(err, secret.ErrExpired):
		return s, problem.New(contract.LinkExpired, "%s", approvalOver)
	case err != nil:
		return s, problem.New(contract.LinkExpired, "%s", language.Key("This link is incomplete. Please open it again from the message that it came in."))
	}
	ref, id, _ := strings.Cut(subject, "-")
	c.About = append(c.About, zap.String("quote", ref), zap.String("approval", id))
	current, err := optional[quotes.Quote](ctx, p, contract.QuoteAggregate, ref)
	if err != nil {
		return s, err
	}
	if current == nil || current.Approval(id) == nil {
		return s, problem.New(contract.LinkExpired, "%s", approvalOver)
	}
	declared, err := design.Designs{Client: p.Client}.IsDeclared(ctx, current.Upload)
	switch {
	case err != nil:
		return s, err
	case declared:
		return s, problem.New(contract.LinkExpired, "%s", approvalOver)
	}
	order, err := optional[orders.Order](ctx, p, contract.OrderAggregate, ref)
	if err != nil {
		return s, err
	}
	s.quote, s.approval, s.ordered = *current, *current.Approval(id), order != nil
	s.status, err = quote.ApprovalStatus(ctx, p.Docs, s.quote, s.approval, p.Now())
	return s, err
}

var approvalOver = language.Key("The time to answer is over. If you had not answered, nothing was approved: ask whoever gave you this page for a new one.")

// isAsked reports whether the customer can answer now.
func (s approvalRecord) isAsked() bool { return s.status == quotes.ApprovalOpen && !s.ordered }

// isPriceable reports whether there is something that was approved and can be priced.
func (s approvalRecord) isPriceable() bool {
	return !s.ordered && quotes.RefuseUnapproved(s.status) == nil
}

// approvalToken is what a page gives its form.
func (p *Pages) approvalToken(s approvalRecord) string {
	now := p.Now()
	return p.Secrets.Link(approvalForm, quote.ApprovalSubject(s.quote.Ref, s.approval.ID)+"-"+strconv.FormatInt(now.Unix(), 10), now.Add(24*time.Hour))
}

// openForm refuses a form that did not come from the approval's own page, and gives when that was shown.
func (p *Pages) openForm(c *web.Call, s approvalRecord, form url.Values) (shown time.Time, err error) {
	if err := c.RefuseForeign(p.origin); err != nil {
		return shown, err
	}
	subject, _, err := p.Secrets.OpenLink(approvalForm, form.Get("token"), p.Now())
	text, ok := strings.CutPrefix(subject, quote.ApprovalSubject(s.quote.Ref, s.approval.ID)+"-")
	at, malformed := strconv.ParseInt(text, 10, 64)
	if err != nil || !ok || malformed != nil {
		return shown, problem.New(contract.Forbidden, "This form is out of date.")
	}
	return time.Unix(at, 0), nil
}

// showApproval answers GET /part-approvals/{token}. It changes nothing, however often it is fetched.
func (p *Pages) showApproval(c *web.Call) error {
	s, err := p.readApproval(c)
	if err != nil {
		return err
	}
	v := p.approvalView(c, s, approvalEntry{})
	if _, answered := c.Query("answered"); answered && s.approval.Answer != nil {
		v.Notices = append(v.Notices, Notice{Kind: "good", Text: s.lang.Text("Thank you: your answer is recorded."), Focus: true})
	}
	return p.replyApproval(c, http.StatusOK, v)
}

func (p *Pages) replyApproval(c *web.Call, status int, v approvalPage) error {
	return p.html(c, status, "approval", v)
}

// actApproval answers POST /part-approvals/{token}: the customer answers, or wants the price with
// what was approved.
func (p *Pages) actApproval(c *web.Call) error {
	form, err := c.Form()
	if err != nil {
		return err
	}
	s, err := p.readApproval(c)
	if err != nil {
		return err
	}
	shown, err := p.openForm(c, s, form)
	if err != nil {
		return err
	}
	e := readApprovalEntry(form, len(s.approval.Lines))
	switch do := form.Get("do"); {
	case do == switches && s.isAsked():
		return p.replyApproval(c, http.StatusOK, p.approvalView(c, s, e))
	case do == "price" && s.isPriceable():
		return p.handlePriceApproved(c, s)
	case do == "answer" && s.isAsked():
		return p.handleApproval(c, s, e, shown, form.Get("shown"))
	}
	return p.redirect(c, s.self) // somebody was faster, or the page is old
}

// approvalEntry is what was chosen and typed.
type approvalEntry struct {
	chosen                []string // line by line: which alternative, from 0, or noAlternative; "" nothing yet
	name, position, email string
	confirmed             bool
}

// noAlternative is what the choice of none of a line's alternatives sends.
const noAlternative = "-"

func readApprovalEntry(form url.Values, lines int) approvalEntry {
	e := approvalEntry{
		name: untrusted.CleanLine(form.Get("name")), position: untrusted.CleanLine(form.Get("position")), email: untrusted.CleanLine(form.Get("email")), confirmed: form.Get("confirm") == "yes",
	}
	for i := range lines {
		e.chosen = append(e.chosen, form.Get("line-"+strconv.Itoa(i)))
	}
	return e
}

// handleApproval has a customer's answer recorded.
func (p *Pages) handleApproval(c *web.Call, s approvalRecord, e approvalEntry, shown time.Time, digest string) error {
	v := p.approvalView(c, s, e)
	if v.check(s.lang, e); len(v.Errors) > 0 {
		v.Title = errorTitle(s.lang, v.Title)
		return p.replyApproval(c, http.StatusUnprocessableEntity, v)
	}
	err := p.take(c, addressForms, p.Network(c))
	if err == nil {
		err = p.take(c, approvalForms, s.approval.ID)
	}
	if err == nil {
		data := quotes.AnswerApprovalData{
			Quote: s.quote.Ref, Approval: s.approval.ID, Shown: digest, OpenedAt: shown.UTC(), Chosen: make([]string, len(e.chosen)),
			Name: e.name, Position: e.position, Email: e.email, Network: p.Place(c), Language: s.lang.Code,
		}
		for i, l := range s.approval.Lines {
			if k, err := strconv.Atoi(e.chosen[i]); err == nil { // it is one of them, as was checked
				data.Chosen[i] = l.Alternatives[k].MPN
			}
		}
		_, err = p.carryOut(c.Context(), quotes.AnswerApproval, s.quote.Account, data)
	}
	switch r := contract.RefusalIn(err); {
	case err == nil:
		return p.redirect(c, s.self+"?answered=1")
	case r != nil && (r.Code == contract.Conflict || r.Code == contract.LinkExpired):
		return p.redirect(c, s.self) // which shows what it is by now
	}
	failure := problem.Find(err)
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	v.Notices, v.Title = []Notice{failureNotice(s.lang, p.failureWords(failure))}, errorTitle(s.lang, v.Title)
	return p.replyApproval(c, failure.Status, v)
}

// handlePriceApproved leads to the quote with the parts that were approved.
func (p *Pages) handlePriceApproved(c *web.Call, s approvalRecord) error {
	if err := p.countReprice(c, record{ref: s.quote.Ref, quote: s.quote}); err != nil {
		return err
	}
	made, err := p.Config.Reprice(c, s.quote, s.approval.ID)
	switch {
	case err != nil:
		return err
	case made.Refusal != nil:
		return &problem.Problem{Status: http.StatusUnprocessableEntity, Refusal: p.repriceRefusal(*made.Refusal)}
	case made.Quote == nil:
		v := p.approvalView(c, s, approvalEntry{})
		v.Notices = []Notice{{Kind: "info", Text: s.lang.Text("The new price is being worked out and takes a little longer than usual. Please press the button again in a few seconds."), Focus: true}}
		return p.replyApproval(c, http.StatusOK, v)
	}
	at, err := url.Parse(made.CheckoutURL)
	if err != nil {
		return problem.Find(err)
	}
	return p.redirect(c, at.Path+"?approved=1")
}

// check notes what an answer lacks, in the order of the page.
func (v *approvalPage) check(l *language.Printer, e approvalEntry) {
	note := func(at *template.HTML, id, text string) {
		*at = template.HTML(template.HTMLEscapeString(l.Text(text))) // #nosec G203 -- escaped
		v.Errors = append(v.Errors, fieldError{id, *at})
	}
	for i := range v.Lines {
		line := &v.Lines[i]
		if !line.isChosen() {
			note(&line.Error, line.Options[0].ID, language.Key("Choose a part, or none of them."))
		}
	}
	switch {
	case e.name == "":
		note(&v.Name.Error, v.Name.ID, language.Key("Enter your name."))
	case utf8.RuneCountInString(e.name) > quotes.MaxApprover:
		note(&v.Name.Error, v.Name.ID, tooLongForApprover)
	}
	if utf8.RuneCountInString(e.position) > quotes.MaxApprover {
		note(&v.Position.Error, v.Position.ID, tooLongForApprover)
	}
	if e.email != "" && (!address.IsEmail(e.email) || len(e.email) > maxApproverEmail) {
		note(&v.Email.Error, v.Email.ID, address.NoEmail)
	}
	if !e.confirmed {
		note(&v.ConfirmError, "confirm", language.Key("Tick this to confirm your answer."))
	}
}

var tooLongForApprover = language.Key("This is too long; please shorten it.")
