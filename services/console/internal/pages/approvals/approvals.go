package approvals

import (
	"net/http"
	"slices"

	"boardorder/pkg/contract"
	casescontract "boardorder/pkg/contract/cases"
	formalcontract "boardorder/pkg/contract/formal"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/formal"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"

	"go.uber.org/zap"
)

type approvalRow struct {
	cases.Request
	Number, About, To string // the number that people know it by, its name and its page
	Account, Age      string
}

type approvalsView struct {
	page.Frame
	Rows []approvalRow
	Next string
}

// List lists what waits for a second operator, newest first.
func (s *Section) List(c *page.Call) error {
	v := approvalsView{Frame: c.Frame("approvals", "Approvals")}
	found, next, err := states.List[casescontract.Case](c.R.Context(), s.Docs, contract.CaseAggregate, "waiting", casescontract.Waits,
		projection.Page{Limit: states.PerPage, Cursor: c.R.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	v.Next = next
	for _, one := range found {
		if c.Hides(one.Labels()) {
			continue
		}
		for _, a := range one.Open() {
			row, err := s.row(c, *one, a)
			if err != nil {
				return err
			}
			v.Rows = append(v.Rows, row)
		}
	}
	return c.Show(templates, "approvals", v)
}

// row is an approval in the words of people: a formal order has a number of its own.
func (s *Section) row(c *page.Call, of casescontract.Case, a casescontract.Approval) (approvalRow, error) {
	row := approvalRow{Number: quotescontract.CustomerRef(of.Ref), To: "/orders/" + of.Ref, Account: c.AccountName(of.Account), Age: format.Wait(s.Now(), a.AskedAt)}
	var err error
	if row.Request, err = cases.ReadRequest(c.R.Context(), s.Docs, of.Ref, a); err != nil {
		return row, err
	}
	switch a.Kind {
	case casescontract.ApprovePrice:
		row.To = "/quotes/" + of.Ref
	case casescontract.ApproveFormal:
		o, err := states.Get[formalcontract.Order](c.R.Context(), s.Docs, contract.FormalAggregate, of.Ref)
		if err != nil {
			return row, err
		}
		if row.Number, row.To = "a formal order", "/central/"+of.Ref; o != nil {
			row.Number, row.About = o.Ref, o.Name
		}
	}
	return row, nil
}

// subject reads what the case in the address is of.
func (s *Section) subject(c *page.Call) (cases.Subject, error) {
	ref := c.R.PathValue("ref")
	o, err := states.Get[formalcontract.Order](c.R.Context(), s.Docs, contract.FormalAggregate, ref)
	switch {
	case err != nil:
		return cases.Subject{}, err
	case o != nil && c.MayOpen(o):
		return formal.Subject(*o), nil
	}
	q, _, order, err := quotes.Read(c.R.Context(), s.Docs, ref)
	if err != nil {
		return cases.Subject{}, err
	}
	return quotes.SubjectOf(c, q, order), nil
}

// Take makes the operator the one who has it, or leaves it to the others.
func (s *Section) Take(c *page.Call) error {
	of, err := s.subject(c)
	if err != nil {
		return err
	}
	err = quotes.Take(c, s.Docs, of, c.R.PostFormValue("action") == "leave", c.R.PostFormValue("request"))
	return c.Finish(err, of.Path, "taken")
}

// Decide approves or declines what a colleague wants, and waits for what comes of it.
func (s *Section) Decide(c *page.Call) error {
	of, err := s.subject(c)
	if err != nil {
		return err
	}
	now, err := cases.Load(c.R.Context(), s.Docs, of.Ref)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(now.Pending, func(a cases.Request) bool { return a.ID == c.R.PathValue("id") })
	if i < 0 {
		return page.Problem{Status: http.StatusConflict, Message: "This has already been decided or withdrawn."}
	}
	a, approve := now.Pending[i], c.R.PostFormValue("action") == "approve"
	if !c.Can(cases.Permission(a.Kind)) && (approve || a.AskedBy != c.Session.Operator.Name) {
		c.NoteRefusal("refused", zap.String("needs", string(cases.Permission(a.Kind))))
		return page.Problem{Status: http.StatusForbidden, Message: "Your roles do not let you " + string(cases.Permission(a.Kind)) + "."}
	}
	action, word := "declined to "+cases.Describe(a.Kind), "declined"
	if approve && a.PaysTwice() {
		return page.Problem{Status: http.StatusConflict, Message: "The customer’s bank disputes this payment and has taken the money already: a refund now would pay it twice. Decline it; the bank decides about the money."}
	}
	if approve {
		// Two have to want it: who asked may have been removed since, or lost the role.
		if by, known := s.Book.Find(a.AskedBy); !known || !by.Can(cases.Permission(a.Kind)) {
			return page.Problem{Status: http.StatusConflict, Message: a.AskedBy + " may not " + string(cases.Permission(a.Kind)) + " any more, so what they asked for cannot be approved. Decline it, and ask for it yourself if it is right."}
		}
		action, word = "approved to "+cases.Describe(a.Kind), approvalWord(a.Kind)
	}
	r := of.AuditRecord(action)
	r.Before = map[string]string{"status": string(a.Status), "asked_by": a.AskedBy}
	r.After = map[string]string{"amount": a.Amount(), "decided_by": c.Session.Operator.Name}
	err = c.Command(r, casescontract.Decide, c.R.PostFormValue("request"), of.Account,
		casescontract.DecideData{Case: of.Ref, ITAR: of.ITAR, Approval: a.ID, Operator: c.Session.Operator.Name, Approve: approve})
	if err == nil && approve {
		err = s.Ask.Wait(c.R.Context(), contract.RequestPrefix+contract.DeriveID(a.ID, "carried out"))
	}
	return c.Finish(err, of.Path, word)
}

// approvalWord says what has happened once it is approved: of money that goes back, that the
// card processor is asked.
func approvalWord(k casescontract.ApprovalKind) string {
	switch k {
	case casescontract.ApproveRefund:
		return "approved-refund"
	case casescontract.ApproveCancel:
		return "approved-cancel"
	}
	return "approved"
}
