package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/plain"

	"go.uber.org/zap"
)

// Limits above which a second operator has to agree, in cents: what is above a
// limit waits, what is not is done at once.
type Limits struct {
	RefundCents int64
	PriceCents  int64
}

// work is the team's own part of a page about a quote or its order.
type work struct {
	Case    *cases.Case // nil: nobody has touched it
	CaseRef string      // the quote's ref
	Pending []cases.Approval
	Settled []cases.Approval
}

func (c *call) work(ref string) (work, error) {
	found, err := get[cases.Case](c.r.Context(), c.s.Docs, contract.CaseAggregate, ref)
	w := work{Case: found, CaseRef: ref}
	if found == nil {
		return w, err
	}
	for _, a := range slices.Backward(found.Approvals) {
		if a.Status == cases.ApprovalOpen {
			w.Pending = append(w.Pending, a)
		} else {
			w.Settled = append(w.Settled, a)
		}
	}
	return w, err
}

// Assignee is who has it; "" while nobody has.
func (w work) Assignee() string {
	if w.Case == nil {
		return ""
	}
	return w.Case.Assignee
}

// mayDecide says which permission approving needs: the one that doing it needs.
func mayDecide(k cases.ApprovalKind) operator.Permission {
	if k == cases.ApprovePrice || k == cases.ApproveFormal {
		return operator.SetPrices
	}
	return operator.MoveOrders
}

// MayDecide is for templates.
func (p page) MayDecide(k cases.ApprovalKind) bool {
	return p.Session != nil && p.Session.Operator.Can(mayDecide(k))
}

// doing is what an operator wants, in words.
func doing(k cases.ApprovalKind) string {
	return map[cases.ApprovalKind]string{
		cases.ApproveRefund: "give money back", cases.ApproveCancel: "cancel the order", cases.ApprovePrice: "set a price",
		cases.ApproveFormal: "issue a formal quote",
	}[k]
}

type approvalRow struct {
	cases.Approval
	Ref, Account, Age string
}

type approvalsView struct {
	page
	Rows []approvalRow
	Next string
}

// approvals lists what waits for a second operator, newest first.
func (s *Server) approvals(c *call) error {
	v := approvalsView{page: c.page("approvals", "Approvals")}
	found, next, err := list[cases.Case](c.r.Context(), s.Docs, contract.CaseAggregate, "waiting", cases.Waits,
		projection.Page{Limit: perPage, Cursor: c.r.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	v.Next = next
	for _, one := range found {
		if c.hides(one.Marks()) {
			continue
		}
		for _, a := range one.Open() {
			v.Rows = append(v.Rows, approvalRow{a, one.Ref, c.accountName(one.Account), waitTime(s.Now(), a.AskedAt)})
		}
	}
	return c.show("approvals", v)
}

// A subject is what a case is of.
type subject struct {
	Ref, Account string
	Kind         string // as the audit trail says it
	Person       string // PersonRef of the customer
	Path         string // where an operator goes back to
	ITAR         bool   // a controlled formal order
}

func (s subject) auditRecord(action string) audits.Record {
	return audits.Record{Action: action, Kind: s.Kind, ID: s.Ref, Controlled: s.ITAR}
}

// subject reads what the case in the address is of.
func (s *Server) subject(c *call) (subject, error) {
	ref := c.r.PathValue("ref")
	o, err := get[formal.Order](c.r.Context(), s.Docs, contract.CentralAggregate, ref)
	switch {
	case err != nil:
		return subject{}, err
	case o != nil && c.mayOpen(o):
		return formalSubject(*o), nil
	}
	q, _, order, err := s.readQuote(c.r.Context(), ref)
	if err != nil {
		return subject{}, err
	}
	return c.quoteSubject(q, order), nil
}

func formalSubject(o formal.Order) subject {
	return subject{Ref: o.Key, Account: o.Account, Kind: "central-order", Person: contract.PersonRef(o.Email), Path: "/central/" + o.Key, ITAR: o.ITAR}
}

// quoteSubject is the quote as it was sold, once it was.
func (c *call) quoteSubject(q *quotes.Quote, order *orders.Order) subject {
	s := subject{Ref: q.Ref, Account: q.Account, Kind: "quote", Person: contract.PersonRef(recipient(*q).Email), Path: "/quotes/" + q.Ref}
	switch {
	case order != nil:
		s.Path, s.Person = "/orders/"+q.Ref, contract.PersonRef(order.ShipTo.Email)
	case q.Mode == quotes.ModeReview && c.can(operator.SetPrices):
		s.Path = "/reviews/" + q.Ref
	}
	return s
}

// takeCase makes the operator the one who has it, or leaves it to the others.
func (s *Server) takeCase(c *call) error {
	of, err := s.subject(c)
	if err != nil {
		return err
	}
	data := cases.TakeData{Case: of.Ref, Person: of.Person, ITAR: of.ITAR, Operator: c.session.Operator.Name, Leave: c.r.PostFormValue("action") == "leave"}
	now, err := c.work(of.Ref)
	if err != nil {
		return err
	}
	after := data.Operator
	if data.Leave {
		after = ""
	}
	r := of.auditRecord("took a case")
	r.Before, r.After = map[string]string{"assignee": now.Assignee()}, map[string]string{"assignee": after}
	err = c.command(r, cases.Take, c.r.PostFormValue("request"), of.Account, data)
	return c.finish(err, of.Path, "taken")
}

// askApproval has a second operator look at something before it is done.
func (c *call) askApproval(r audits.Record, of subject, kind cases.ApprovalKind, request string, cents int64, currency string, data any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	r.Action = "asked to " + doing(kind)
	return c.command(r, cases.AskApproval, request, of.Account, cases.AskApprovalData{
		Case: of.Ref, Person: of.Person, ITAR: of.ITAR, Operator: c.session.Operator.Name, Kind: kind, Cents: cents, Currency: currency, Command: body,
	})
}

// decide approves or declines what a colleague wants, and waits for what comes of it.
func (s *Server) decide(c *call) error {
	of, err := s.subject(c)
	if err != nil {
		return err
	}
	now, err := c.work(of.Ref)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(now.Pending, func(a cases.Approval) bool { return a.ID == c.r.PathValue("id") })
	if i < 0 {
		return problem{http.StatusConflict, "This was decided already, or taken back."}
	}
	a, approve := now.Pending[i], c.r.PostFormValue("action") == "approve"
	if !c.can(mayDecide(a.Kind)) && (approve || a.AskedBy != c.session.Operator.Name) {
		c.noteRefusal("refused", zap.String("needs", string(mayDecide(a.Kind))))
		return problem{http.StatusForbidden, "Your roles do not let you " + string(mayDecide(a.Kind)) + "."}
	}
	action, word := "declined to "+doing(a.Kind), "declined"
	if approve {
		// Two have to want it: who asked may have been removed since, or lost the role.
		if by, known := s.Book.Find(a.AskedBy); !known || !by.Can(mayDecide(a.Kind)) {
			return problem{http.StatusConflict, a.AskedBy + " may not " + string(mayDecide(a.Kind)) + " any more, so what they asked for cannot be approved. Decline it, and ask for it yourself if it is right."}
		}
		action, word = "approved to "+doing(a.Kind), "approved"
	}
	r := of.auditRecord(action)
	r.Before = map[string]string{"status": string(a.Status), "asked_by": a.AskedBy}
	r.After = map[string]string{"amount": money(a.Cents, a.Currency), "decided_by": c.session.Operator.Name}
	err = c.command(r, cases.Decide, c.r.PostFormValue("request"), of.Account,
		cases.DecideData{Case: of.Ref, ITAR: of.ITAR, Approval: a.ID, Operator: c.session.Operator.Name, Approve: approve})
	if err == nil && approve {
		err = s.Ask.Wait(c.r.Context(), contract.RequestPrefix+contract.DeriveID(a.ID, "carried out"))
	}
	return c.finish(err, of.Path, word)
}

// readCustomerText reads what is written to a customer: of at most most characters, and not nothing.
func readCustomerText(c *call, name string) (string, error) {
	text := strings.TrimSpace(plain.Block(c.r.PostFormValue(name), maxWords+1))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", contract.Refuse(contract.InvalidRequest, "Please write to the customer what it is about.")
	case n > maxWords:
		return "", contract.Refuse(contract.InvalidRequest, "At most %d characters.", maxWords)
	}
	return text, nil
}

// maxWords bounds what is written to a customer, as the pricing service does.
const maxWords = 5000

// askCustomer sends the customer a question about a review.
func (s *Server) askCustomer(c *call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	text, err := readCustomerText(c, "text")
	if err == nil {
		r := audits.Record{Action: "asked the customer", Kind: "quote", ID: v.Ref, After: map[string]string{"question": audits.DigestText(text)}}
		err = c.command(r, quotes.AskCustomer, c.r.PostFormValue("request"), v.Account,
			quotes.AskCustomerData{Quote: v.Ref, Operator: c.session.Operator.Name, Text: text})
	}
	return v.answer(c, err, "asked")
}

// refuseReview tells the customer that there will be no price.
func (s *Server) refuseReview(c *call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	why, err := readCustomerText(c, "why")
	if err == nil && c.r.PostFormValue("sure") != "yes" {
		err = contract.Refuse(contract.InvalidRequest, "Nothing was done: please tick the box to confirm.")
	}
	if err == nil {
		r := audits.Record{Action: "refused a review", Kind: "quote", ID: v.Ref,
			Before: map[string]string{"status": string(v.Standing)}, After: map[string]string{"status": string(quotes.Expired), "why": audits.DigestText(why)}}
		err = c.command(r, quotes.RefuseReview, c.r.PostFormValue("request"), v.Account,
			quotes.RefuseReviewData{Quote: v.Ref, Operator: c.session.Operator.Name, Why: why})
	}
	return v.answer(c, err, "declined-review")
}

// answer shows the review again with what was refused, or goes on.
func (v *reviewView) answer(c *call, err error, word string) error {
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		return c.render(http.StatusUnprocessableEntity, "review", v)
	}
	return c.finish(err, fmt.Sprintf("/reviews/%s", v.Ref), word)
}
